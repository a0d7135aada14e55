package main

import (
	"encoding/json"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/unitchecker"
)

// A unit is one package, or one variant of it for a test, for which go vet calls this
// program. For the dependencies of what it was asked for, go vet wants facts alone
// (VetxOnly). unitchecker runs the rules for these too, since they depend on facts, and
// drops what they say.

// unit returns the configuration of the package for which go vet calls, nil when
// it is not go vet that calls.
func unit(args []string) *unitchecker.Config {
	if len(args) == 0 || !strings.HasSuffix(args[len(args)-1], ".cfg") {
		return nil
	}
	data, err := os.ReadFile(args[len(args)-1])
	if err != nil {
		return nil // the driver says what is wrong
	}
	cfg := new(unitchecker.Config)
	if json.Unmarshal(data, cfg) != nil {
		return nil
	}
	return cfg
}

// factsOnly reports whether the findings of a unit are for nobody.
//
// go vet keeps what a unit printed in its cache under a key that does not say whether it
// was asked for facts alone (Go 1.26, cmd/go/internal/work/exec.go): go vet ./b, which
// imports ./a, and then go vet ./a would say nothing of a. So the packages that may be
// asked for later print their findings as dependencies too: those of the user's own
// modules. A fix is another matter: the units that do not get an archive for it would
// write into the files.
func factsOnly(cfg *unitchecker.Config, args []string) bool {
	_, fixes := withoutFix(args)
	return cfg.VetxOnly && (fixes || !ownModule(cfg) || !standsAlone(cfg))
}

// ownModule reports whether a unit is of a module that the user works on: the main one,
// one of the workspace, or one that stands in a directory by a replace line.
func ownModule(cfg *unitchecker.Config) bool {
	module, version := cfg.ModulePath, cfg.ModuleVersion
	if m := cfg.Module; m != nil {
		module, version = m.Path, m.Version
	}
	if module == "" { // the standard library
		return false
	}
	dir := filepath.ToSlash(cfg.Dir)
	return version == "" || !strings.Contains(dir, "@v") && !strings.Contains(dir, "/vendor/")
}

// standsAlone reports whether go vet would call for this very unit, if it was asked for
// the package: where the package has tests, it calls for both together, and that unit
// is not a dependency of any.
func standsAlone(cfg *unitchecker.Config) bool {
	if strings.Contains(cfg.ID, " [") {
		return false
	}
	entries, err := os.ReadDir(cfg.Dir)
	if err != nil {
		return true
	}
	for _, e := range entries {
		name := e.Name()
		if !strings.HasSuffix(name, "_test.go") || strings.HasPrefix(name, "_") || strings.HasPrefix(name, ".") {
			continue
		}
		path := filepath.Join(cfg.Dir, name)
		if slices.Contains(cfg.IgnoredFiles, path) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.PackageClauseOnly)
		if err == nil && !strings.HasSuffix(f.Name.Name, "_test") {
			return false
		}
	}
	return true
}

// asRoot makes unitchecker print the findings of a unit that go vet wants facts of. It
// returns the arguments to go on with: the last is a file beside the one that go vet
// wrote, in a directory that go vet removes.
func asRoot(cfg *unitchecker.Config, args []string) ([]string, error) {
	root := *cfg
	root.VetxOnly = false
	data, err := json.Marshal(&root)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(filepath.Dir(args[len(args)-1]), "idemlint.cfg")
	if err := os.WriteFile(file, data, 0o600); err != nil {
		return nil, err
	}
	return append(slices.Clone(args[:len(args)-1]), file), nil
}
