// Package analyzers is the suite: the rules, in the order of the style guide.
package analyzers

import (
	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers/deduptx"
	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/analyzers/listenerdedup"
	"github.com/idemlint/idemlint/analyzers/offsetkey"
	"github.com/idemlint/idemlint/analyzers/onconflict"
)

// Analyzers returns the rules and the check of their suppressions.
func Analyzers() []*analysis.Analyzer {
	return []*analysis.Analyzer{
		onconflict.Analyzer,
		deduptx.Analyzer,
		listenerdedup.Analyzer,
		offsetkey.Analyzer,
		directives.Analyzer,
	}
}
