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
	return rest, format, known, setLoad(load)
}

// setLoad carries out -load, whose default is vet.
func setLoad(load string) error {
	switch load {
	case "", "vet":
		return nil
	case "source":
		return os.Setenv(fromSource, "1")
	}
	return fmt.Errorf("-load %s: it may be source, vet", load)
}

// configuration returns what is wrong with the configuration here: to say it once, not for
// each package.
func configuration() error {
	wd, err := os.Getwd()
	if err != nil {
		return nil // the analysis says so
	}
	return settings.For(wd).Err
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
	if err := configuration(); err != nil {
		fatal(err)
	}
	counts := make(map[string]int)
	if known != "" {
		var err error
		if counts, err = readBaseline(known); err != nil {
			fatal(err)
		}
	}
	all, failed, err := collect("", args, os.Stderr)
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
