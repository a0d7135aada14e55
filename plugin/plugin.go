// Package plugin makes idemlint a module plugin of golangci-lint: link it into a
// custom build by "golangci-lint custom", as .custom-gcl.example.yml shows.
package plugin

import (
	"os"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers"
	"github.com/idemlint/idemlint/internal/inputs"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/settings"
)

// Name is the linter's name in .golangci.yml.
const Name = "idemlint"

func init() { register.Plugin(Name, New) }

// New returns the plugin. Its settings have the keys of .idemlint.yml; without
// any, each package has the configuration of the nearest such file. A wrong key
// or value is an error that says what is allowed.
func New(conf any) (register.LinterPlugin, error) {
	// golangci-lint prints a related position as an issue, which fails the run
	// though the finding itself is suppressed.
	report.Plain = true
	if conf == nil {
		return linter{}, settings.Use(nil)
	}
	s, err := settings.Of(conf)
	if err != nil {
		return nil, err
	}
	return linter{}, settings.Use(s)
}

type linter struct{}

// BuildAnalyzers returns the rules, and an analyzer that does nothing under a name
// that changes with the configuration and the SQL files: golangci-lint keys its cache by the
// analyzers' names and sees neither .idemlint.yml nor .sql files.
func (linter) BuildAnalyzers() ([]*analysis.Analyzer, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return append(analyzers.Analyzers(), &analysis.Analyzer{
		Name: "idemlint_inputs_" + inputs.Fingerprint(dir),
		Doc:  "stand for the configuration and the SQL files in the driver's cache",
		Run:  func(*analysis.Pass) (any, error) { return nil, nil },
	}), nil
}

// GetLoadMode returns what the rules need: types.
func (linter) GetLoadMode() string { return register.LoadModeTypesInfo }
