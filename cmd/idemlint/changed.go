package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/settings"
)

const changedUsage = `usage: idemlint changed [-fix] FILE...

Analyses the packages of the files and the packages of the same module that depend
on them: the way of a pre-commit hook. A changed .sql file, go.mod or .idemlint.yml
concerns the whole module. With -fix the fixes are applied first, and what is left is
reported.

Exit code: 0 nothing found, 1 findings or something that cannot be analysed, 2 wrong
usage.
`

// checkChanged is the command's subcommand changed. It returns the exit code.
func checkChanged(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("changed", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, changedUsage) }
	fix := flags.Bool("fix", false, "apply the fixes first")
	switch err := flags.Parse(args); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	case flags.NArg() == 0:
		flags.Usage()
		return 2
	}
	modules, err := byModule(flags.Args())
	if err != nil {
		fmt.Fprintf(errs, "idemlint changed: %v\n", err)
		return 1
	}
	code := 0
	for _, root := range slices.Sorted(maps.Keys(modules)) {
		sound, err := checkModule(root, modules[root], *fix, out, errs)
		if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
			fmt.Fprintf(errs, "idemlint changed: %v\n", err)
		}
		if err != nil || !sound {
			code = 1
		}
	}
	return code
}

// checkModule prints the findings that a change of the files of a module concerns, and
// reports whether there are none. An *exec.ExitError has been explained already.
func checkModule(root string, files []string, fix bool, out, errs io.Writer) (sound bool, err error) {
	patterns, err := affected(root, files)
	if err != nil || len(patterns) == 0 {
		return true, err
	}
	if err := settings.For(root).Err; err != nil {
		return false, err
	}
	if fix {
		if err := fixPackages(root, patterns, out, errs); err != nil {
			return false, err
		}
	}
	all, failed, err := collect(root, patterns, errs)
	if err != nil {
		return false, err
	}
	return len(all) == 0 && !failed, printText(out, all)
}

// byModule groups files by the directory of their go.mod; a file in no module
// concerns nobody.
func byModule(files []string) (map[string][]string, error) {
	out := make(map[string][]string)
	for _, f := range files {
		abs, err := filepath.Abs(f)
		if err != nil {
			return nil, err
		}
		for dir := filepath.Dir(abs); ; {
			if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
				out[dir] = append(out[dir], abs)
				break
			}
			up := filepath.Dir(dir)
			if up == dir {
				break
			}
			dir = up
		}
	}
	return out, nil
}

// affected returns the import paths of the packages that a change of the files can
// concern: theirs, and those that import them, directly or not.
func affected(root string, files []string) ([]string, error) {
	dirs := make(map[string]bool)
	for _, f := range files {
		base := filepath.Base(f)
		if strings.HasSuffix(base, ".go") {
			dirs[filepath.Dir(f)] = true
		} else if strings.HasSuffix(base, ".sql") || base == "go.mod" || base == settings.FileName {
			return []string{"./..."}, nil
		}
	}
	if len(dirs) == 0 {
		return nil, nil
	}
	data, err := goList(root, "-json=ImportPath,Dir,Imports,TestImports,XTestImports", "./...")
	if err != nil {
		return nil, err
	}
	type pkg struct {
		ImportPath, Dir                    string
		Imports, TestImports, XTestImports []string
	}
	importers := make(map[string][]string)
	var todo []string
	for dec := json.NewDecoder(strings.NewReader(string(data))); ; {
		var p pkg
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		for _, imp := range slices.Concat(p.Imports, p.TestImports, p.XTestImports) {
			importers[imp] = append(importers[imp], p.ImportPath)
		}
		if dirs[p.Dir] {
			todo = append(todo, p.ImportPath)
		}
	}
	seen := make(map[string]bool)
	for len(todo) > 0 {
		path := todo[0]
		todo = todo[1:]
		if !seen[path] {
			seen[path] = true
			todo = append(todo, importers[path]...)
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// fixPackages writes the fixes of the packages, as go vet -fix does.
func fixPackages(root string, patterns []string, out, errs io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	cmd := exec.Command("go", append([]string{"vet", "-vettool=" + self, "-fix"}, patterns...)...)
	cmd.Dir, cmd.Stdout, cmd.Stderr = root, out, errs
	return cmd.Run()
}
