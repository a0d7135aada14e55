package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/idemlint/idemlint/internal/linttest"
)

var tool string

// command is linked into the tests, so that go test does not take the results of another
// program from its cache: the tests run it in processes of its own.
var command func()

func TestMain(m *testing.M) {
	command = main
	dir, err := os.MkdirTemp("", "idemlint")
	if err != nil {
		panic(err)
	}
	tool = filepath.Join(dir, "idemlint")
	if out, err := exec.Command("go", "build", "-o", tool, ".").CombinedOutput(); err != nil {
		panic(string(out))
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// run runs a command in the testdata module and returns its output and exit code.
func run(t *testing.T, name string, args ...string) (string, int) {
	t.Helper()
	return runIn(t, linttest.Testdata(), name, args...)
}

func runIn(t *testing.T, dir, name string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

var finding = regexp.MustCompile(`(?m)^(?:.*/testdata/)?([^\s:]+\.go):(\d+):\d+: (R-KFK-IDEM-\w+):`)

func findings(out string) []string {
	var got []string
	for _, m := range finding.FindAllStringSubmatch(out, -1) {
		got = append(got, m[1]+":"+m[2]+" "+m[3])
	}
	slices.Sort(got)
	return slices.Compact(got)
}

// Both drivers give the same findings: the standalone one, which analyses every
// dependency from source, and go vet, which passes facts in files.
func TestDriversAgree(t *testing.T) {
	pkgs := []string{"./listenerdedup/reach/...", "./offsetkey/xpkg/..."}
	alone, code := run(t, tool, pkgs...)
	if code != 3 {
		t.Errorf("standalone exit code %d, want 3\n%s", code, alone)
	}
	vet, code := run(t, "go", append([]string{"vet", "-vettool=" + tool}, pkgs...)...)
	if code != 1 {
		t.Errorf("go vet exit code %d, want 1\n%s", code, vet)
	}
	a, v := findings(alone), findings(vet)
	if len(a) < 40 {
		t.Errorf("only %d findings", len(a))
	}
	if !slices.Equal(a, v) {
		t.Errorf("standalone and go vet differ:\nstandalone: %s\ngo vet:     %s", strings.Join(a, "\n            "), strings.Join(v, "\n            "))
	}
}

// A package that does not compile is named, and does not take the others along.
func TestBrokenPackages(t *testing.T) {
	out, code := run(t, tool, "./broken/...")
	if code == 0 {
		t.Error("exit code 0 although packages do not compile")
	}
	if got := findings(out); !slices.Equal(got, []string{"broken/good/good.go:18 R-KFK-IDEM-X1"}) {
		t.Errorf("findings %v\n%s", got, out)
	}
	for _, want := range []string{"typeerror.go:7", "broken/nowhere"} {
		if !strings.Contains(out, want) {
			t.Errorf("the output does not name %q:\n%s", want, out)
		}
	}
	if strings.Contains(out, "internal error") || strings.Contains(out, "failed prerequisites") {
		t.Errorf("a broken package is no internal error:\n%s", out)
	}
}

func TestJSON(t *testing.T) {
	out, code := run(t, tool, "-json", "./broken/good")
	if code != 0 {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	var tree map[string]map[string][]struct {
		Category, Posn, Message string
	}
	if err := json.Unmarshal([]byte(out), &tree); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ds := tree["example.com/cases/broken/good"]["listenerdedup"]
	if len(ds) != 1 || ds[0].Category != "R-KFK-IDEM-X1" || !strings.Contains(ds[0].Message, "docs/rules/listenerdedup.md") {
		t.Errorf("diagnostics %+v", ds)
	}
}

// -diff previews what -fix writes.
func TestDiff(t *testing.T) {
	out, _ := run(t, tool, "-fix", "-diff", "-onconflict", "./onconflict/fix/...")
	if !strings.Contains(out, "+") || !strings.Contains(out, "ON CONFLICT DO NOTHING") {
		t.Errorf("no diff with the clause:\n%s", out)
	}
}

func TestHelp(t *testing.T) {
	for _, rule := range []string{"listenerdedup", "offsetkey", "onconflict", "deduptx"} {
		out, code := run(t, tool, "help", rule)
		for _, want := range []string{"R-KFK-IDEM-", "Bad:", "Good:"} {
			if code != 0 || !strings.Contains(out, want) {
				t.Errorf("help %s lacks %q (exit code %d):\n%s", rule, want, code, out)
			}
		}
	}
}

// A mistake in the configuration is an error with the file, the line and what
// is allowed, in both drivers.
func TestBadConfiguration(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, name), text)
	}
	write("go.mod", "module example.com/app\n\ngo 1.26\n")
	write("app.go", "// Package app is empty.\npackage app\n")
	write(".idemlint.yml", "strict: true\ndedup-table: [seen]\n")
	vet := []string{"go", "vet", "-vettool=" + tool, "./..."}
	for _, cmd := range [][]string{{tool, "./..."}, vet, vet} { // what go vet caches must not hide it
		out, code := runIn(t, dir, cmd[0], cmd[1:]...)
		if code == 0 {
			t.Errorf("%v: exit code 0", cmd)
		}
		for _, want := range []string{".idemlint.yml:2", "dedup-table", "dedup-tables"} {
			if !strings.Contains(out, want) {
				t.Errorf("%v: the output lacks %q:\n%s", cmd, want, out)
			}
		}
		if strings.Contains(out, "failed prerequisites") {
			t.Errorf("%v: a consequence beside the mistake:\n%s", cmd, out)
		}
	}
}

func TestSQL(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "none"), 0o750); err != nil {
		t.Fatal(err)
	}
	write("1.up.sql", "CREATE TABLE processed_event (\n  event_id UUID NOT NULL,\n  processed_at TIMESTAMPTZ DEFAULT now(),\n  PRIMARY KEY (event_id, processed_at)\n);\n")
	write("1.down.sql", "DROP TABLE processed_event;\n")
	write("sound.sql", "CREATE TABLE inbox (event_id UUID PRIMARY KEY);\n")
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"."}, 3, "1.up.sql:4:3: R-KFK-IDEM-2: the key (event_id, processed_at) of processed_event holds processed_at"},
		{[]string{"sound.sql"}, 0, ""},
		{[]string{"sound.sql", "1.up.sql"}, 3, "1.up.sql:4:3"},
		{[]string{"nowhere"}, 1, "nowhere"},
		{[]string{"none"}, 1, "there is no .sql file"},
		{nil, 2, "usage: idemlint sql"},
		{[]string{"-x"}, 2, "not defined: -x"},
	} {
		out, code := runIn(t, dir, tool, append([]string{"sql"}, c.args...)...)
		if code != c.code || !strings.Contains(out, c.want) || c.want == "" && out != "" {
			t.Errorf("sql %v: exit code %d, want %d with %q:\n%s", c.args, code, c.code, c.want, out)
		}
	}
	write(".idemlint.yml", "dedup-tables: [orders]\nevent-ids: [ref]\n")
	write("orders.sql", "CREATE TABLE orders (ref TEXT);")
	if out, code := runIn(t, dir, tool, "sql", "orders.sql"); code != 3 {
		t.Errorf("a table named in the configuration: exit code %d\n%s", code, out)
	}
}

