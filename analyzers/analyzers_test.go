package analyzers_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers"
	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/internal/settings"
)

func TestValid(t *testing.T) {
	if err := analysis.Validate(analyzers.Analyzers()); err != nil {
		t.Fatal(err)
	}
}

// Every rule can be configured by name and id, has a manual with a bad and a
// good example, a page that its findings link to, and a row in README's table.
func TestRulesAreWhole(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, r := range directives.Rules {
		names = append(names, r.Name)
		if r.Analyzer.Name != r.Name {
			t.Errorf("the analyzer of %s is called %s", r.Name, r.Analyzer.Name)
		}
		if err := (&settings.Settings{Rules: map[string]bool{r.ID: true}}).Validate(); err != nil {
			t.Errorf("%s: %v", r.ID, err)
		}
		for _, want := range []string{r.ID, "Bad:", "Good:"} {
			if !strings.Contains(r.Analyzer.Doc, want) {
				t.Errorf("%s: its manual lacks %q", r.Name, want)
			}
		}
		page, err := os.ReadFile(filepath.Join("..", "docs", "rules", r.Name+".md"))
		if err != nil {
			t.Errorf("%s: %v", r.Name, err)
		}
		if !strings.Contains(string(page), r.ID) {
			t.Errorf("%s: its page does not name %s", r.Name, r.ID)
		}
		row := regexp.MustCompile(`(?m)^\| ` + r.ID + ` \| \[` + r.Name + `\]\(docs/rules/` + r.Name + `\.md\) \|`)
		if !row.Match(readme) {
			t.Errorf("%s: no row in README's table", r.Name)
		}
	}
	slices.Sort(names)
	if got := settings.RuleNames(); !slices.Equal(got, names) {
		t.Errorf("the configuration knows %v, the suite %v", got, names)
	}
}

var link = regexp.MustCompile(`\]\(([^)#:]+)(#[^)]*)?\)`)

// Links between the pages lead somewhere.
func TestLinks(t *testing.T) {
	pages, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	rules, err := filepath.Glob("../docs/rules/*.md")
	if err != nil {
		t.Fatal(err)
	}
	links := 0
	for _, page := range slices.Concat(pages, rules, []string{"../README.md", "../examples/README.md"}) {
		data, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(data), -1) {
			links++
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s: %v", page, err)
			}
		}
	}
	if links < 15 {
		t.Errorf("only %d links found", links)
	}
}
