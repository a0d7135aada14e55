// Package listenerdedup enforces R-KFK-IDEM-X1: no listener without an event id
// check.
package listenerdedup

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
var Rule = report.Rule{ID: "R-KFK-IDEM-X1", Name: "listenerdedup"}

// Analyzer reports the effects of a listener that a second delivery repeats.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	for _, l := range p.Listeners {
		found := make(map[string]*finding)
		var order []string
		for _, j := range l.Journeys {
			if j.First.Over || j.Duplicate.Over {
				continue
			}
			for _, f := range judge(p.Result, l, j) {
				place := l.Place(f.op.Steps())
				if !place.Pos.IsValid() {
					continue
				}
				f.pos = place
				if p.Ignored(place.Pos) { // the others of its handler are not
					p.Report(report.Finding{Pos: place.Pos, Message: f.message(l), About: l.Names()})
					continue
				}
				key := l.Handler(f.op)
				if old := found[key]; old == nil {
					found[key] = f
					order = append(order, key)
				} else {
					if old.weight() < f.weight() {
						f.others = append(old.others, old.op)
						found[key] = f
					} else {
						old.others = append(old.others, f.op)
					}
				}
			}
		}
		for _, key := range order {
			f := found[key]
			rel := l.Start()
			for _, g := range f.gates {
				rel = append(rel, l.Related(g, "the gate: "+g.What)...)
			}
			for _, o := range f.others {
				rel = append(rel, l.Related(o, "and "+o.What)...)
			}
			p.Report(report.Finding{Pos: f.pos.Pos, Message: f.message(l), Related: rel, About: l.Names()})
		}
	}
	return nil
}

// finding is an effect that a second delivery repeats.
type finding struct {
	op     *flow.Op
	reason reason
	gates  []*flow.Op
	others []*flow.Op
	pos    listener.Place
}

func (f *finding) weight() int {
	if f.op.Kind == flow.Write && f.op.Write == flow.Overwriter {
		return 1
	}
	return 2
}

type reason int

const (
	noGate reason = iota
	after
	ignored
	swapped
	checkOnly
	minted
	bypassed
	failOpen
)

// judge returns the effects of a journey that a second delivery repeats, in the
// order in which the record reaches them.
func judge(res *listener.Result, l *listener.Listener, j *flow.Journey) []*finding {
	var out []*finding
	for _, o := range listener.ByPosition(j.Duplicate.Ops) {
		if !listener.IsEffect(o) || o.Hidden || harmless(res, j, o) {
			continue
		}
		gates := l.Gates(j, o)
		if guardedElsewhere(res, j.Duplicate.Ops, o, gates) {
			continue
		}
		// A key that is stored after the work, and whose answer nobody reads, is a cache's.
		gates = slices.DeleteFunc(gates, func(g *flow.Op) bool { return g.Kind == flow.Gate && g.Seq > o.Seq && !g.Asked() })
		out = append(out, &finding{op: o, gates: gates, reason: why(j, o, gates)})
	}
	for _, o := range listener.ByPosition(j.Failing.Ops) {
		if j.Duplicate.Find(o) != nil || !listener.IsEffect(o) || o.Hidden || harmless(res, j, o) {
			continue
		}
		gates := l.Gates(j, o)
		if !canFail(gates) || guardedElsewhere(res, j.Failing.Ops, o, gates) {
			continue
		}
		if first := j.First.Find(o); first != nil && !sameTransaction(first, gates) {
			out = append(out, &finding{op: o, gates: gates, reason: failOpen})
		}
	}
	return out
}

// harmless reports whether the effect itself cannot be repeated, or the user
// accepts what a repetition does.
func harmless(res *listener.Result, j *flow.Journey, o *flow.Op) bool {
	if o.Write == flow.Undecided {
		return true
	}
	fresh := o.Key != nil && o.Key.Origin().OnlyGenerated()
	if first := j.First.Find(o); first != nil && first.Tested() && !fresh {
		return !res.Settings.Strict
	}
	switch o.Write {
	case flow.Guarded:
		return !res.Settings.Strict && o.Kind == flow.Write
	case flow.Overwriter:
		return res.Settings.AcceptOverwrites
	}
	return false
}

