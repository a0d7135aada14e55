// Command empty is a vet tool whose only analyzer does nothing. Like any analyzer
// that looks across packages it has a fact, so that go vet runs it on the
// dependencies too.
package main

import (
	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/unitchecker"
)

type fact struct{}

func (*fact) AFact() {}

func main() {
	unitchecker.Main(&analysis.Analyzer{
		Name:      "empty",
		Doc:       "do nothing",
		FactTypes: []analysis.Fact{new(fact)},
		Run:       func(*analysis.Pass) (any, error) { return nil, nil },
	})
}
