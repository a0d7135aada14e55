package main

import (
	"archive/zip"
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// copyOfExamples returns a copy of the example services that a test may change.
func copyOfExamples(t *testing.T) string {
	t.Helper()
	return copyOf(t, filepath.Join("..", "..", "examples"))
}

// copyOf returns a copy of a directory.
func copyOf(t *testing.T, source string) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(source)); err != nil {
		t.Fatal(err)
	}
	return dir
}

// go fix and go vet -fix apply what the command's own -fix does, and leave the rest to go
// vet, which fails over it.
func TestGoCommandFixes(t *testing.T) {
	want := copyOfExamples(t)
	runIn(t, want, tool, "-fix", "./...")
	for _, args := range [][]string{{"fix", "-fixtool=" + tool, "./..."}, {"vet", "-vettool=" + tool, "-fix", "./..."}} {
		dir := copyOfExamples(t)
		if out, code := runIn(t, dir, "go", args...); code != 0 {
			t.Fatalf("go %s: exit code %d\n%s", args, code, out)
		}
		for _, file := range []string{"broken/internal/events/events.go", "broken/internal/store/store.go"} {
			a, err := os.ReadFile(filepath.Join(want, file))
			if err != nil {
				t.Fatal(err)
			}
			b, err := os.ReadFile(filepath.Join(dir, file))
			if err != nil {
				t.Fatal(err)
			}
			original, err := os.ReadFile(filepath.Join(examples, file))
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Equal(a, b) || bytes.Equal(b, original) {
				t.Errorf("go %s: %s is not what -fix makes of it:\n%s", args, file, b)
			}
		}
		out, code := runIn(t, dir, "go", "vet", "-vettool="+tool, "./...")
		if code != 1 || !strings.Contains(out, "placed.go:63:") || strings.Contains(out, "events.go:63:") {
			t.Errorf("go vet after go %s: exit code %d\n%s", args, code, out)
		}
	}
}

// A package that was a dependency of an earlier run is not passed over in the next one: go
// vet's cache does not tell the two apart.
func TestDependencyFirst(t *testing.T) {
	dir, write := service(t)
	write("user/user.go", "// Package user uses a package with a finding.\npackage user\n\nimport \"example.com/app\"\n\n// Name is its own.\nvar Name = app.Name\n")
	write("plain/plain.go", "// Package plain depends on nothing.\npackage plain\n")
	vettool := "-vettool=" + tool
	step := 0
	check := func(want int, name string, args ...string) {
		t.Helper()
		out, _ := runIn(t, dir, name, args...)
		if got := strings.Count(out, "a.go:"); got != want {
			t.Errorf("%s %v, step %d: %d findings, want %d:\n%s", filepath.Base(name), args, step, got, want, out)
		}
	}
	for _, tests := range []string{"", "package app\n", "//go:build never\n\npackage app\n", "package app_test\n"} {
		step++
		// A text of its own makes the packages new to the cache.
		write("a.go", fmt.Sprintf("// Package app makes tables.\npackage app\n\n// Name is the table's, in step %d of %s.\nconst Name = `CREATE TABLE processed_event (event_id UUID)`\n", step, dir))
		if tests != "" {
			write("a_test.go", tests)
		}
		check(0, tool, "./user")
		check(1, tool, ".")
		check(0, tool, "./user")
		check(1, tool, "./...")
		check(0, tool, "changed", "user/user.go")
		check(0, "go", "vet", vettool, "./plain")

		write("a.go", fmt.Sprintf("// Package app makes tables.\npackage app\n\n// Name is the table's, in step %d of %s, for go vet.\nconst Name = `CREATE TABLE processed_event (event_id UUID)`\n", step, dir))
		dependency := 1 // go vet has no word for what was asked, so it is shown here too
		if tests == "package app\n" {
			dependency = 0 // the package with its tests is no dependency
		}
		check(dependency, "go", "vet", vettool, "./user")
		check(1, "go", "vet", vettool, ".")
		check(1, "go", "vet", vettool, "./...")
		if out, code := runIn(t, dir, "go", "vet", vettool, "-fix", "./user"); code != 0 {
			t.Errorf("go vet -fix: exit code %d\n%s", code, out)
		}
		if data, err := os.ReadFile(filepath.Join(dir, "a.go")); err != nil || strings.Contains(string(data), "PRIMARY KEY") {
			t.Errorf("go vet -fix ./user changes another package: %v\n%s", err, data)
		}
	}
}