// What -fix writes into the broken example compiles, and leaves only findings that
// have no fix.
func TestFixExamples(t *testing.T) {
	dir := copyOfExamples(t)
	before, _ := runIn(t, dir, tool, "./...")
	if out, code := runIn(t, dir, tool, "-fix", "./..."); code != 0 && code != 3 {
		t.Fatalf("-fix: exit code %d\n%s", code, out)
	}
	if out, code := runIn(t, dir, "go", "build", "./..."); code != 0 {
		t.Fatalf("the fixed example does not compile:\n%s", out)
	}
	after, _ := runIn(t, dir, tool, "./...")
	for _, fixable := range []string{"events.go:63:", "store.go:46:"} {
		if !strings.Contains(before, fixable) || strings.Contains(after, fixable) {
			t.Errorf("%s is reported before %t, after the fix %t", fixable, strings.Contains(before, fixable), strings.Contains(after, fixable))
		}
	}
	ids := regexp.MustCompile(`R-KFK-IDEM-\w+:`)
	if b, a := len(ids.FindAllString(before, -1)), len(ids.FindAllString(after, -1)); a >= b || a < 8 {
		t.Errorf("%d findings before, %d after", b, a)
	}
	if out, code := runIn(t, dir, tool, "-fix", "-diff", "./..."); strings.Contains(out, "+++") {
		t.Errorf("there is something left to fix (exit code %d):\n%s", code, out)
	}
}

