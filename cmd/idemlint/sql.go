package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/idemlint/idemlint/analyzers/dedupschema"
	"github.com/idemlint/idemlint/internal/schema"
	"github.com/idemlint/idemlint/internal/settings"
)

const sqlUsage = `usage: idemlint sql DIR|FILE...

Checks the keys of the dedup tables that SQL files make: R-KFK-IDEM-2, dedupschema.
Each argument is a schema of its own: its .sql files are read in the order of
their names, without undo scripts and down sections. Whether old rows are removed
is for the Go program to show; see idemlint help dedupschema.

Exit code: 0 nothing found, 1 something cannot be read, 2 wrong usage, 3 findings.
`

// checkSQL is the command's subcommand sql. It returns the exit code.
func checkSQL(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("sql", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, sqlUsage) }
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() == 0:
		flags.Usage()
		return 2
	}
	code := 0
	for _, path := range flags.Args() {
		found, err := checkSchema(path, out)
		switch {
		case err != nil:
			fmt.Fprintf(errs, "idemlint sql: %v\n", err)
			code = 1
		case found && code == 0:
			code = 3
		}
	}
	return code
}

func checkSchema(path string, out io.Writer) (found bool, err error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false, err
	}
	dir := abs
	if info, err := os.Stat(abs); err != nil {
		return false, err
	} else if !info.IsDir() {
		dir = filepath.Dir(abs)
	}
	conf := settings.For(dir)
	if conf.Err != nil {
		return false, conf.Err
	}
	sources, err := schema.ReadFiles(".", path)
	if err != nil {
		return false, err
	}
	if len(sources) == 0 {
		return false, fmt.Errorf("%s: there is no .sql file in it", path)
	}
	s := schema.Read(sources)
	for _, name := range slices.Sorted(maps.Keys(s.Tables)) {
		t := s.Tables[name]
		if !t.Dedup(conf) {
			continue
		}
		for _, f := range t.Judge(conf) {
			found = true
			fmt.Fprintf(out, "%s:%d:%d: %s: %s (see %s)\n", f.Place.Source.Name, f.Place.Line(), f.Place.Column(), dedupschema.Rule.ID, f.Message, dedupschema.Rule.URL())
		}
	}
	return found, nil
}
