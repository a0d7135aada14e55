package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/idemlint/idemlint/internal/inventory"

	inventoryrule "github.com/idemlint/idemlint/analyzers/inventory"
)

const inventoryUsage = `usage: idemlint inventory [-format table|json|html] [-o FILE] [-idemlint.config FILE] PACKAGE...

Lists every Kafka listener of the packages: its client, topic and consumer group where
they can be seen, its handler, its dedup gate and the transaction that it stands in, the
effects behind it, the money calls with the origin of their keys, and for each rule
whether it is proven, violated, unknown (and why), or none: its subject does not arise.
What was not seen is unknown. The HTML page is one file that needs nothing else.

Exit code: 0 the list is complete, 1 something could not be analysed, 2 wrong usage.
`

// inventoryMode in the environment makes this program, and go vet's calls of it, say
// what there is instead of what is wrong.
const inventoryMode = "IDEMLINT_INVENTORY"

var inventoryFormats = map[string]func(*inventory.Program, io.Writer) error{
	"table": (*inventory.Program).Table,
	"json":  (*inventory.Program).JSON,
	"html":  (*inventory.Program).HTML,
}

// takeInventory is the command's subcommand inventory. It returns the exit code.
func takeInventory(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("inventory", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, inventoryUsage) }
	format := flags.String("format", "table", "")
	file := flags.String("o", "", "")
	config := flags.String("idemlint.config", "", "")
	load := flags.String("load", "vet", "")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	write := inventoryFormats[*format]
	switch {
	case write == nil:
		fmt.Fprintf(errs, "idemlint inventory: -format %s: it may be html, json, table\n", *format)
		return 2
	case flags.NArg() == 0:
		flags.Usage()
		return 2
	}
	if err := setLoad(*load); err != nil {
		fmt.Fprintf(errs, "idemlint inventory: %v\n", err)
		return 2
	}
	if err := os.Setenv(inventoryMode, "1"); err != nil {
		fatal(err)
	}
	var pass []string
	if *config != "" {
		pass = append(pass, "-idemlint.config="+*config)
	}
	p, err := inventoryOf(append(pass, flags.Args()...), errs)
	if err != nil {
		fmt.Fprintf(errs, "idemlint inventory: %v\n", err)
		return 1
	}
	var page bytes.Buffer
	if err := write(p, &page); err != nil {
		fatal(err)
	}
	if *file == "" {
		_, err = out.Write(page.Bytes())
	} else {
		err = os.WriteFile(*file, page.Bytes(), 0o644)
	}
	if err != nil {
		fmt.Fprintf(errs, "idemlint inventory: %v\n", err)
		return 1
	}
	if p.Problems != "" {
		return 1
	}
	return 0
}

// inventoryOf analyses the packages and joins what each says.
func inventoryOf(args []string, errs io.Writer) (*inventory.Program, error) {
	if err := configuration(); err != nil {
		return nil, err
	}
	var problems strings.Builder
	both := io.MultiWriter(errs, &problems)
	list, failed, err := analyse("", args, both)
	if err != nil {
		return nil, err
	}
	var views []inventory.View
	dirs := make(map[string]string)
	for _, tree := range list {
		for pkg, said := range tree {
			raw, ok := said[inventoryrule.Analyzer.Name]
			if !ok {
				continue
			}
			var diagnostics []struct {
				Message string `json:"message"`
			}
			if json.Unmarshal(raw, &diagnostics) != nil {
				var all []*found
				add(&all, &failed, pkg, said, both)
				continue
			}
			for _, d := range diagnostics {
				var v inventory.View
				if err := json.Unmarshal([]byte(d.Message), &v); err != nil {
					return nil, fmt.Errorf("the inventory of %s cannot be read: %w", pkg, err)
				}
				views = append(views, v)
				dirs[v.Package] = v.Dir
			}
		}
	}
	slices.SortFunc(views, func(a, b inventory.View) int { return strings.Compare(a.Package, b.Package) })
	p := &inventory.Program{Tool: self(), Taken: time.Now().UTC().Format(time.RFC3339), Module: module(), Problems: problems.String()}
	p.Listeners, p.Others = inventory.Join(views)
	if failed && p.Problems == "" {
		p.Problems = "some packages could not be analysed"
	}
	p.Locate(dirs, relative)
	return p, nil
}

// self names this program and its version.
func self() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return "idemlint " + info.Main.Version
	}
	return "idemlint"
}

// module returns the path of the module that is analysed, "" when there is none.
func module() string {
	out, err := exec.Command("go", "list", "-m").Output()
	if err != nil {
		return ""
	}
	return strings.Join(strings.Fields(string(out)), ", ")
}