func TestExplain(t *testing.T) {
	for _, arg := range []string{"deduptx", "R-KFK-IDEM-3", "r-kfk-idem-3"} {
		if out, code := run(t, tool, "explain", arg); code != 0 || !strings.HasPrefix(out, "# deduptx: R-KFK-IDEM-3") {
			t.Errorf("explain %s: exit code %d\n%s", arg, code, out)
		}
	}
	if out, code := run(t, tool, "explain", "R-KFK-IDEM-1"); code != 0 || strings.Count(out, "\n# ")+1 != 2 {
		t.Errorf("an id of two rules: exit code %d\n%s", code, out)
	}
	if out, code := run(t, tool, "explain", "R-KFK-IDEM-9"); code != 2 || !strings.Contains(out, "there is no rule R-KFK-IDEM-9") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// The subcommand changed analyses the files' packages and what imports them.
func TestChanged(t *testing.T) {
	out, code := run(t, tool, "changed", "listenerdedup/trials/bus/sound_bus.go")
	if code != 1 || !strings.Contains(out, "registry/bad_registry.go") || strings.Contains(out, "bad_trials.go") {
		t.Errorf("exit code %d; want the importer's finding and no other's:\n%s", code, out)
	}
	if out, code := run(t, tool, "changed"); code != 2 || !strings.Contains(out, "usage: idemlint changed") {
		t.Errorf("without files: exit code %d\n%s", code, out)
	}
	if out, code := run(t, tool, "changed", "../LICENSE"); code != 0 {
		t.Errorf("a file that is no Go: exit code %d\n%s", code, out)
	}
}

// -fix shows what is left, and fails for it.
func TestFixReportsTheRest(t *testing.T) {
	dir := copyOfExamples(t)
	out, code := runIn(t, dir, tool, "-fix", "./...")
	if code != 3 || !strings.Contains(out, "placed.go:63:") || strings.Contains(out, "events.go:63:") {
		t.Errorf("exit code %d, want 3, what has no fix and nothing else:\n%s", code, out)
	}
	if out, code := runIn(t, dir, tool, "-fix", "-format=github", "./..."); code != 3 || !strings.Contains(out, "placed.go,line=63") {
		t.Errorf("in a format: exit code %d\n%s", code, out)
	}
	if out, code := runIn(t, dir, tool, "-fix", "-eventidv7", "./..."); code != 0 || out != "" {
		t.Errorf("nothing is left: exit code %d\n%s", code, out)
	}
}

// A package and its tests' variant are one in -json.
func TestJSONOnce(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, name), text)
	}
	write("go.mod", "module example.com/app\n\ngo 1.26\n")
	write("a.go", "// Package app makes a table.\npackage app\n\nconst ddl = `CREATE TABLE processed_event (event_id UUID)`\n")
	write("a_test.go", "package app\n\nimport \"testing\"\n\nfunc TestX(t *testing.T) { t.Log(ddl) }\n")
	out, code := runIn(t, dir, tool, "-json", "./...")
	if code != 0 || strings.Count(out, "R-KFK-IDEM-2: ") != 1 {
		t.Errorf("exit code %d\n%s", code, out)
	}
	if out, _ := runIn(t, dir, "go", "vet", "-vettool="+tool, "-json", "./..."); strings.Count(out, "R-KFK-IDEM-2: ") != 1 {
		t.Errorf("go vet -json:\n%s", out)
	}
}

