// Package eventidv7 enforces the first half of R-KFK-IDEM-1: every event carries
// a UUID version 7.
package eventidv7

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/event"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/program"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/summary"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-1", Name: "eventidv7"}

// Analyzer reports event ids that a generator other than UUID v7 makes.
var Analyzer = &analysis.Analyzer{
	Name:             Rule.Name,
	Doc:              Doc,
	URL:              Rule.URL(),
	Requires:         []*analysis.Analyzer{listener.Analyzer},
	ResultType:       reflect.TypeFor[*report.Used](),
	RunDespiteErrors: true,
	Run:              run,
}

func run(pass *analysis.Pass) (result any, err error) {
	defer program.Guard(pass, &err)
	res := pass.ResultOf[listener.Analyzer].(*listener.Result)
	if err := res.Settings.Claim(); err != nil {
		return nil, err
	}
	rep := report.New(pass, Rule, res.Settings)
	if res.Own == nil {
		return rep.Used(), nil
	}
	types := event.NewTypes(pass)
	entered := make(map[*summary.Func]bool)
	for _, fn := range res.Universe.Reaching(res.Own, res.Universe.Generates) {
		if entered[fn] {
			continue // judged as a part of its callers
		}
		made := res.Universe.Alone(fn)
		for _, f := range made.Entered {
			entered[f] = true
		}
		for _, a := range first(types, res, made) {
			if in, pos := a.Place(); in != nil && in.Pkg == res.Own {
				rep.Report(report.Finding{Pos: pos, Message: message(a), Fixes: fix(pass, res, a)})
			}
		}
	}
	return rep.Used(), nil
}

// first returns, for each generated id, the first place where it becomes an event
// id: what is made of it later, the constructor's package has said already.
func first(types *event.Types, res *listener.Result, made *flow.Alone) []*flow.Assign {
	var out []*flow.Assign
	seen := make(map[*flow.Made]bool)
	// Beside an event with an id of its own, the ID of the outbox row around it is
	// the row's.
	named := slices.ContainsFunc(made.Assigns, func(a *flow.Assign) bool {
		return res.Settings.EventName(a.Field) && isEventID(types, res, made, a)
	})
	for _, a := range made.Assigns {
		if named && strings.EqualFold(a.Field, "id") {
			continue
		}
		if a.Made != nil && (a.Made.Row.Gen == catalog.UUIDv7 || seen[a.Made]) || !isEventID(types, res, made, a) {
			continue
		}
		if a.Made != nil {
			seen[a.Made] = true
		}
		out = append(out, a)
	}
	return out
}

func isEventID(types *event.Types, res *listener.Result, made *flow.Alone, a *flow.Assign) bool {
	if a.Event {
		return true
	}
	if table, ok := strings.CutPrefix(a.Owner, "table "); ok {
		return event.IDColumn(table, a.Field, res.Settings)
	}
	if strings.HasPrefix(a.Owner, "map[") {
		return res.Settings.EventName(a.Field)
	}
	t := types.Find(a.Owner)
	return t != nil && t.IDField(a.Field, res.Settings, made.Published[strings.TrimLeft(a.Owner, "*")])
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
func fix(pass *analysis.Pass, res *listener.Result, a *flow.Assign) []analysis.SuggestedFix {
	fn, pos := a.Source()
	if fn == nil || fn.Pkg != res.Own {
		return nil
	}
	call, pkg := callAt(pass, pos, a.Made.Row.Name)
	if call == nil {
		return nil
	}
	text := replacement(res.Settings.Catalog, a.Made.Row.Name, pkg)
	if text == "" || len(call.Args) > 0 {
		return nil
	}
	return []analysis.SuggestedFix{{
		Message:   "generate a UUID v7",
		TextEdits: []analysis.TextEdit{{Pos: call.Pos(), End: call.End(), NewText: []byte(text)}},
	}}
}
