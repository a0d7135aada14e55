package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/docs/rules"
)

const explainUsage = `usage: idemlint explain RULE...

Prints the pages of rules, named by id (R-KFK-IDEM-3) or by name (deduptx).
`

// explain is the command's subcommand explain. It returns the exit code.
func explain(args []string, out, errs io.Writer) int {
	if len(args) == 0 || strings.HasPrefix(args[0], "-") {
		fmt.Fprint(errs, explainUsage)
		if len(args) > 0 && strings.TrimLeft(args[0], "-") == "help" {
			return 0
		}
		return 2
	}
	for _, arg := range args {
		found := false
		for _, r := range directives.Rules {
			if r.Name != arg && !strings.EqualFold(r.ID, arg) {
				continue
			}
			page, err := rules.Pages.ReadFile(r.Name + ".md")
			if err != nil {
				fmt.Fprintf(errs, "idemlint explain: %v\n", err)
				return 1
			}
			if found {
				fmt.Fprintln(out)
			}
			found = true
			fmt.Fprint(out, string(page))
		}
		if !found {
			fmt.Fprintf(errs, "idemlint explain: there is no rule %s; the rules are\n", arg)
			for _, r := range directives.Rules {
				fmt.Fprintf(errs, "\t%s %s\n", r.ID, r.Name)
			}
			return 2
		}
	}
	return 0
}
