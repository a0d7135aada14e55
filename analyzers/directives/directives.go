// Package directives reports //idemlint: directives that do not count: without a
// reason, or without a finding to suppress.
package directives

import (
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers/dedupschema"
	"github.com/idemlint/idemlint/analyzers/deduptx"
	"github.com/idemlint/idemlint/analyzers/eventidpayload"
	"github.com/idemlint/idemlint/analyzers/eventidv7"
	"github.com/idemlint/idemlint/analyzers/listenerdedup"
	"github.com/idemlint/idemlint/analyzers/moneykey"
	"github.com/idemlint/idemlint/analyzers/offsetkey"
	"github.com/idemlint/idemlint/analyzers/onconflict"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/settings"
)

// Doc is the analyzer's manual.
const Doc = `report suppressions without a reason or without an effect

A finding is suppressed by

	//idemlint:ignore R-KFK-IDEM-X1 the ledger service deduplicates by transfer id

on the line above it, or above the function for all of it. Without a reason the
directive does not count and is itself reported; one that suppresses nothing is
reported too, so that none outlives its cause, unless a rule that it names is off or
the package does not compile.`

// Name is the analyzer's name.
const Name = "idemdirectives"

// Rule is a rule with its analyzer.
type Rule struct {
	report.Rule
	Analyzer *analysis.Analyzer
}

// Rules are the rules that a directive can name, in the style guide's order.
var Rules = []Rule{
	{eventidv7.Rule, eventidv7.Analyzer},
	{eventidpayload.Rule, eventidpayload.Analyzer},
	{onconflict.Rule, onconflict.Analyzer},
	{dedupschema.Rule, dedupschema.Analyzer},
	{deduptx.Rule, deduptx.Analyzer},
	{moneykey.Rule, moneykey.Analyzer},
	{listenerdedup.Rule, listenerdedup.Analyzer},
	{offsetkey.Rule, offsetkey.Analyzer},
}

// Analyzer reports the directives.
var Analyzer = &analysis.Analyzer{
	Name:             Name,
	Doc:              Doc,
	URL:              report.Base + "suppression.md",
	Requires:         Requires(),
	RunDespiteErrors: true,
	Run:              run,
}

// Requires returns what an analyzer needs that reads what all rules found.
func Requires() []*analysis.Analyzer {
	out := []*analysis.Analyzer{settings.Analyzer, listener.Analyzer}
	for _, r := range Rules {
		out = append(out, r.Analyzer)
	}
	return out
}

// allOn reports whether every rule that a directive names is on: one that is
// switched off may be what the directive waits for.
func allOn(cfg *settings.Loaded, names []string) bool {
	return !slices.ContainsFunc(Rules, func(r Rule) bool {
		named := slices.ContainsFunc(names, func(n string) bool { return strings.EqualFold(n, r.ID) || n == r.Name })
		return named && !cfg.Enabled(r.Name)
	})
}

func run(pass *analysis.Pass) (any, error) {
	// All rules are done with the package.
	defer pass.ResultOf[listener.Analyzer].(*listener.Result).Release()
	cfg := pass.ResultOf[settings.Analyzer].(*settings.Loaded)
	type key struct {
		file string
		line int
	}
	used := make(map[key]bool)
	at := func(ig *report.Ignore) key {
		p := pass.Fset.Position(ig.Pos)
		return key{p.Filename, p.Line}
	}
	for _, r := range Rules {
		for _, ig := range pass.ResultOf[r.Analyzer].(*report.Used).Ignores {
			if ig.Used {
				used[at(ig)] = true
			}
		}
	}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(f.Package).Filename, "_test.go") || report.Generated(f) {
			continue
		}
		for _, ig := range report.Ignores(pass.Fset, f) {
			switch unknown := unknownRule(ig.Rules); {
			case len(ig.Rules) == 0:
				diagnose(pass, ig, "this directive names no rule: write //idemlint:ignore R-KFK-IDEM-X1 and the reason")
			case unknown != "":
				diagnose(pass, ig, "this directive names "+unknown+", which is no rule: it may be "+strings.Join(known(), ", "))
			case ig.Reason == "":
				diagnose(pass, ig, "this directive has no reason, so it does not count: write after the rule why the finding is accepted here")
			case !used[at(ig)] && len(pass.TypeErrors) == 0 && allOn(cfg, ig.Rules):
				diagnose(pass, ig, "this directive suppresses nothing: remove it")
			}
		}
	}
	return nil, nil
}

func diagnose(pass *analysis.Pass, ig *report.Ignore, msg string) {
	pass.Report(analysis.Diagnostic{Pos: ig.Pos, Category: "directive", URL: report.Base + "suppression.md", Message: msg})
}

func known() []string {
	var out []string
	for _, r := range Rules {
		if !slices.Contains(out, r.ID) {
			out = append(out, r.ID)
		}
	}
	return out
}

func unknownRule(names []string) string {
	for _, n := range names {
		ok := false
		for _, r := range Rules {
			ok = ok || strings.EqualFold(n, r.ID) || n == r.Name
		}
		if !ok {
			return n
		}
	}
	return ""
}
