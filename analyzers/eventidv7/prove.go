package eventidv7

import (
	"fmt"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/event"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// prove says of the events that a listener publishes what makes their ids.
func prove(p *rule.Pass, l *listener.Listener) report.Verdict {
	var sum report.Ledger
	types := event.NewTypes(p.Pass)
	for _, j := range l.Journeys {
		publishes := ""
		for _, o := range j.First.Ops {
			if o.Row != nil && o.Row.Publishes() && listener.IsEffect(o) {
				publishes = o.What
			}
		}
		if publishes == "" {
			continue
		}
		made := p.Universe.Alone(j.Root)
		for _, a := range first(types, p.Settings, made) {
			sum.Add(report.Violated, message(a))
		}
		seen := false
		for _, a := range made.Assigns {
			if a.Made != nil && a.Made.Row.Gen == catalog.UUIDv7 && isEventID(types, p.Settings, made, a) {
				seen = true
				sum.Add(report.Proven, fmt.Sprintf("the ids of the events that it publishes are made by %s", listener.ShortName(a.Made.Row.Name)))
			}
		}
		if !seen {
			sum.Add(report.Unknown, fmt.Sprintf("where the ids in %s come from cannot be seen", publishes))
		}
	}
	return sum.Verdict("it sends no event to a broker itself")
}
