// Package deduptx enforces R-KFK-IDEM-3: the dedup gate and the business result
// in one database transaction.
package deduptx

import (
	"fmt"
	"slices"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-3", Name: "deduptx"}

// Analyzer reports gates that do not share a transaction with the work they
// guard, and acknowledgements before the commit.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	for _, l := range p.Listeners {
		for _, j := range l.Journeys {
			if j.First.Over || j.Duplicate.Over {
				continue
			}
			judge(p.Reporter, l, j)
		}
	}
	return nil
}

func judge(rep *report.Reporter, l *listener.Listener, j *flow.Journey) {
	gates, writes := parties(j)
	if len(gates) == 0 || len(writes) == 0 {
		return
	}
	reported := make(map[*flow.Op]bool)
	for _, w := range writes {
		g, r := verdict(j, gates, w)
		if r == fine {
			continue
		}
		at := w
		if r == outside {
			at = g
		}
		if reported[at] {
			continue
		}
		reported[at] = true
		rel := append(l.Start(), l.Related(g, "the gate: "+g.What)...)
		rep.Report(report.Finding{
			Pos: l.Place(at.Steps()).Pos, Message: message(l, r, g, w), About: l.Names(),
			Related: append(rel, l.Related(w, "the write: "+w.What)...),
		})
	}
	acks(rep, l, j, gates)
}

// parties returns the gates whose answer decides about work, and the database
// writes that they hold back from a second delivery.
func parties(j *flow.Journey) (gates, writes []*flow.Op) {
	guarding := false
	for _, o := range listener.ByPosition(j.First.Ops) {
		switch {
		case listener.IsGate(o) && !o.Hidden && !(o.Key != nil && o.Key.Origin().OnlyGenerated()):
			gates = append(gates, o)
		case o.Kind == flow.Write && listener.IsEffect(o) && o.Store != catalog.Redis && !o.Hidden:
			held := j.Duplicate.Find(o) == nil
			guarding = guarding || held
			if held {
				writes = append(writes, o)
			}
		}
	}
	if !guarding {
		return nil, nil
	}
	return gates, writes
}

type result int

const (
	fine     result = iota
	outside         // the gate is in no transaction
	apart           // the write is in another transaction, or in none
	tooLate         // the transaction was committed before the write
	inFlight        // the write is in a goroutine that outlives the transaction
)

// verdict compares a write with the gates: one gate in its transaction is enough,
// one whose handle is not known too, unless another turns the duplicate away
// before it is asked.
func verdict(j *flow.Journey, gates []*flow.Op, w *flow.Op) (*flow.Op, result) {
	if w.Handle.State == flow.HandleUnknown {
		return nil, fine
	}
	if g := first(j, gates); g != nil {
		return g, outside
	}
	var worst *flow.Op
	res := fine
	for _, g := range gates {
		r := compare(g, w)
		if r == fine {
			return g, fine
		}
		if worst == nil {
			worst, res = g, r
		}
	}
	return worst, res
}

// first returns the gate in Redis or in memory that decides alone, because its
// answer keeps a duplicate from the other gates; nil when there is none, or when
// the code takes its mark back.
func first(j *flow.Journey, gates []*flow.Op) *flow.Op {
	for _, g := range gates {
		if g.Kind != flow.Gate || g.Store != catalog.Redis && g.Store != catalog.Memory || j.Duplicate.Find(g) == nil {
			continue
		}
		behind := func(o *flow.Op) bool { return o != g && j.Duplicate.Find(o) == nil }
		if slices.ContainsFunc(gates, behind) && !j.Any.Releases(g) {
			return g
		}
	}
	return nil
}

func compare(g, w *flow.Op) result {
	switch g.Store {
	case catalog.Redis, catalog.Memory:
		return outside
	case catalog.SQL, catalog.Mongo, catalog.DynamoDB:
	default:
		return fine
	}
	switch g.Handle.State {
	case flow.HandleUnknown:
		return fine
	case flow.OnPool:
		return outside
	}
	switch {
	case w.Handle.Tx == nil || w.Handle.Tx != g.Handle.Tx:
		return apart
	case w.Outlives:
		return inFlight
	case w.Handle.State == flow.InDoneTx:
		return tooLate
	}
	return fine
}

func message(l *listener.Listener, r result, g, w *flow.Op) string {
	const lost = "if the work fails after the gate is durable, the next delivery is taken for a duplicate and the event is lost; if the process dies before, it is done twice"
	who := "the listener " + listener.Name(l.Func)
	switch r {
	case outside:
		where := "outside a transaction"
		if g.Store == catalog.Redis || g.Store == catalog.Memory {
			where = "in " + g.Store.String()
		}
		return fmt.Sprintf("%s keeps its dedup gate %s while its work is %s: %s; insert the event id in the transaction that does the work", who, where, w.What, lost)
	case tooLate:
		return fmt.Sprintf("%s does %s after the transaction with the dedup gate was committed: %s; commit after the work", who, w.What, lost)
	case inFlight:
		return fmt.Sprintf("%s does %s in a goroutine that outlives the transaction with the dedup gate: the gate commits whether or not the work succeeds, so a failed one is lost; do the work before the commit", who, w.What)
	}
	return fmt.Sprintf("%s does %s in another transaction than its dedup gate, or in none: %s; use the gate's transaction", who, w.What, lost)
}

// acks reports a record that is acknowledged before its transaction commits.
func acks(rep *report.Reporter, l *listener.Listener, j *flow.Journey, gates []*flow.Op) {
	for _, g := range gates {
		if g.Store != catalog.SQL || g.Handle.State != flow.InOpenTx || g.Goroutine != "" {
			continue
		}
		var commit *flow.Op
		for _, o := range j.First.Ops {
			if o.Kind == flow.Commit && o.Handle.Tx == g.Handle.Tx {
				commit = o
			}
		}
		if commit == nil || !commit.Acked {
			continue
		}
		for _, o := range j.First.Ops {
			auto := o.Kind == flow.Consume && o.Row != nil && o.Row.Auto
			if (o.Kind == flow.Ack || auto) && o.Seq < commit.Seq {
				how := "acknowledges the record before the transaction commits"
				if auto {
					how = "reads records with a call that acknowledges them at once, before the transaction commits"
				}
				rep.Report(report.Finding{
					Pos:     l.Place(o.Steps()).Pos,
					Message: fmt.Sprintf("the listener %s %s: a crash in between loses the event, nothing delivers it again; acknowledge after the commit", listener.Name(l.Func), how),
					Related: append(l.Start(), l.Related(commit, "the commit")...),
					About:   l.Names(),
				})
				return
			}
		}
	}
}
