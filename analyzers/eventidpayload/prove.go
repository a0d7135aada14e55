package eventidpayload

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/event"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says of each dedup key whether it is read from the payload, and of each event
// that the listener publishes where its id is.
func prove(p *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	all := event.NewTypes(p.Pass)
	for _, j := range l.Journeys {
		for o := range listener.Identities(j, func(*flow.Op) bool { return true }) {
			switch org := o.Key.Origin(); {
			case org&flow.FromPayload != 0:
				sum.Add(report.Proven, fmt.Sprintf("the id of %s is read from the payload", o.What))
			case fromHeader(o) && p.Settings.AcceptHeaderIDs:
				sum.Add(report.Proven, fmt.Sprintf("the id of %s is read from a header, which the configuration accepts", o.What))
			case fromHeader(o):
				sum.Add(report.Violated, fmt.Sprintf("the id of %s is read from a header", o.What))
			case org&flow.FromOffset != 0:
				sum.Add(report.Unknown, fmt.Sprintf("the key of %s is no event id: it is computed from the offset", o.What))
			default:
				sum.Add(report.Unknown, fmt.Sprintf("where the id of %s comes from cannot be seen", o.What))
			}
		}
		for _, o := range j.First.Ops {
			judged, other := false, false
			for _, name := range o.Payloads {
				if p.Settings.Catalog.Library(listener.ImportPath(name)) != catalog.NotLibrary {
					continue // an id or another library's value among the operands
				}
				t := all.Find(name)
				if t != nil && !t.Encodes() {
					other = true // a time among the operands
					continue
				}
				judged = true
				sum.Add(published(p, t, listener.ShortName(name)))
			}
			if other && !judged {
				sum.Add(report.Unknown, fmt.Sprintf("the type of the event in %s cannot be seen", o.What))
			}
		}
	}
	return sum.Verdict("it reads no event id and publishes no event")
}

func published(p *rule.Pass, t *event.Type, name string) (report.State, string) {
	switch {
	case t == nil:
		return report.Unknown, fmt.Sprintf("the type of the event %s cannot be seen", name)
	case t.Misplaced(p.Settings) != nil:
		return report.Violated, fmt.Sprintf("the event id of %s is not its first field", name)
	case !t.Named(p.Settings):
		return report.Unknown, fmt.Sprintf("which field of %s is the event id cannot be told", name)
	}
	return report.Proven, fmt.Sprintf("%s carries its event id in the payload", name)
}
