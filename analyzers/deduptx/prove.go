package deduptx

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says of each database write whether it is seen to be in its gate's
// transaction.
func prove(_ *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	for _, j := range l.Journeys {
		gates, writes := parties(j)
		for _, w := range writes {
			g, r := verdict(j, gates, w)
			switch {
			case r != fine:
				sum.Add(report.Violated, fmt.Sprintf("%s is not in the gate's transaction", w.What))
			case !together(g, w):
				sum.Add(report.Unknown, fmt.Sprintf("whether %s and the gate share a transaction cannot be seen", w.What))
			default:
				sum.Add(report.Proven, fmt.Sprintf("%s and the gate commit together", w.What))
			}
		}
	}
	return sum.Verdict("it has no gate that holds back a write to a database")
}

// together reports whether the gate and the write are seen to share one open
// transaction.
func together(g, w *flow.Op) bool {
	return g != nil && g.Store == catalog.SQL && g.Handle.State == flow.InOpenTx && g.Handle.Tx != nil &&
		w.Handle.State == flow.InOpenTx && w.Handle.Tx == g.Handle.Tx
}
