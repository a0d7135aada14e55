package plugin_test

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/golangci/plugin-module-register/register"
	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers"
	"github.com/idemlint/idemlint/internal/settings"
	_ "github.com/idemlint/idemlint/plugin"
)

func build(t *testing.T, conf any) (register.LinterPlugin, error) {
	t.Helper()
	t.Cleanup(func() {
		if err := settings.Use(nil); err != nil {
			t.Error(err)
		}
	})
	newPlugin, err := register.GetPlugin("idemlint")
	if err != nil {
		t.Fatal(err)
	}
	return newPlugin(conf)
}

func names(t *testing.T, p register.LinterPlugin) []string {
	t.Helper()
	as, err := p.BuildAnalyzers()
	if err != nil {
		t.Fatal(err)
	}
	if err := analysis.Validate(as); err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, a := range as {
		out = append(out, a.Name)
	}
	return out
}

func TestRegistered(t *testing.T) {
	p, err := build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if mode := p.GetLoadMode(); mode != register.LoadModeTypesInfo {
		t.Errorf("load mode %q", mode)
	}
	got := names(t, p)
	for _, a := range analyzers.Analyzers() {
		if !slices.Contains(got, a.Name) {
			t.Errorf("%s is missing in %v", a.Name, got)
		}
	}
}

func TestSettings(t *testing.T) {
	good := map[string]any{
		"strict":       true,
		"dedup-tables": []any{"seen_orders"},
		"gates":        []any{map[string]any{"func": "example.com/app.First", "key": 2}},
		"rules":        map[string]any{"r-kfk-idem-x2": false}, // golangci-lint may lower the case
	}
	if _, err := build(t, good); err != nil {
		t.Errorf("good settings: %v", err)
	}
	for _, c := range []struct {
		conf any
		want []string
	}{
		{map[string]any{"dedup-table": []any{"seen"}}, []string{"dedup-table:", "no such key", "dedup-tables"}},
		{map[string]any{"strict": "perhaps"}, []string{"strict:", "true or false"}},
		{map[string]any{"gates": []any{map[string]any{"fun": "example.com/app.First"}}}, []string{"gates[0].fun", "func, key, answer"}},
		{map[string]any{"gates": []any{map[string]any{"func": "First"}}}, []string{"gates[0].func", `"First"`, "full name"}},
		{[]any{"strict"}, []string{"idemlint settings"}},
	} {
		_, err := build(t, c.conf)
		if err == nil {
			t.Errorf("%v is accepted", c.conf)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%v: %q does not say %q", c.conf, err, want)
			}
		}
	}
}

// golangci-lint keeps results by the analyzers' names: another configuration
// must mean another name.
func TestCacheKey(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	p, err := build(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]string{}
	for what, text := range map[string]string{"none": "", "strict": "strict: true\n", "table": "dedup-tables: [seen]\n"} {
		if text != "" {
			if err := os.WriteFile(filepath.Join(dir, settings.FileName), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		} else {
			if err := os.Remove(filepath.Join(dir, settings.FileName)); err != nil && !os.IsNotExist(err) {
				t.Fatal(err)
			}
		}
		list := names(t, p)
		last := list[len(list)-1]
		if other, ok := seen[last]; ok {
			t.Errorf("%s and %s have the key %s", what, other, last)
		}
		seen[last] = what
	}
}
