package main

import (
	"errors"
	"fmt"
	"go/version"
	"maps"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/settings"
)

// What the standalone command does besides multichecker.

// analyses reports whether the arguments ask for an analysis, not for help or for
// what a driver wants to know.
func analyses(args []string) bool {
	for _, a := range args {
		switch strings.TrimLeft(strings.SplitN(a, "=", 2)[0], "-") {
		case "V", "flags", "help", "h":
			return false
		}
	}
	return len(args) > 0
}

// tooNew returns an error when the code is of a newer Go than this program was built
// with, whose type checker does not know its language and library.
func tooNew(target string) error {
	built := runtime.Version()
	if version.IsValid(target) && version.IsValid(built) && version.Compare(version.Lang(target), version.Lang(built)) > 0 {
		return fmt.Errorf("the code is of %s, this idemlint was built with %s: install idemlint again with %s or newer", version.Lang(target), built, version.Lang(target))
	}
	return nil
}

// goCommand returns the version of the go command here, "" when it does not say.
func goCommand() string {
	out, err := exec.Command("go", "env", "GOVERSION").Output()
	if err != nil {
		return ""
	}
	v, _, _ := strings.Cut(strings.TrimSpace(string(out)), " ") // go1.27 X:experiment
	return v
}

// presentation takes -format, -baseline and -load out of the arguments. With
// -load=source what is left is not for go vet.
func presentation(args []string) (rest []string, format, known string, err error) {
	load := ""
	for i := 0; i < len(args); i++ {
		name, value, inline := strings.Cut("-"+strings.TrimLeft(args[i], "-"), "=")
		var to *string
		switch {
		case !strings.HasPrefix(args[i], "-"):
		case name == "-format":
			to = &format
		case name == "-baseline":
			to = &known
		case name == "-load":
			to = &load
		}
		if to == nil {
			rest = append(rest, args[i])
			continue
		}
		if !inline {
			if i++; i >= len(args) {
				return nil, "", "", fmt.Errorf("flag %s needs a value", name)
			}
			value = args[i]
		}
		*to = value
	}
	if format != "" && formats[format] == nil {
		return nil, "", "", fmt.Errorf("-format %s: it may be %s", format, strings.Join(slices.Sorted(maps.Keys(formats)), ", "))
	}
	switch load {
	case "", "vet":
	case "source":
		if err := os.Setenv(fromSource, "1"); err != nil {
			return nil, "", "", err
		}
	default:
		return nil, "", "", fmt.Errorf("-load %s: it may be source, vet", load)
	}
	return rest, format, known, nil
}

// usage ends the command over a wrong flag.
func usage(err error) {
	fmt.Fprintf(os.Stderr, "idemlint: %v\n", err)
	os.Exit(2)
}

// present prints the findings in a format, those of a baseline left out, and returns
// the exit code.
func present(args []string, format, known string) int {
	if format == "" {
		format = "text"
	}
	if wd, err := os.Getwd(); err == nil {
		if err := settings.For(wd).Err; err != nil {
			fatal(err) // once, not for each package
		}
	}
	counts := make(map[string]int)
	if known != "" {
		var err error
		if counts, err = readBaseline(known); err != nil {
			fatal(err)
		}
	}
	all, failed, err := collect(args, os.Stderr)
	if err != nil {
		fatal(err)
	}
	all = unknown(all, counts)
	if err := formats[format](os.Stdout, all); err != nil {
		fatal(err)
	}
	switch {
	case failed:
		return 1
	case len(all) > 0:
		return 3
	}
	return 0
}

// withoutFix returns the arguments without -fix, and whether fixes are to be written:
// with -diff they are only shown.
func withoutFix(args []string) (rest []string, fixes bool) {
	for _, a := range args {
		switch "-" + strings.TrimLeft(a, "-") {
		case "-fix", "-fix=true":
			fixes = true
			continue
		case "-diff", "-diff=true":
			return args, false
		}
		rest = append(rest, a)
	}
	return rest, fixes
}

// In the environment: inner marks the process that writes the fixes for applyFixes,
// fromSource keeps go vet out, for this process and those that it starts.
const (
	inner      = "IDEMLINT_FIXES_ONLY"
	fromSource = "IDEMLINT_LOAD_SOURCE"
)

// applyFixes writes the fixes, in a process of its own: multichecker ends after them,
// with success whatever it found.
func applyFixes(rest []string) {
	self, err := os.Executable()
	if err != nil {
		fatal(err)
	}
	cmd := exec.Command(self, append([]string{"-fix"}, rest...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, os.Stdout, os.Stderr
	cmd.Env = append(os.Environ(), inner+"=1")
	err = cmd.Run()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		os.Exit(exit.ExitCode())
	} else if err != nil {
		fatal(err)
	}
}
