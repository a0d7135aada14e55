package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var shellBlock = regexp.MustCompile("(?s)```sh\n(.*?)```")

// The commands that README shows work as they stand, on a module with a mistake: after
// its line that installs, which here installs this tree.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, use, _ := strings.Cut(string(text), "\n## Use it\n")
	use, _, _ = strings.Cut(use, "\n## ")
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	// The exit codes of the lines that do not report the module's finding.
	want := map[string]int{
		"go mod ": 0, "go vet ": 1, "go fix ": 0, "idemlint explain": 0, "idemlint help": 0, "idemlint baseline": 0, "idemlint -baseline": 0,
		"idemlint inventory": 0, "idemlint -diff": 0, "idemlint -deduptx": 0, "idemlint changed": 1,
	}
	ran := 0
	for _, block := range shellBlock.FindAllStringSubmatch(use, -1) {
		dir, write := service(t)
		if err := os.Mkdir(filepath.Join(dir, "migrations"), 0o750); err != nil {
			t.Fatal(err)
		}
		write("migrations/1.sql", "CREATE TABLE processed_event (event_id UUID)")
		for _, line := range strings.Split(strings.TrimSpace(block[1]), "\n") {
			line, _, _ = strings.Cut(line, " #")
			line = strings.TrimSpace(strings.ReplaceAll(line, "FILE...", "a.go"))
			switch {
			case strings.HasPrefix(line, "go install "):
				continue
			case strings.HasPrefix(line, "go get -tool "):
				line = "go mod edit -require=github.com/idemlint/idemlint@v0.0.0 -replace=github.com/idemlint/idemlint=" + repo +
					" -tool=" + strings.TrimSuffix(strings.Fields(line)[3], "@latest") + " && go mod tidy"
			case strings.Contains(line, "curl "), strings.HasPrefix(line, "golangci-lint "), strings.HasPrefix(line, "./custom-gcl "):
				continue // the e2e module runs them
			}
			wantCode := 3
			for prefix, code := range want {
				if strings.HasPrefix(line, prefix) {
					wantCode = code
				}
			}
			out, code := runIn(t, dir, "sh", "-c", "PATH="+filepath.Dir(tool)+":$PATH; "+line)
			if code != wantCode {
				t.Errorf("%s: exit code %d, want %d\n%s", line, code, wantCode, out)
			}
			ran++
		}
	}
	if ran < 15 {
		t.Errorf("only %d commands were run", ran)
	}
}
