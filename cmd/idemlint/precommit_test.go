package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The hooks in a real pre-commit, on a real git repository: a commit with a mistake is
// stopped with the finding, a sound one passes, and only the packages that the changed
// files concern are analysed.
func TestPreCommit(t *testing.T) {
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Fatal("pre-commit is not installed: apt-get install pre-commit")
	}
	home := t.TempDir()
	sh := func(dir, name string, args ...string) (string, error) {
		t.Helper()
		cmd := exec.Command(name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "PRE_COMMIT_HOME="+home, "GIT_AUTHOR_NAME=t", "GIT_AUTHOR_EMAIL=t@example.com", "GIT_COMMITTER_NAME=t", "GIT_COMMITTER_EMAIL=t@example.com", "GIT_CONFIG_GLOBAL=/dev/null", "GOFLAGS=-modcacherw")
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	must := func(dir, name string, args ...string) {
		t.Helper()
		if out, err := sh(dir, name, args...); err != nil {
			t.Fatalf("%s %v: %v\n%s", name, args, err, out)
		}
	}

	// The hooks' repository is this one, as it stands.
	hooks := t.TempDir()
	root := filepath.Join("..", "..")
	list, err := sh(root, "git", "ls-files", "--cached", "--others", "--exclude-standard", "--", ".", ":!testdata", ":!e2e", ":!examples")
	if err != nil {
		t.Fatal(list)
	}
	for _, name := range strings.Fields(list) {
		data, err := os.ReadFile(filepath.Join(root, name))
		if err != nil {
			continue // deleted
		}
		writeFile(t, filepath.Join(hooks, name), string(data))
	}
	must(hooks, "git", "init", "-q")
	must(hooks, "git", "add", ".")
	must(hooks, "git", "commit", "-qm", "hooks")
	must(hooks, "git", "tag", "v0.0.1")

	dir := t.TempDir()
	mod, err := os.ReadFile(filepath.Join(root, "testdata", "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile(filepath.Join(root, "testdata", "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "go.mod"), strings.Replace(string(mod), "module example.com/cases", "module example.com/shop", 1))
	writeFile(t, filepath.Join(dir, "go.sum"), string(sum))
	writeFile(t, filepath.Join(dir, ".pre-commit-config.yaml"), "repos:\n  - repo: "+hooks+"\n    rev: v0.0.1\n    hooks: [{id: idemlint}]\n")
	const events = `// Package events makes events.
package events

import "github.com/google/uuid"

// Placed is published.
type Placed struct {
	EventID string ` + "`json:\"eventId\"`" + `
	Type    string ` + "`json:\"type\"`" + `
	At      string ` + "`json:\"occurredAt\"`" + `
}

// New makes one.
func New() Placed { return Placed{EventID: uuid.NewString(), Type: "placed"} }
`
	old := filepath.Join(dir, "old", "old.go")
	writeFile(t, old, strings.ReplaceAll(events, "events", "old"))
	must(dir, "git", "init", "-q")
	must(dir, "git", "add", ".")
	must(dir, "git", "commit", "-qm", "as it was")
	must(dir, "pre-commit", "install")

	commit := func() (string, error) {
		t.Helper()
		must(dir, "git", "add", ".")
		return sh(dir, "git", "commit", "-qm", "change")
	}
	file := filepath.Join(dir, "events", "events.go")
	writeFile(t, file, events)
	out, err := commit()
	if err == nil || !strings.Contains(out, "events/events.go:") || !strings.Contains(out, "R-KFK-IDEM-1") {
		t.Errorf("the mistake is not stopped: %v\n%s", err, out)
	}
	if strings.Contains(out, "old.go") {
		t.Errorf("a package that the change does not concern is analysed:\n%s", out)
	}
	writeFile(t, file, strings.Replace(events, "uuid.NewString()", "uuid.Must(uuid.NewV7()).String()", 1))
	if out, err := commit(); err != nil {
		t.Errorf("a sound commit is stopped: %v\n%s", err, out)
	}

	// The other hook mends the file; the commit after that passes.
	writeFile(t, filepath.Join(dir, ".pre-commit-config.yaml"), "repos:\n  - repo: "+hooks+"\n    rev: v0.0.1\n    hooks: [{id: idemlint-fix}]\n")
	if out, err := commit(); err != nil {
		t.Fatalf("the configuration: %v\n%s", err, out)
	}
	writeFile(t, file, events)
	if out, err := commit(); err == nil || !strings.Contains(out, "files were modified by this hook") {
		t.Errorf("the fix does not stop the commit: %v\n%s", err, out)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.Contains(string(data), "NewV7") {
		t.Errorf("the file is not mended: %v\n%s", err, data)
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o750); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
