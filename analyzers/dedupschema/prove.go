package dedupschema

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says of each gate's store whether its key and its lifetime were seen.
// Whether old rows are removed is judged where the program's main function is, so
// that is a condition.
func prove(p *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	sql, err := p.SQL()
	if err != nil {
		return report.Verdict{State: report.Unknown, Why: err.Error()}
	}
	for _, j := range l.Journeys {
		for _, o := range j.First.Ops {
			switch {
			case !listener.IsGate(o):
			case o.Row != nil && o.Row.Own:
				sum.Add(report.Proven, "the runtime's table has a unique event id for each group, and old ids are removed")
				sum.If(ownTable, "whether the program runs the upkeep of the runtime's table was not seen")
			case o.Store == catalog.SQL && o.Table != "":
				sum.If(report.AboutTable(o.Table), fmt.Sprintf("whether anything removes old rows of %s was not seen", o.Table))
				t := sql.Schema.Tables[o.Table]
				if t == nil {
					if t, _, err = elsewhere(p, gate{table: o.Table, model: o.ModelType()}); err != nil {
						sum.Add(report.Unknown, err.Error())
						continue
					}
				}
				if t != nil {
					for _, f := range t.Judge(p.Settings) {
						sum.Add(report.Violated, f.Message)
					}
				}
				sum.Add(report.Proven, o.Table+" has a unique event id for each group, and old rows are removed")
				if t == nil || !t.Whole() { // another package may hold it
					sum.If(aboutKey(o.Table), fmt.Sprintf("the definition of the table %s was not found", o.Table))
				}
			case o.Store == catalog.Memory && !p.Universe.Forgets(o), o.Endless && !p.Universe.Expires():
				sum.Add(report.Violated, fmt.Sprintf("%s keeps its keys for ever", o.What))
			case o.Store == catalog.Redis && !o.Endless, o.Store == catalog.Memory:
				sum.Add(report.Proven, fmt.Sprintf("%s has one entry an event id, with an end", o.What))
			default:
				sum.Add(report.Unknown, fmt.Sprintf("what stands behind %s cannot be seen", o.What))
			}
		}
	}
	return sum.Verdict("it has no gate")
}

// ownTable is the table of the reference runtime, which makes it itself.
var ownTable = report.AboutTable("of the runtime")

// aboutKey names the key of a table, where its definition is right.
func aboutKey(table string) string { return "key of " + table }
