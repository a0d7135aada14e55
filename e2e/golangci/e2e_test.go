// The plugin in a real golangci-lint, run as its user runs it.
package main

import (
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	linter     string // golangci-lint with the plugin
	standalone string // the idemlint command
	repo       string
)

func TestMain(m *testing.M) { os.Exit(run(m)) }

func run(m *testing.M) int {
	dir, err := os.MkdirTemp("", "idemlint-e2e")
	if err != nil {
		panic(err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if repo, err = filepath.Abs(filepath.Join("..", "..")); err != nil {
		panic(err)
	}
	linter, standalone = filepath.Join(dir, "custom-gcl"), filepath.Join(dir, "idemlint")
	for _, b := range []struct{ in, out, pkg string }{{".", linter, "."}, {repo, standalone, "./cmd/idemlint"}} {
		cmd := exec.Command("go", "build", "-o", b.out, b.pkg)
		cmd.Dir = b.in
		if out, err := cmd.CombinedOutput(); err != nil {
			panic(string(out))
		}
	}
	return m.Run()
}

const config = `version: "2"
linters:
  default: none
  enable: [idemlint]
  settings:
    custom:
      idemlint:
        type: module
        description: Kafka consumers that can do their work twice
issues:
  uniq-by-line: false
  max-same-issues: 0
  max-issues-per-linter: 0
`

// exec1 runs a command in a directory and returns what it printed.
func exec1(t *testing.T, dir, cache, name string, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOLANGCI_LINT_CACHE="+cache, "GOWORK=off")
	var out, errs strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	if _, exited := err.(*exec.ExitError); err != nil && !exited {
		t.Fatal(err)
	}
	return out.String(), errs.String(), cmd.ProcessState.ExitCode()
}

// lint runs golangci-lint with a configuration of its own.
func lint(t *testing.T, dir, cache, conf string, args ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "golangci.yml")
	write(t, path, conf)
	out, errs, code := exec1(t, dir, cache, linter, append([]string{"run", "--config", path, "--path-mode", "abs"}, args...)...)
	if code > 1 {
		t.Fatalf("exit code %d\n%s%s", code, out, errs)
	}
	return out
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

var finding = regexp.MustCompile(`(?m)^(\S+?\.go):(\d+):\d+:.*?(R-KFK-IDEM-\w+):`)

// findings returns "file:line rule" for each finding, sorted.
func findings(dir, out string) []string {
	set := make(map[string]bool)
	for _, m := range finding.FindAllStringSubmatch(out, -1) {
		file := m[1]
		if r, err := filepath.Rel(dir, file); err == nil && filepath.IsAbs(file) {
			file = r
		}
		set[filepath.ToSlash(file)+":"+m[2]+" "+m[3]] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// corpus are the rules' cases; the packages that are broken on purpose are not
// among them, since golangci-lint then speaks of nothing else.
var corpus = []string{
	"./dedupschema/...", "./deduptx/...", "./eventidpayload/...", "./eventidv7/...", "./listenerdedup/...",
	"./moneykey/...", "./offsetkey/...", "./onconflict/...", "./configured/...",
}

// The corpus gives the same findings as the standalone command: with a cold cache, a
// warm one, and one that lost parts.
func TestSameFindings(t *testing.T) {
	testdata, cache := filepath.Join(repo, "testdata"), t.TempDir()
	out, _, _ := exec1(t, testdata, cache, standalone, corpus...)
	want := findings(testdata, out)
	if len(want) < 300 {
		t.Fatalf("only %d findings by the standalone command", len(want))
	}
	compare := func(when string) {
		t.Helper()
		got := findings(testdata, lint(t, testdata, cache, config, corpus...))
		for _, f := range got {
			if !slices.Contains(want, f) {
				t.Errorf("%s: only golangci-lint reports %s", when, f)
			}
		}
		for _, f := range want {
			if !slices.Contains(got, f) {
				t.Errorf("%s: golangci-lint does not report %s", when, f)
			}
		}
	}
	compare("cold")
	compare("warm")
	n := 0
	err := filepath.WalkDir(cache, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() && !strings.Contains(path, ".txt") {
			if n++; n%2 == 0 {
				return os.Remove(path)
			}
		}
		return err
	})
	if err != nil || n < 20 {
		t.Fatalf("%d files in the cache, %v", n, err)
	}
	compare("half a cache")
}

// This repository's own code is clean under its own configuration.
func TestOwnCode(t *testing.T) {
	out, errs, code := exec1(t, repo, t.TempDir(), linter, "run", "./...")
	if code != 0 {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}

const (
	app = `// Package app forwards.
package app

import (
	"context"

	"github.com/segmentio/kafka-go"
)

`
	forward = `
func forwardN(ctx context.Context, r *kafka.Reader, w *kafka.Writer) error {
	for {
		m, err := r.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.WriteMessages(ctx, kafka.Message{Value: m.Value}); err != nil {
			return err
		}
	}
}
`
)

// module makes a module that requires kafka-go as the testdata module does.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum"} {
		data, err := os.ReadFile(filepath.Join(repo, "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(dir, name), strings.Replace(string(data), "module example.com/cases", "module example.com/app", 1))
	}
	for name, text := range files {
		write(t, filepath.Join(dir, name), text)
	}
	return dir
}

// With golangci-lint's defaults the fourth finding with one text vanishes: those of
// idemlint name their listener.
func TestDefaultLimits(t *testing.T) {
	text := app
	for _, n := range []string{"One", "Two", "Three", "Four", "Five"} {
		text += strings.Replace(forward, "forwardN", "forward"+n, 1)
	}
	dir := module(t, map[string]string{"app.go": text})
	conf := config[:strings.Index(config, "issues:")]
	if got := findings(dir, lint(t, dir, t.TempDir(), conf, "./...")); len(got) != 5 {
		t.Errorf("%d findings, want 5: %v", len(got), got)
	}
}

// nolint with a reason suppresses, and nolintlint reports one that suppresses nothing.
func TestNolint(t *testing.T) {
	bad := strings.Replace(forward, "forwardN", "forwardOne", 1)
	bad = strings.Replace(bad, "m.Value}); err", "m.Value}); err", 1)
	bad = strings.Replace(bad, "err != nil {\n\t\t\treturn err\n\t\t}\n\t}\n}", "err != nil { //nolint:idemlint // the reader of the copy dedups\n\t\t\treturn err\n\t\t}\n\t}\n}", 1)
	text := app + bad + "\nvar _ = context.Background //nolint:idemlint // nothing is wrong here\n"
	dir := module(t, map[string]string{"app.go": text})
	conf := strings.Replace(config, "enable: [idemlint]", "enable: [idemlint, nolintlint]", 1)
	conf = strings.Replace(conf, "  settings:\n", "  settings:\n    nolintlint: {allow-unused: false, require-explanation: true}\n", 1)
	out := lint(t, dir, t.TempDir(), conf, "./...")
	if got := findings(dir, out); len(got) != 0 {
		t.Errorf("suppressed findings are shown: %v\n%s", got, out)
	}
	if strings.Contains(out, "(idemlint)") {
		t.Errorf("something of a suppressed finding is left:\n%s", out)
	}
	if strings.Count(out, "(nolintlint)") != 1 || !strings.Contains(out, "is unused for linter") {
		t.Errorf("the unused directive is not reported once:\n%s", out)
	}
}

// --fix writes what -fix of the standalone command writes.
func TestFix(t *testing.T) {
	const text = `// Package app publishes.
package app

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type placed struct {
	EventID string ` + "`json:\"eventId\"`" + `
	Order   string ` + "`json:\"order\"`" + `
}

func publish(ctx context.Context, w *kafka.Writer, order string) error {
	body, err := json.Marshal(placed{EventID: uuid.NewString(), Order: order})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}
`
	want := strings.Replace(text, "uuid.NewString()", "uuid.Must(uuid.NewV7()).String()", 1)
	dir := module(t, map[string]string{"app.go": text})
	if out := lint(t, dir, t.TempDir(), config, "--fix", "./..."); len(findings(dir, out)) != 0 {
		t.Errorf("a fixed finding is shown:\n%s", out)
	}
	got, err := os.ReadFile(filepath.Join(dir, "app.go"))
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}

func TestReports(t *testing.T) {
	dir := module(t, map[string]string{"app.go": app + strings.Replace(forward, "forwardN", "forwardOne", 1)})
	path := filepath.Join(t.TempDir(), "golangci.yml")
	write(t, path, config)
	out, errs, _ := exec1(t, dir, t.TempDir(), linter, "run", "--config", path, "--output.json.path=stdout", "--output.text.path=stderr", "./...")
	var result struct {
		Issues []struct{ FromLinter, Text string }
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&result); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if len(result.Issues) != 1 || result.Issues[0].FromLinter != "idemlint" || !strings.Contains(result.Issues[0].Text, "R-KFK-IDEM-X1") {
		t.Errorf("JSON: %+v", result.Issues)
	}
	out, errs, _ = exec1(t, dir, t.TempDir(), linter, "run", "--config", path, "--output.sarif.path=stdout", "--output.text.path=stderr", "./...")
	var sarif struct {
		Version string
		Runs    []struct {
			Results []struct{ RuleID string }
		}
	}
	if err := json.NewDecoder(strings.NewReader(out)).Decode(&sarif); err != nil {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if sarif.Version != "2.1.0" || len(sarif.Runs) != 1 || len(sarif.Runs[0].Results) != 1 || sarif.Runs[0].Results[0].RuleID != "idemlint" {
		t.Errorf("SARIF: %+v", sarif)
	}
}

// new-from-rev shows what is new since a commit.
func TestNewFromRev(t *testing.T) {
	dir := module(t, map[string]string{"app.go": app + strings.Replace(forward, "forwardN", "forwardOld", 1)})
	git := func(args ...string) {
		t.Helper()
		if out, errs, code := exec1(t, dir, t.TempDir(), "git", append([]string{"-c", "user.name=t", "-c", "user.email=t@example.com"}, args...)...); code != 0 {
			t.Fatalf("git %v: %s%s", args, out, errs)
		}
	}
	git("init", "-q")
	git("add", ".")
	git("commit", "-q", "-m", "old")
	write(t, filepath.Join(dir, "new.go"), strings.Replace(app, "// Package app forwards.\n", "", 1)+strings.Replace(forward, "forwardN", "forwardNew", 1))
	got := findings(dir, lint(t, dir, t.TempDir(), config, "--new-from-rev", "HEAD", "./..."))
	if len(got) != 1 || !strings.HasPrefix(got[0], "new.go:") {
		t.Errorf("%v, want the new file's finding alone", got)
	}
}

// The cache notices a change of an SQL file and of .idemlint.yml.
func TestInputs(t *testing.T) {
	const store = `// Package app claims events.
package app

import (
	"context"

	"github.com/jackc/pgx/v5"
)

func first(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	tag, err := tx.Exec(ctx, ` + "`INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING`" + `, id)
	return tag.RowsAffected() == 1, err
}
`
	dir, cache := module(t, map[string]string{"app.go": store, "migrations/1.sql": "CREATE TABLE processed_event (event_id UUID PRIMARY KEY);"}), t.TempDir()
	check := func(when string, want int) {
		t.Helper()
		if got := findings(dir, lint(t, dir, cache, config, "./...")); len(got) != want {
			t.Errorf("%s: %v, want %d", when, got, want)
		}
	}
	check("a sound schema", 0)
	write(t, filepath.Join(dir, "migrations/2.sql"), "ALTER TABLE processed_event DROP CONSTRAINT processed_event_pkey;")
	check("the key is dropped", 1)
	write(t, filepath.Join(dir, ".idemlint.yml"), "rules: {dedupschema: false}\n")
	check("the rule is off", 0)
}

// A wrong setting stops the run and says what is allowed.
func TestBadSettings(t *testing.T) {
	dir := module(t, map[string]string{"app.go": app + forward})
	path := filepath.Join(t.TempDir(), "golangci.yml")
	write(t, path, strings.Replace(config, "        description:", "        settings: {dedup-table: [seen]}\n        description:", 1))
	out, errs, code := exec1(t, dir, t.TempDir(), linter, "run", "--config", path, "./...")
	if code == 0 || !strings.Contains(out+errs, "dedup-table: there is no such key: the keys are dedup-tables") {
		t.Errorf("exit code %d\n%s%s", code, out, errs)
	}
}
