// Package eventidv7 enforces the first half of R-KFK-IDEM-1: every event carries
// a UUID version 7.
package eventidv7

import (
	"fmt"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/event"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/settings"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-1", Name: "eventidv7"}

// Analyzer reports event ids that a generator other than UUID v7 makes.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	if err := defaults(p); err != nil || p.Own == nil {
		return err
	}
	types := event.NewTypes(p.Pass)
	for made := range p.Universe.Outermost(p.Own, flow.Generates) {
		for _, a := range first(types, p.Settings, made) {
			if in, pos := a.Place(); in != nil && in.Pkg == p.Own {
				p.Report(report.Finding{Pos: pos, Message: message(a), Fixes: fix(p, a)})
			}
		}
	}
	return nil
}

// first returns, for each generated id, the first place where it becomes an event
// id: what is made of it later, the constructor's package has said already.
func first(types *event.Types, s *settings.Loaded, made *flow.Alone) []*flow.Assign {
	var out []*flow.Assign
	seen := make(map[string]bool) // by the generator's call
	// Beside an event with an id of its own, the ID of the outbox row around it is
	// the row's.
	named := slices.ContainsFunc(made.Assigns, func(a *flow.Assign) bool {
		return s.EventName(a.Field) && isEventID(types, s, made, a)
	})
	for _, a := range made.Assigns {
		if named && strings.EqualFold(a.Field, "id") {
			continue
		}
		if a.Made != nil && (a.Made.Row.Gen == catalog.UUIDv7 || seen[a.Made.ID()]) || !isEventID(types, s, made, a) {
			continue
		}
		if a.Made != nil {
			seen[a.Made.ID()] = true
		}
		out = append(out, a)
	}
	return out
}

func isEventID(types *event.Types, s *settings.Loaded, made *flow.Alone, a *flow.Assign) bool {
	if a.Event {
		return true
	}
	if table, ok := strings.CutPrefix(a.Owner, "table "); ok {
		return event.IDColumn(table, a.Field, s)
	}
	if strings.HasPrefix(a.Owner, "map[") {
		return event.MapID(a.Field, a.Keys, s, made.Published[a.Map])
	}
	t := types.Find(a.Owner)
	return t != nil && t.IDField(a.Field, s, made.Published[strings.TrimLeft(a.Owner, "*")])
}

func message(a *flow.Assign) string {
	const why = "random keys land all over the B-tree of every processed_event table"
	where := listener.ShortName(strings.TrimPrefix(a.Owner, "table ")) + "." + a.Field
	if strings.HasPrefix(a.Owner, "map[") {
		where = a.Field
	}
	if a.Made == nil {
		return fmt.Sprintf("the event id %s is drawn by the database, which makes no version 7: %s; generate a UUID v7 in the code that creates the event, and bind it", where, why)
	}
	kind := "is no UUID"
	if a.Made.Row.Gen == catalog.UUID {
		kind = "is not version 7"
	}
	return fmt.Sprintf("the event id %s comes from %s, which %s: %s, and the ids do not sort by time; generate a UUID v7%s", where, listener.ShortName(a.Made.Row.Name), kind, why, remedy(a.Made.Row.Name))
}

// fix replaces the generator by the same library's version 7, where the package
// itself calls it: at the event, or in a helper.
func fix(p *rule.Pass, a *flow.Assign) []analysis.SuggestedFix {
	fn, pos := a.Source()
	if fn == nil || fn.Pkg != p.Own {
		return nil
	}
	call, pkg := callAt(p.Pass, pos, a.Made.Row.Name)
	if call == nil {
		return nil
	}
	text := replacement(p.Settings.Catalog, a.Made.Row.Name, pkg)
	if text == "" || len(call.Args) > 0 {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "generate a UUID v7",
		TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End(), NewText: []byte(text)}},
	}}
}
