// Command idemlint reports Kafka consumers that can do their work twice.
//
// It is a standalone checker (idemlint ./...), and a tool for
// go vet -vettool and go fix -fixtool, which call it with their own protocol.
package main

import (
	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/idemlint/idemlint/analyzers"
)

func main() {
	multichecker.Main(analyzers.Analyzers()...)
}