// Code of a newer Go is one clear line.
func TestNewerGo(t *testing.T) {
	dir := t.TempDir()
	script := "#!/bin/sh\nif [ \"$1 $2\" = \"env GOVERSION\" ]; then echo go1.99.1; else echo flood >&2; exit 1; fi\n"
	if err := os.WriteFile(filepath.Join(dir, "go"), []byte(script), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	out, code := runIn(t, dir, tool, "./...")
	if code != 1 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "the code is of go1.99, this idemlint was built with go1.") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// service is a module with one finding of a table in a function and one of the same
// text in another.
func service(t *testing.T) (dir string, write func(name, text string)) {
	t.Helper()
	dir = t.TempDir()
	write = func(name, text string) {
		t.Helper()
		writeFile(t, filepath.Join(dir, name), text)
	}
	write("go.mod", "module example.com/app\n\ngo 1.26\n")
	write("a.go", "// Package app makes tables.\npackage app\n\nfunc old() string { /* é */ return `CREATE TABLE processed_event (event_id UUID)` }\n")
	return dir, write
}

func TestFormats(t *testing.T) {
	dir, _ := service(t)
	out, code := runIn(t, dir, tool, "-format", "text", "./...")
	if code != 3 || !strings.HasPrefix(out, "a.go:4:") || !strings.Contains(out, "R-KFK-IDEM-2") {
		t.Errorf("text: exit code %d\n%s", code, out)
	}
	out, code = runIn(t, dir, tool, "-format=github", "./...")
	if code != 3 || !strings.HasPrefix(out, "::error file=a.go,line=4,col=") || !strings.Contains(out, "title=R-KFK-IDEM-2 dedupschema::R-KFK-IDEM-2: ") {
		t.Errorf("github: exit code %d\n%s", code, out)
	}
	out, code = runIn(t, dir, tool, "-format=json", "./...")
	var list []struct {
		Rule, ID, File, Package, Function, Help string
		Line, Column                            int
	}
	if err := json.Unmarshal([]byte(out), &list); err != nil || code != 3 || len(list) != 1 {
		t.Fatalf("json: exit code %d, %v\n%s", code, err, out)
	}
	if f := list[0]; f.Rule != "dedupschema" || f.ID != "R-KFK-IDEM-2" || f.File != "a.go" || f.Line != 4 || f.Function != "old" || f.Package != "example.com/app" || !strings.HasSuffix(f.Help, "dedupschema.md") {
		t.Errorf("json: %+v", f)
	}
	col := list[0].Column
	out, _ = runIn(t, dir, tool, "-format=sarif", "./...")
	if want := fmt.Sprintf(`"startColumn": %d`, col-1); !strings.Contains(out, want) { // é has two bytes
		t.Errorf("sarif lacks %s:\n%s", want, out)
	}
	if out, code := runIn(t, dir, tool, "-format", "xml", "./..."); code != 2 || !strings.Contains(out, "it may be github, json, sarif, text") {
		t.Errorf("xml: exit code %d\n%s", code, out)
	}
}

// A baseline knows its findings when lines move, and not what is new.
func TestBaseline(t *testing.T) {
	dir, write := service(t)
	if out, code := runIn(t, dir, tool, "baseline", "write"); code != 0 || !strings.Contains(out, "1 findings in .idemlint-baseline.json") {
		t.Fatalf("exit code %d\n%s", code, out)
	}
	if out, code := runIn(t, dir, tool, "-baseline", ".idemlint-baseline.json", "./..."); code != 0 || out != "" {
		t.Errorf("a known finding: exit code %d\n%s", code, out)
	}
	write("a.go", "// Package app makes tables.\npackage app\n\n// moved\n\n\nfunc old() string { return `CREATE TABLE processed_event (event_id UUID)` }\n")
	if out, code := runIn(t, dir, tool, "-baseline", ".idemlint-baseline.json", "./..."); code != 0 || out != "" {
		t.Errorf("moved lines: exit code %d\n%s", code, out)
	}
	write("b.go", "package app\n\nfunc another() string { return `CREATE TABLE inbox (event_id UUID)` }\n")
	if out, code := runIn(t, dir, tool, "-baseline=.idemlint-baseline.json", "-format=text", "./..."); code != 3 || !strings.HasPrefix(out, "b.go:3:") || strings.Count(out, "\n") != 1 {
		t.Errorf("a new finding: exit code %d\n%s", code, out)
	}
	write("bad.json", "{}")
	if out, code := runIn(t, dir, tool, "-baseline=bad.json", "./..."); code != 1 || !strings.Contains(out, "version 0") {
		t.Errorf("no baseline: exit code %d\n%s", code, out)
	}
	if out, code := runIn(t, dir, tool, "baseline"); code != 2 || !strings.Contains(out, "usage: idemlint baseline write") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}

// What go vet keeps does not outlive a change of an SQL file or of the configuration.
func TestCacheKey(t *testing.T) {
	dir, write := service(t)
	write("a.go", "// Package app claims events.\npackage app\n\nimport \"database/sql\"\n\nfunc first(tx *sql.Tx, id string) error {\n\t_, err := tx.Exec(`INSERT INTO processed_event (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)\n\treturn err\n}\n")
	write("migrations/1.sql", "CREATE TABLE processed_event (event_id UUID PRIMARY KEY);")
	check := func(when string, want int) {
		t.Helper()
		for _, cmd := range [][]string{{tool, "./..."}, {"go", "vet", "-vettool=" + tool, "./..."}} {
			if out, _ := runIn(t, dir, cmd[0], cmd[1:]...); strings.Count(out, "R-KFK-IDEM-2: ") != want {
				t.Errorf("%s, %s: want %d findings:\n%s", when, cmd[0], want, out)
			}
		}
	}
	check("a key", 0)
	check("cached", 0)
	write("migrations/2.sql", "ALTER TABLE processed_event DROP CONSTRAINT processed_event_pkey;")
	check("without a key", 1)
	// From a directory below, the module's SQL files are the same.
	if err := os.MkdirAll(filepath.Join(dir, "cmd", "app"), 0o750); err != nil {
		t.Fatal(err)
	}
	below := func(when string, want int) {
		t.Helper()
		if out, _ := runIn(t, filepath.Join(dir, "cmd", "app"), tool, "example.com/app"); strings.Count(out, "R-KFK-IDEM-2: ") != want {
			t.Errorf("%s, from below: want %d findings:\n%s", when, want, out)
		}
	}
	below("without a key", 1)
	write("migrations/3.sql", "ALTER TABLE processed_event ADD PRIMARY KEY (event_id);")
	below("with a key again", 0)
	if err := os.Remove(filepath.Join(dir, "migrations", "3.sql")); err != nil {
		t.Fatal(err)
	}
	write(".idemlint.yml", "rules: {dedupschema: false}\n")
	check("switched off", 0)
}

// Both ways to load the code give the same findings.
func TestLoad(t *testing.T) {
	byVet, code := run(t, tool, "./onconflict/...", "./listenerdedup/trials/...")
	if code != 3 {
		t.Fatalf("exit code %d\n%s", code, byVet)
	}
	fromSource, code := run(t, tool, "-load=source", "./onconflict/...", "./listenerdedup/trials/...")
	if code != 3 {
		t.Fatalf("exit code %d\n%s", code, fromSource)
	}
	if a, b := findings(byVet), findings(fromSource); len(a) < 50 || !slices.Equal(a, b) {
		t.Errorf("by go vet %d findings, from source %d:\n%s\nand\n%s", len(a), len(b), strings.Join(a, "\n"), strings.Join(b, "\n"))
	}
	if out, code := run(t, tool, "-load=sauce", "./onconflict/..."); code != 2 || !strings.Contains(out, "it may be source, vet") {
		t.Errorf("exit code %d\n%s", code, out)
	}
}
