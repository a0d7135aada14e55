// Package moneykey enforces R-KFK-IDEM-4: money has a second lock, the
// idempotency key on the downstream call.
package moneykey

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/summary"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-4", Name: "moneykey"}

// Analyzer reports money calls without an idempotency key that stays the same.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	if p.Own == nil {
		return nil
	}
	u := p.Universe
	for alone := range u.Outermost(p.Own, flow.Requests) {
		for _, o := range alone.Ops {
			f := judge(u, o, alone)
			if f == fine || elsewhere(u, p.Own, o) {
				continue
			}
			p.Report(report.Finding{Pos: listener.Deepest(o.Steps(), p.Own), Message: message(f, o)})
		}
	}
	return nil
}

type fault int

const (
	fine fault = iota
	missing
	fresh // a key that is new at each attempt
)

// changing are the origins that differ from one delivery to the next.
const changing = flow.FromUUID | flow.FromUUIDv7 | flow.FromRandom | flow.FromClock | flow.FromOffset | flow.FromCounter

func judge(u *flow.Universe, o *flow.Op, alone *flow.Alone) fault {
	if !MovesMoney(o) {
		return fine
	}
	if o.Lock == nil || o.Lock.Empty() {
		if !o.Whole || o.Keyer != "" || o.Hooked && u.SetsKey() {
			return fine
		}
		return missing
	}
	if o.Lock.Origin()&changing != 0 && !alone.Kept(o.Lock) {
		return fresh
	}
	return fine
}

// elsewhere reports whether the call stands in another package, which says so
// itself: nothing of this one is wrong with it.
func elsewhere(u *flow.Universe, own *summary.Package, o *flow.Op) bool {
	outer := o.Outermost(own)
	if outer == nil {
		return false
	}
	alone := u.Alone(outer)
	for _, p := range alone.Ops {
		if p.At(o) && judge(u, p, alone) != fine {
			return true
		}
	}
	return false
}

func message(f fault, o *flow.Op) string {
	const why = "when the answer is lost, or the transaction rolls back after it, the next delivery moves the money again"
	if f == fresh {
		return fmt.Sprintf("%s moves money under an idempotency key that is new at each attempt (it comes from %s), so the provider takes the second delivery for another payment: derive the key from the event id", o.What, source(o.Lock.Origin()))
	}
	return fmt.Sprintf("%s moves money without an idempotency key: %s; send the event id as Idempotency-Key", o.What, why)
}

// source names what a key that changes comes from.
func source(org flow.Origin) string {
	switch {
	case org&flow.FromOffset != 0:
		return "the record's offset"
	case org&flow.FromClock != 0:
		return "the clock"
	case org&flow.FromCounter != 0:
		return "a counter of attempts"
	}
	return "a generator"
}