// guardedElsewhere reports whether a branch that decides whether the effect runs
// depends on something that may hold a second delivery back: a state that was
// read, or a function that cannot be seen.
func guardedElsewhere(res *listener.Result, ops []*flow.Op, o *flow.Op, gates []*flow.Op) bool {
	for _, g := range o.Guards() {
		if o.EitherWay(g, ops) {
			continue
		}
		switch {
		case g.Org&flow.FromUnknown != 0:
			return true
		case g.Org&flow.FromRead != 0 && !res.Settings.Strict:
			return true
		case g.Org&flow.FromConfig != 0 && !g.Org.FromAnyRecord() && len(gates) > 0:
			return true // deduplication that can be switched off
		}
	}
	return false
}

// canFail reports whether one of the gates is in a store that can fail.
func canFail(gates []*flow.Op) bool {
	return slices.ContainsFunc(gates, func(g *flow.Op) bool { return g.Store != catalog.Memory })
}

func sameTransaction(o *flow.Op, gates []*flow.Op) bool {
	for _, g := range gates {
		if g.Handle.Tx != nil && g.Handle.Tx == o.Handle.Tx {
			return true
		}
	}
	return false
}

// why says what is wrong with the gates on the way to an effect.
func why(j *flow.Journey, o *flow.Op, gates []*flow.Op) reason {
	if len(gates) == 0 {
		return noGate
	}
	if j.First.Find(o) == nil {
		return swapped
	}
	fresh, checks, later := 0, 0, 0
	for _, g := range gates {
		if g.Key != nil && g.Key.Origin().OnlyGenerated() {
			fresh++
		}
		if g.Kind == flow.Check {
			checks++
		}
		if g.Seq > o.Seq {
			later++
		}
	}
	switch {
	case fresh == len(gates):
		return minted
	case later == len(gates):
		return after
	case checks == len(gates) && !marked(j):
		return checkOnly
	}
	for _, e := range j.First.Ops {
		if listener.IsEffect(e) && j.Duplicate.Find(e) == nil {
			return bypassed
		}
	}
	for _, g := range o.Guards() {
		if g.Org.FromAnyRecord() {
			return bypassed
		}
	}
	return ignored
}

func marked(j *flow.Journey) bool {
	for _, o := range j.First.Ops {
		if o.Kind == flow.Mark || o.Kind == flow.Gate {
			return true
		}
	}
	return len(j.First.Open) > 0
}

// message says what is wrong, why it bites and what to write instead.
func (f *finding) message(l *listener.Listener) string {
	who := "the listener " + listener.Name(l.Func)
	what := f.op.What
	if way := listener.Way(f.op.Steps()); way != "" {
		what += " (via " + way + ")"
	}
	if f.weight() == 1 {
		return fmt.Sprintf("%s does %s without a check of the event id: it is an overwriting write, so a late replay puts an old state over a newer one; record the event id in the same transaction first, guard the write by a version or status, or set accept-overwrites", who, what)
	}
	const remedy = "record the event id in the same transaction first (INSERT INTO processed_event … ON CONFLICT DO NOTHING) and return when it was there"
	switch f.reason {
	case after:
		return fmt.Sprintf("%s does %s before the event id is checked: by then a second delivery has done the work twice; %s", who, what, remedy)
	case ignored:
		return fmt.Sprintf("%s does %s whatever the dedup gate answers, so a second delivery does it twice; branch on the gate's answer and return when it says duplicate", who, what)
	case swapped:
		return fmt.Sprintf("%s does %s only when the dedup gate says duplicate: the branches are swapped, so the first delivery is skipped and each further one does the work; swap them", who, what)
	case checkOnly:
		return fmt.Sprintf("%s does %s after a check of the event id that nothing ever records, so the check never finds it and a second delivery does the work twice; %s", who, what, remedy)
	case minted:
		return fmt.Sprintf("%s does %s behind a check of an id that it made itself a moment earlier: each delivery gets a new one, so a second delivery does the work twice; check the event's own id from the payload", who, what)
	case bypassed:
		return fmt.Sprintf("%s does %s on a way that passes the dedup gate by, so a second delivery does it twice; check the event id on every way to the work, and reject a record without one", who, what)
	case failOpen:
		return fmt.Sprintf("%s does %s although the dedup gate failed: while its store is down every redelivery does the work again; return the error, the record will come again", who, what)
	}
	return fmt.Sprintf("%s does %s for each delivery of a record: no check of the event id is on the way, so a redelivery (rebalance, replay, offset reset) does it twice; %s", who, what, remedy)
}
