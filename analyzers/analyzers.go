// Package analyzers is the suite: the rules, in the order of the style guide.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/internal/settings"
)

// Analyzers returns the rules, the check of their suppressions, and the
// configuration.
func Analyzers() []*analysis.Analyzer {
	var out []*analysis.Analyzer
	for _, r := range directives.Rules {
		out = append(out, r.Analyzer)
	}
	return append(out, directives.Analyzer, settings.Analyzer) // the last for its flags
}
