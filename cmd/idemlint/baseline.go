package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
)

// fingerprint names a finding by what does not change when lines move: its rule, its
// package, the declaration that it stands in and what it says.
func (f *found) fingerprint() string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\n%s\n%s\n%s", f.Rule, f.Package, f.Function, lines.ReplaceAllString(f.text(), ""))
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// lines matches positions in a message: "migrations/1.sql:12".
var lines = regexp.MustCompile(`:\d+(:\d+)?\b`)

// baseline is the file of known findings.
type baseline struct {
	Version  int     `json:"version"`
	Findings []known `json:"findings"`
}

// known is a finding that is known: how often, and for readers what and where.
type known struct {
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
	Rule        string `json:"rule"`
	Package     string `json:"package"`
	Function    string `json:"function,omitempty"`
	Message     string `json:"message"`
}

// readBaseline returns how often each known finding may occur.
func readBaseline(path string) (map[string]int, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var b baseline
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&b); err != nil {
		return nil, fmt.Errorf("%s is no baseline: %w", path, err)
	}
	if b.Version != 1 {
		return nil, fmt.Errorf("%s: version %d: this idemlint reads version 1", path, b.Version)
	}
	counts := make(map[string]int)
	for _, k := range b.Findings {
		counts[k.Fingerprint] += k.Count
	}
	return counts, nil
}

// unknown returns the findings that the baseline does not know.
func unknown(all []*found, counts map[string]int) []*found {
	var out []*found
	for _, f := range all {
		if fp := f.fingerprint(); counts[fp] > 0 {
			counts[fp]--
		} else {
			out = append(out, f)
		}
	}
	return out
}

const defaultBaseline = ".idemlint-baseline.json"

const baselineUsage = `usage: idemlint baseline write [-o FILE] [package...]

Writes the findings of the packages, ./... by default, into a file (` + defaultBaseline + `).
idemlint -baseline FILE ./... then reports only what is not in it. A finding is known
by its rule, package, function and text, so it survives moved lines.
`

// baselineCommand is the command's subcommand baseline. It returns the exit code.
func baselineCommand(args []string, out, errs io.Writer) int {
	flags := flag.NewFlagSet("baseline write", flag.ContinueOnError)
	flags.SetOutput(errs)
	flags.Usage = func() { fmt.Fprint(errs, baselineUsage) }
	path := flags.String("o", defaultBaseline, "the file")
	if len(args) == 0 || args[0] != "write" {
		flags.Usage()
		return 2
	}
	switch err := flags.Parse(args[1:]); {
	case errors.Is(err, flag.ErrHelp):
		return 0
	case err != nil:
		return 2
	}
	patterns := flags.Args()
	if len(patterns) == 0 {
		patterns = []string{"./..."}
	}
	all, failed, err := collect("", patterns, errs)
	if err != nil {
		fmt.Fprintf(errs, "idemlint baseline: %v\n", err)
		return 1
	}
	b := baseline{Version: 1, Findings: []known{}}
	at := make(map[string]int)
	for _, f := range all {
		fp := f.fingerprint()
		if i, ok := at[fp]; ok {
			b.Findings[i].Count++
			continue
		}
		at[fp] = len(b.Findings)
		b.Findings = append(b.Findings, known{fp, 1, f.Rule, f.Package, f.Function, f.text()})
	}
	data, err := json.MarshalIndent(b, "", "  ")
	if err == nil {
		err = os.WriteFile(*path, append(data, '\n'), 0o644)
	}
	if err != nil {
		fmt.Fprintf(errs, "idemlint baseline: %v\n", err)
		return 1
	}
	fmt.Fprintf(out, "%d findings in %s\n", len(all), *path)
	if failed {
		return 1
	}
	return 0
}
