// Command idemlint reports Kafka consumers that can do their work twice.
//
// It is a standalone checker (idemlint ./...), and a tool for
// go vet -vettool and go fix -fixtool, which call it with their own protocol.
package main

import (
	"encoding/json"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis/multichecker"
	"golang.org/x/tools/go/analysis/unitchecker"

	"github.com/idemlint/idemlint/analyzers"
	"github.com/idemlint/idemlint/internal/listener"
)

func main() {
	listener.FactsOnly = factsOnly(os.Args[1:])
	multichecker.Main(analyzers.Analyzers()...)
}

// factsOnly reports whether go vet calls for a dependency's facts. unitchecker
// then runs the rules too, for they depend on facts, and drops what they say.
func factsOnly(args []string) bool {
	if len(args) == 0 || !strings.HasSuffix(args[len(args)-1], ".cfg") {
		return false
	}
	data, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		return false // the driver says what is wrong
	}
	var cfg unitchecker.Config
	return json.Unmarshal(data, &cfg) == nil && cfg.VetxOnly
}