// So it is with a package of a module that only the module cache has.
func TestForeignDependencyFirst(t *testing.T) {
	dir, write := service(t)
	proxy, cache := t.TempDir(), t.TempDir()
	for name, text := range map[string]string{
		"list": "v1.0.0\n", "v1.0.0.info": `{"Version":"v1.0.0"}`, "v1.0.0.mod": "module example.com/tables\n\ngo 1.26\n",
	} {
		writeFile(t, filepath.Join(proxy, "example.com", "tables", "@v", name), text)
	}
	var archive bytes.Buffer
	files := zip.NewWriter(&archive)
	for name, text := range map[string]string{
		"go.mod":    "module example.com/tables\n\ngo 1.26\n",
		"tables.go": fmt.Sprintf("// Package tables makes tables, in a test at %s.\npackage tables\n\n// Name is a table's.\nconst Name = `CREATE TABLE processed_event (event_id UUID)`\n", dir),
	} {
		w, err := files.Create("example.com/tables@v1.0.0/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := files.Close(); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(proxy, "example.com", "tables", "@v", "v1.0.0.zip"), archive.String())
	for name, value := range map[string]string{"GOPROXY": "file://" + proxy, "GOMODCACHE": cache, "GONOSUMDB": "*", "GOFLAGS": "-mod=mod -modcacherw"} {
		t.Setenv(name, value)
	}
	write("go.mod", "module example.com/app\n\ngo 1.26\n\nrequire example.com/tables v1.0.0\n")
	write("a.go", "// Package app uses a package with a finding.\npackage app\n\nimport \"example.com/tables\"\n\n// Name is its own.\nvar Name = tables.Name\n")
	for i, pattern := range []string{"./...", "example.com/tables", "./...", "example.com/tables"} {
		out, code := runIn(t, dir, tool, pattern)
		if got := strings.Count(out, "tables.go:"); got != i%2 {
			t.Errorf("idemlint %s: exit code %d, %d findings:\n%s", pattern, code, got, out)
		}
	}
}

// A module names idemlint in a tool line and uses it at the version of its go.mod.
func TestToolLine(t *testing.T) {
	dir, _ := service(t)
	repo, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"mod", "edit", "-require=github.com/idemlint/idemlint@v0.0.0", "-replace=github.com/idemlint/idemlint=" + repo, "-tool=github.com/idemlint/idemlint/cmd/idemlint"},
		{"mod", "tidy"},
	} {
		if out, code := runIn(t, dir, "go", args...); code != 0 {
			t.Fatalf("go %s: %s", args, out)
		}
	}
	out, code := runIn(t, dir, "sh", "-c", `go vet -vettool="$(go tool -n idemlint)" ./...`)
	if code != 1 || !strings.Contains(out, "a.go:4:") || !strings.Contains(out, "R-KFK-IDEM-2") {
		t.Errorf("go vet: exit code %d\n%s", code, out)
	}
	out, code = runIn(t, dir, "go", "tool", "idemlint", "./...")
	if code != 3 && code != 1 || !strings.Contains(out, "R-KFK-IDEM-2") {
		t.Errorf("go tool idemlint: exit code %d\n%s", code, out)
	}
}

// On a terminal a long analysis shows its progress and takes the line back; elsewhere it
// shows nothing.
func TestProgressOnTerminal(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Fatal("a terminal is made by util-linux's script: apt-get install bsdutils")
	}
	t.Setenv("TERM", "xterm")
	t.Setenv("CI", "")
	log := filepath.Join(t.TempDir(), "terminal")
	cmd := tool + " -load=source -format text ./listenerdedup/direct/..."
	runIn(t, "../../testdata", script, "-qec", cmd, log)
	data, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	shown := string(data)
	if !strings.Contains(shown, "\r\x1b[Kidemlint: loading, 2s") {
		t.Errorf("no progress is shown:\n%.500s", shown)
	}
	before, _, found := strings.Cut(shown, "R-KFK-IDEM-X1")
	if !found || strings.LastIndex(before, "\r\x1b[Kidemlint: ") == strings.LastIndex(before, "\r\x1b[K") {
		t.Errorf("the line is not taken back before the findings")
	}
	if out, _ := run(t, tool, "-load=source", "-format", "text", "./listenerdedup/direct/..."); strings.Contains(out, "loading") {
		t.Errorf("progress where there is no terminal:\n%.300s", out)
	}
}

func TestProgressLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "idemlint: loading, 3s",
		"a\nexample.com/b\n":    "idemlint: package 2, 3s: example.com/b",
		strings.Repeat("x", 80): "idemlint: loading, 3s", // its line is not complete
		"github.com/a-long-organisation/a-long-project/internal/a/deep/package\n": "idemlint: package 1, 3s: …anisation/a-long-project/internal/a/deep/package",
	} {
		if got := progressLine([]byte(text), 3*time.Second+400*time.Millisecond); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}
