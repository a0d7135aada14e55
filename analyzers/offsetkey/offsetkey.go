// Package offsetkey enforces R-KFK-IDEM-X2: the Kafka offset is not a dedup key.
package offsetkey

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
var Rule = report.Rule{ID: "R-KFK-IDEM-X2", Name: "offsetkey"}

// Analyzer reports dedup keys that are computed from a record's offset.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	for _, l := range p.Listeners {
		for _, j := range l.Journeys {
			byOffset := func(o *flow.Op) bool {
				commits := o.Kind == flow.Check && o.Store == catalog.Memory && !holdsBack(j) // it finds the offset to commit
				return o.Key.Origin()&flow.FromOffset != 0 && !commits
			}
			for o := range listener.Identities(j, byOffset) {
				p.Report(report.Finding{
					Pos: l.Place(o.Steps()).Pos,
					Message: fmt.Sprintf("%s takes %s under a key computed from the record's offset: the offset is a position in one log, so a replay, a mirror or a recreated topic gives the same event another key and it is processed twice; use the event id from the payload",
						"the listener "+listener.Name(l.Func), o.What),
					Related: l.Start(),
					About:   l.Names(),
				})
			}
			for _, c := range j.Any.Compares {
				if skips(j, c) {
					p.Report(report.Finding{
						Pos: l.Place(c.Steps()).Pos,
						Message: fmt.Sprintf("the listener %s skips records by comparing their offset with one that it remembers: after a replay through another topic or a recreated topic the same event has another offset and is processed twice, or a new event is taken for an old one; use the event id from the payload",
							listener.Name(l.Func)),
						Related: l.Start(),
						About:   l.Names(),
					})
				}
			}
		}
	}
	return nil
}

// holdsBack reports whether an effect is left out when the gates say duplicate.
func holdsBack(j *flow.Journey) bool {
	return slices.ContainsFunc(j.First.Ops, func(o *flow.Op) bool { return listener.IsEffect(o) && j.Duplicate.Find(o) == nil })
}

// skips reports whether a comparison of an offset with a remembered one decides
// whether an effect runs.
func skips(j *flow.Journey, c flow.Comparison) bool {
	x, y := c.X, c.Y
	if x.Origin()&flow.FromOffset == 0 {
		x, y = y, x
	}
	remembered := j.Any.Remembered(y) || j.First.Remembered(y) ||
		y.Origin()&flow.FromOffset != 0 || // in a variable of the poll loop
		y.Origin()&flow.FromRead != 0 // in a database
	if !remembered {
		return false
	}
	for _, o := range j.Any.Ops {
		if listener.IsEffect(o) && o.Controlled(c) {
			return true
		}
	}
	return false
}
