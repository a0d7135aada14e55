package listenerdedup

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says of each effect what holds a second delivery back from it.
func prove(p *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	for _, j := range l.Journeys {
		for _, o := range listener.ByPosition(j.First.Ops) {
			if !listener.IsEffect(o) {
				continue
			}
			sum.Add(Held(p.Result, l, j, o))
		}
	}
	return sum.Verdict("it has no effect that a second delivery could repeat")
}

// Held says whether the effect is held back from a second delivery, and by what.
func Held(res *listener.Result, l *listener.Listener, j *flow.Journey, o *flow.Op) (report.State, string) {
	gates := l.Gates(j, o)
	second := j.Duplicate.Find(o)
	switch {
	case o.Write == flow.Undecided:
		return report.Unknown, fmt.Sprintf("what %s changes cannot be told", o.What)
	case second == nil && len(gates) == 0:
		return report.Proven, fmt.Sprintf("%s is left out when the store answers that the event was there", o.What)
	case second == nil:
		return report.Proven, fmt.Sprintf("the gate, %s, holds it back", gates[0].What)
	case harmless(res, j, second) && o.Write == flow.Overwriter:
		return report.Proven, fmt.Sprintf("%s overwrites, which the configuration accepts", o.What)
	case harmless(res, j, second):
		return report.Proven, fmt.Sprintf("%s cannot be repeated: a key, a state or a version holds it back", o.What)
	case guardedElsewhere(res, j.Duplicate.Ops, second, gates):
		return report.Unknown, fmt.Sprintf("%s depends on a branch that cannot be decided here", o.What)
	}
	return report.Violated, fmt.Sprintf("a second delivery does %s again", o.What)
}
