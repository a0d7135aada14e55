package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
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
	asked, foreign, err := units(dir, patterns)
	if err != nil {
		return nil, false, false, nil
	}
	var env []string
	if foreign {
		// A module that is not the user's prints nothing as a dependency, and go vet's cache
		// may have that, see factsOnly: the packages that are asked for get a cache of their own.
		all := sha256.Sum256([]byte(strings.Join(slices.Sorted(maps.Keys(asked)), " ")))
		env = append(env, askedFor+"="+hex.EncodeToString(all[:]))
	}
	out, problems, err := vetJSON(dir, flags, patterns, env...)
	exit := (*exec.ExitError)(nil)
	if failed = errors.As(err, &exit); err != nil && (!failed || len(out) == 0) {
		return nil, false, false, nil
	}
	fmt.Fprint(errs, problems)
	if list, err = trees(out); err != nil {
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

// askedFor in the environment makes an analysis one that shares no cache with others.
const askedFor = "IDEMLINT_ASKED_FOR"

// vetJSON returns what go vet prints about the packages, and what it complains of where it
// fails.
func vetJSON(dir string, flags, patterns []string, env ...string) (out []byte, problems string, err error) {
	self, err := os.Executable()
	if err != nil {
		return nil, "", err
	}
	cmd := exec.Command("go", slices.Concat([]string{"vet", "-vettool=" + self, "-json"}, flags, patterns)...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var said strings.Builder
	cmd.Stderr = &said
	if out, err = cmd.Output(); err != nil {
		problems = said.String()
	}
	return out, problems, err
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
// with its tests where it has some, and the tests that are a package of their own. foreign
// says that one of them is of a module that is not the user's, see ownModule.
func units(dir string, patterns []string) (asked map[string]bool, foreign bool, err error) {
	const each = `{{.ImportPath}}{{with .Module}}{{if .Version}}{{if .Replace}}{{if .Replace.Version}} foreign{{end}}{{else}} foreign{{end}}{{end}}{{end}}`
	out, err := goList(dir, append([]string{"-f", each, "--"}, patterns...)...)
	if err != nil {
		return nil, false, err
	}
	asked = make(map[string]bool)
	for line := range strings.Lines(string(out)) {
		path, note, _ := strings.Cut(strings.TrimSpace(line), " ")
		asked[path], asked[path+"_test"] = true, true
		foreign = foreign || note != ""
	}
	return asked, foreign, nil
}

// goList returns what go list prints in a directory, of packages that have errors too.
func goList(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", append([]string{"list", "-e"}, args...)...)
	cmd.Dir = dir
	var problem strings.Builder
	cmd.Stderr = &problem
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, problem.String())
	}
	return out, nil
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
	fmt.Fprintf(h, " %s %s %s", os.Getenv(inventoryMode), os.Getenv(askedFor), inputs.Fingerprint(wd))
	return "idemlint version devel comments-go-here buildID=" + hex.EncodeToString(h.Sum(nil)), nil
}
