package onconflict

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/sqltext"
)

// prove says of each gate whether it records and asks in one step.
func prove(_ *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	for _, j := range l.Journeys {
		for _, o := range j.First.Ops {
			if !o.Dedup || o.Kind != flow.Gate && o.Kind != flow.Mark {
				continue
			}
			wrong := mistake(o, j.First.Ops)
			switch {
			case o.Stmt == nil && o.Kind == flow.Gate:
				sum.Add(report.Proven, fmt.Sprintf("%s stores the key only if it is absent, in one step", o.What))
			case o.Stmt == nil || o.Stmt.Verb != sqltext.Insert:
				sum.Add(report.Unknown, fmt.Sprintf("how %s treats a key that was there cannot be seen", o.What))
			case wrong != "":
				sum.Add(report.Violated, wrong)
			case o.Stmt.Conflict == sqltext.Nothing:
				sum.Add(report.Proven, fmt.Sprintf("%s leaves a row that was there alone", o.What))
			default:
				sum.Add(report.Unknown, fmt.Sprintf("how %s treats a row that was there cannot be seen", o.What))
			}
		}
	}
	return sum.Verdict("it records no event id")
}
