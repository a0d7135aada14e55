package moneykey

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says of each money call where its key comes from.
func prove(_ *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	for _, j := range l.Journeys {
		for _, o := range listener.ByPosition(j.First.Ops) {
			if MovesMoney(o) {
				sum.Add(locked(o))
			}
		}
	}
	return sum.Verdict("it moves no money")
}

// locked says whether the call carries a key that is the same at the next delivery.
func locked(o *flow.Op) (report.State, string) {
	switch {
	case o.Lock == nil || o.Lock.Empty():
		if o.Keyer != "" {
			return report.Proven, fmt.Sprintf("the key of %s is set by %s, from the event", o.What, listener.ShortName(o.Keyer))
		}
		if o.Hooked {
			return report.Unknown, fmt.Sprintf("what the transport or interceptor of %s adds cannot be seen", o.What)
		}
		if o.Whole {
			return report.Violated, fmt.Sprintf("%s carries no idempotency key", o.What)
		}
		return report.Unknown, fmt.Sprintf("not all that %s sends was seen", o.What)
	case o.Lock.Origin()&changing != 0:
		return report.Unknown, fmt.Sprintf("the key of %s comes from %s; whether it is kept for the next attempt cannot be seen", o.What, source(o.Lock.Origin()))
	case o.Lock.Origin()&(flow.FromPayload|flow.FromHeader|flow.FromKey) != 0 && o.Lock.Origin()&flow.FromUnknown == 0:
		return report.Proven, fmt.Sprintf("the key of %s comes from the record", o.What)
	}
	return report.Unknown, fmt.Sprintf("where the key of %s comes from cannot be seen", o.What)
}
