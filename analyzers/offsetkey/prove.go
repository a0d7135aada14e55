package offsetkey

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says what each dedup key is computed from.
func prove(_ *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	for _, j := range l.Journeys {
		for o := range listener.Identities(j, func(*flow.Op) bool { return true }) {
			switch org := o.Key.Origin(); {
			case org&flow.FromOffset != 0:
				sum.Add(report.Violated, fmt.Sprintf("the key of %s is computed from the offset", o.What))
			case org&(flow.FromUnknown|flow.FromRecord) != 0 || !org.FromAnyRecord():
				sum.Add(report.Unknown, fmt.Sprintf("what the key of %s is computed from cannot be seen", o.What))
			default:
				sum.Add(report.Proven, fmt.Sprintf("the key of %s is not computed from the offset", o.What))
			}
		}
	}
	return sum.Verdict("it has no dedup key")
}
