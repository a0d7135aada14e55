package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/analyzers"
	"github.com/idemlint/idemlint/internal/inputs"
)

// The fast way: go vet calls this program package by package, on export data, and
// keeps the results in its cache; multichecker loads every dependency from source.

// vettable takes the arguments apart into flags that go vet hands on and patterns. It
// reports false when one of the flags is multichecker's own, and after -load=source.
func vettable(args []string) (flags, patterns []string, ok bool) {
	if os.Getenv(fromSource) != "" {
		return nil, nil, false
	}
	known := map[string]bool{"idemlint.strict": true, "idemlint.accept-overwrites": true}
	for _, a := range analyzers.Analyzers() {
		known[a.Name] = true
	}
	for i := 0; i < len(args); i++ {
		if !strings.HasPrefix(args[i], "-") {
			patterns = append(patterns, args[i])
			continue
		}
		name, value, inline := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		switch {
		case name == "idemlint.config":
			if !inline {
				if i++; i >= len(args) {
					return nil, nil, false
				}
				value = args[i]
			}
			abs, err := filepath.Abs(value) // go vet changes the directory
			if err != nil {
				return nil, nil, false
			}
			flags = append(flags, "-idemlint.config="+abs)
		case known[name]:
			flags = append(flags, args[i])
		default:
			return nil, nil, false
		}
	}
	return flags, patterns, len(patterns) > 0
}

// A tree is what the analyzers say of packages, as -json prints it: by the package and the
// analyzer.
type tree = map[string]map[string]json.RawMessage

// vetTrees returns what go vet says of the packages, in a directory. ok says that it could
// do its work: it refuses all packages when one dependency of one cannot be found.
func vetTrees(dir string, flags, patterns []string, errs io.Writer) (list []tree, failed, ok bool, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, false, false, err
	}
	cmd := exec.Command("go", slices.Concat([]string{"vet", "-vettool=" + self, "-json"}, flags, patterns)...)
	cmd.Dir = dir
	var problems strings.Builder
	cmd.Stderr = &problems
	out, err := cmd.Output()
	exit := (*exec.ExitError)(nil)
	switch {
	case err == nil:
	case errors.As(err, &exit) && len(out) > 0:
		failed = true
		fmt.Fprint(errs, problems.String())
	default:
		return nil, false, false, nil
	}
	if list, err = trees(out); err != nil {
		return nil, false, false, err
	}
	if len(list) == 0 {
		return nil, failed, true, nil
	}
	asked, err := units(dir, patterns)
	if err != nil {
		return nil, false, false, err
	}
	for _, t := range list {
		for id, said := range t {
			if !asked[id] {
				t[id] = troubles(said)
			}
		}
	}
	return list, failed, true, nil
}

// troubles are the analyzers that could not do their work: what they say of a dependency
// concerns the packages that were asked for, and is kept.
func troubles(said map[string]json.RawMessage) map[string]json.RawMessage {
	out := make(map[string]json.RawMessage)
	for name, raw := range said {
		if len(raw) > 0 && raw[0] == '{' {
			out[name] = raw
		}
	}
	return out
}

// units returns the names under which go vet reports on what the patterns match: a package,
// with its tests where it has some, and the tests that are a package of their own.
func units(dir string, patterns []string) (map[string]bool, error) {
	cmd := exec.Command("go", append([]string{"list", "-e", "--"}, patterns...)...)
	cmd.Dir = dir
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problem.String())
	}
	asked := make(map[string]bool)
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		asked[path], asked[path+"_test"] = true, true
	}
	return asked, nil
}

// trees reads the JSON objects that stand one after the other in data.
func trees(data []byte) ([]tree, error) {
	var out []tree
	for dec := json.NewDecoder(strings.NewReader(string(data))); ; {
		var t tree
		switch err := dec.Decode(&t); {
		case errors.Is(err, io.EOF):
			return out, nil
		case err != nil:
			return nil, fmt.Errorf("the findings cannot be read: %w", err)
		}
		out = append(out, t)
	}
}

// vetVersion is the answer to go vet's -V=full, which makes a part of its cache's keys:
// the program, the configuration, and the SQL files, none of which it would see.
func vetVersion() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return "", err
	}
	wd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	h := sha256.New()
	h.Write(data)
	fmt.Fprintf(h, " %s %s", os.Getenv(inventoryMode), inputs.Fingerprint(wd))
	return "idemlint version devel comments-go-here buildID=" + hex.EncodeToString(h.Sum(nil)), nil
}
