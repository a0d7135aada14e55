package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "github.com/owenrumney/go-sarif/v3/pkg/report/v210/sarif" // has the schema
	"github.com/xeipuuv/gojsonschema"
)

// What -format sarif prints is valid by SARIF's own schema, with all findings, related
// locations and fixes.
func TestSARIFSchema(t *testing.T) {
	dir, _, code := exec1(t, ".", t.TempDir(), "go", "list", "-m", "-f", "{{.Dir}}", "github.com/owenrumney/go-sarif/v3")
	if code != 0 {
		t.Fatal(dir)
	}
	source, err := os.ReadFile(filepath.Join(strings.TrimSpace(dir), "pkg", "report", "v210", "sarif", "schema.go"))
	if err != nil {
		t.Fatal(err)
	}
	text := string(source)
	schema := text[strings.IndexByte(text, '`')+1 : strings.LastIndexByte(text, '`')]

	out, errs, code := exec1(t, filepath.Join(repo, "examples"), t.TempDir(), standalone, "-format", "sarif", "./...")
	if code != 3 {
		t.Fatalf("exit code %d\n%s", code, errs)
	}
	result, err := gojsonschema.Validate(gojsonschema.NewStringLoader(schema), gojsonschema.NewStringLoader(out))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range result.Errors() {
		t.Error(e)
	}
	var log struct {
		Runs []struct {
			Tool struct {
				Driver struct {
					Rules []struct {
						ID   string
						Help struct{ Text, Markdown string }
					}
				}
			}
			Results []struct {
				RuleID           string
				RelatedLocations []any
				Fixes            []any
			}
		}
	}
	if err := json.Unmarshal([]byte(out), &log); err != nil {
		t.Fatal(err)
	}
	run := log.Runs[0]
	related, fixes := 0, 0
	for _, r := range run.Results {
		related += len(r.RelatedLocations)
		fixes += len(r.Fixes)
	}
	if len(run.Results) != 11 || related < 8 || fixes != 3 {
		t.Errorf("%d results with %d related locations and %d fixes; want 11, at least 8, and 3", len(run.Results), related, fixes)
	}
	for _, r := range run.Tool.Driver.Rules {
		if len(r.Help.Text) < 100 || !strings.Contains(r.Help.Markdown, "# ") {
			t.Errorf("%s has no help", r.ID)
		}
	}
}
