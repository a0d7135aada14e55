// Command idemlint reports Kafka consumers that can do their work twice.
//
// It is a standalone checker (idemlint ./...), and a tool for
// go vet -vettool and go fix -fixtool, which call it with their own protocol.
// idemlint sql DIR... checks the dedup tables in directories of SQL files, idemlint
// changed FILE... the packages that a change of the files concerns, idemlint explain
// RULE prints a rule's page, idemlint inventory lists the listeners.
package main

import (
	"fmt"
	"io"
	"os"

	"golang.org/x/tools/go/analysis/multichecker"

	"github.com/idemlint/idemlint/analyzers"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/program"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/settings"

	inventoryrule "github.com/idemlint/idemlint/analyzers/inventory"
)

func main() {
	settings.OnError = fatal
	program.OnPackage = noteProgress
	if len(os.Args) == 2 && os.Args[1] == "-V=full" {
		line, err := vetVersion()
		if err != nil {
			fatal(err)
		}
		fmt.Println(line)
		return
	}
	if len(os.Args) > 1 {
		if sub := subcommands[os.Args[1]]; sub != nil {
			os.Exit(sub(os.Args[2:], os.Stdout, os.Stderr))
		}
	}
	if cfg := unit(os.Args[1:]); cfg != nil {
		listener.FactsOnly = factsOnly(cfg, os.Args[1:])
		program.OnError = fatal
		if err := tooNew(cfg.GoVersion); err != nil {
			if cfg.VetxOnly {
				os.Exit(0) // who depends on it says so
			}
			fatal(err)
		}
		if cfg.VetxOnly && !listener.FactsOnly {
			args, err := asRoot(cfg, os.Args)
			if err != nil {
				fatal(err)
			}
			os.Args = args
		}
	} else if analyses(os.Args[1:]) {
		if err := tooNew(goCommand()); err != nil {
			fatal(err)
		}
		report.Once = true
		rest, format, known, err := presentation(os.Args[1:])
		if err != nil {
			usage(err)
		}
		if others, fixes := withoutFix(rest); fixes && os.Getenv(inner) == "" {
			applyFixes(others)
			rest = others // and report what is left
		}
		if _, _, fast := vettable(rest); fast || format != "" || known != "" {
			os.Exit(present(rest, format, known))
		}
		os.Args = append(os.Args[:1:1], rest...)
	}
	if os.Getenv(inventoryMode) != "" {
		rule.Inventory, listener.Programs = true, true
		multichecker.Main(inventoryrule.Analyzer, settings.Analyzer)
	}
	multichecker.Main(analyzers.Analyzers()...)
}

// subcommands are what the command does beside analysing packages.
var subcommands = map[string]func(args []string, out, errs io.Writer) int{
	"baseline":  baselineCommand,
	"changed":   checkChanged,
	"explain":   explain,
	"inventory": takeInventory,
	"sql":       checkSQL,
}

// fatal ends the command. go vet takes an analyzer's error for the end of its
// own output, and with the facts in its cache has nothing to say the next time;
// a tool that failed it runs again.
func fatal(err error) {
	fmt.Fprintf(os.Stderr, "idemlint: %v\n", err)
	os.Exit(1)
}
