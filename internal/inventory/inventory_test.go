package inventory

import (
	"strings"
	"testing"

	"github.com/idemlint/idemlint/internal/report"
)

const table = "table processed_event"

// gated is a listener whose table's key is right, and that is proven if old rows go.
func gated(bound string) Listener {
	return Listener{
		ID: "example.com/app/orders.Run", Name: "orders.Run", Package: "example.com/app/orders", Bound: bound,
		Ways: []Way{{Ops: []Op{{Kind: Effect, Path: []Place{{Package: "example.com/app/store", File: "store.go", Line: 7}}}}}},
		Rules: []Rule{
			{ID: "R-KFK-IDEM-2", Name: "dedupschema", State: report.Proven, If: []report.Condition{{About: table, Else: "whether old rows go was not seen"}}},
			{ID: "R-KFK-IDEM-4", Name: "moneykey", State: report.None},
		},
	}
}

func program(name string, more View) View {
	more.Package, more.Program, more.Sees = "example.com/app/"+name, true, []string{"example.com/app/orders"}
	more.Listeners = []Listener{gated("example.com/app/" + name)}
	return more
}

func TestJoin(t *testing.T) {
	own := func() View { return View{Package: "example.com/app/orders", Listeners: []Listener{gated("")}} }
	endless := Told{Rule: "dedupschema", Message: "grows for ever", About: []string{table}}
	at := func(file string, line int) Place {
		return Place{Package: "example.com/app/store", File: file, Line: line}
	}
	for name, c := range map[string]struct {
		views  []View
		want   string // of each listener: where it is bound, and its verdicts
		others int
	}{
		"nobody saw what removes old rows": {[]View{own()}, "@ unknown none", 0},
		"the program removes them":         {[]View{own(), program("a", View{Sound: []string{table}})}, "@a proven none", 0},
		"nothing removes them":             {[]View{own(), program("a", View{Told: []Told{endless}})}, "@a violated none", 0},
		"each program by itself": {
			[]View{own(), program("a", View{Told: []Told{endless}}), program("b", View{Sound: []string{table}})},
			"@a violated none; @b proven none", 0,
		},
		"a finding on the way": {
			[]View{own(), {Package: "example.com/app/store", Told: []Told{{Rule: "moneykey", Message: "no key", At: at("store.go", 7)}}}},
			"@ unknown violated", 0,
		},
		"a finding beside it": {
			[]View{own(), {Package: "example.com/app/store", Told: []Told{{Rule: "moneykey", Message: "no key", At: at("store.go", 8)}}}},
			"@ unknown none", 1,
		},
		"one finding that two functions lead to, and its like": {
			[]View{own(), {Package: "example.com/app/store", Told: []Told{
				{Rule: "moneykey", Message: "no key", At: at("store.go", 8)},
				{Rule: "moneykey", Message: "no key", At: at("store.go", 8)},
				{Rule: "moneykey", Message: "no key", At: at("store.go", 9)},
			}}},
			"@ unknown none", 2,
		},
		"an exempted finding": {
			[]View{own(), {Package: "example.com/app/store", Told: []Told{{Rule: "moneykey", Message: "no key", Exempt: "a test account", At: at("store.go", 7)}}}},
			"@ unknown violated(a test account)", 0,
		},
		"one exempted, one not": {
			[]View{own(), {Package: "example.com/app/store", Told: []Told{
				{Rule: "moneykey", Message: "no key", Exempt: "a test account", At: at("store.go", 7)},
				{Rule: "moneykey", Message: "no key", At: at("store.go", 7)},
				{Rule: "moneykey", Message: "no key", Exempt: "another", At: at("store.go", 7)},
			}}},
			"@ unknown violated", 0,
		},
	} {
		t.Run(name, func(t *testing.T) {
			listeners, others := Join(c.views)
			var got []string
			for _, l := range listeners {
				line := "@" + strings.TrimPrefix(l.Bound, "example.com/app/")
				for _, r := range l.Rules {
					line += " " + string(r.State)
					if r.Exempt != "" {
						line += "(" + r.Exempt + ")"
					}
				}
				got = append(got, line)
			}
			if s := strings.Join(got, "; "); s != c.want || len(others) != c.others {
				t.Errorf("got %q and %d others, want %q and %d", s, len(others), c.want, c.others)
			}
		})
	}
}
