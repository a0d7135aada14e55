package program

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/linttest"
	"github.com/idemlint/idemlint/internal/summary"
)

func load(t *testing.T, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Mode: packages.LoadAllSyntax, Dir: dir, Env: append(os.Environ(), "GOWORK=off"),
	}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	if len(pkgs) == 0 {
		t.Fatalf("%v: no packages", patterns)
	}
	return pkgs
}

// outcome is what the analyzer makes of one package.
type outcome struct {
	prog *Program
	fact *summary.Fact // nil when none was exported
	err  error
}

func analyze(t *testing.T, pkgs []*packages.Package, opts *checker.Options) map[string]outcome {
	t.Helper()
	g, err := checker.Analyze([]*analysis.Analyzer{Analyzer}, pkgs, opts)
	if err != nil {
		t.Fatal(err)
	}
	out := make(map[string]outcome)
	for _, act := range g.Roots {
		o := outcome{err: act.Err}
		o.prog, _ = act.Result.(*Program)
		if f := new(summary.Fact); act.PackageFact(act.Package.Types, f) {
			o.fact = f
		}
		out[act.Package.PkgPath] = o
	}
	return out
}

var cases = sync.OnceValues(func() ([]*packages.Package, error) {
	return packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: linttest.Testdata()}, "./listenerdedup/...", "./offsetkey/...")
})

func loadCases(t *testing.T) []*packages.Package {
	t.Helper()
	if testing.Short() {
		t.Skip("loads the libraries of the testdata module from source")
	}
	pkgs, err := cases()
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// The budgets of what a package hands to its importers, about one and a half
// times the largest of today.
const (
	maxPackageBytes     = 70_000 // one package's own section
	maxFuncBytes        = 1_600  // the largest function, with its share of the tables
	maxFuncBytesAverage = 750    // of packages with five functions or more
	maxFactBytes        = 75_000 // own section and those from beneath
)

func TestFactSize(t *testing.T) {
	var largest struct{ pkg, fn, average, fact int }
	packages, functions := 0, 0
	for path, o := range analyze(t, loadCases(t), nil) {
		if o.err != nil || o.prog == nil || o.prog.Own == nil {
			t.Errorf("%s: no summary: %v", path, o.err)
			continue
		}
		own := o.prog.Own
		packages++
		functions += len(own.Funcs)
		size := len(own.Encode())
		largest.pkg = max(largest.pkg, size)
		if size > maxPackageBytes {
			t.Errorf("%s: %d bytes, the budget is %d", path, size, maxPackageBytes)
		}
		if n := len(own.Funcs); n >= 5 {
			largest.average = max(largest.average, size/n)
			if size/n > maxFuncBytesAverage {
				t.Errorf("%s: %d bytes for each of %d functions, the budget is %d", path, size/n, n, maxFuncBytesAverage)
			}
		}
		with := func(funcs ...*summary.Func) *summary.Package {
			return &summary.Package{Path: own.Path, Strings: own.Strings, Types: own.Types, Funcs: funcs, Structs: own.Structs, Brokers: own.Brokers, Kafka: own.Kafka}
		}
		rest := with()
		empty := len(rest.Encode())
		for _, f := range own.Funcs {
			one := with(f)
			n := len(one.Encode()) - empty
			largest.fn = max(largest.fn, n)
			if n > maxFuncBytes {
				t.Errorf("%s: %d bytes, the budget is %d", f.Name, n, maxFuncBytes)
			}
		}
		total := 0
		for _, s := range o.fact.Sections {
			total += len(s.Data)
		}
		largest.fact = max(largest.fact, total)
		if total > maxFactBytes {
			t.Errorf("%s: a fact of %d bytes, the budget is %d", path, total, maxFactBytes)
		}
	}
	t.Logf("%d packages, %d functions; the largest: %+v", packages, functions, largest)
	if packages < 40 || functions < 1000 {
		t.Errorf("only %d packages and %d functions measured", packages, functions)
	}
}

// TestFacts: what is exported decodes to what the package itself sees, and
// carries the packages beneath.
func TestFacts(t *testing.T) {
	out := analyze(t, loadCases(t), nil)
	for path, o := range out {
		if o.fact == nil {
			t.Errorf("%s: no fact", path)
			continue
		}
		last := ""
		for _, s := range o.fact.Sections {
			if s.Path <= last {
				t.Errorf("%s: section %s after %s", path, s.Path, last)
			}
			last = s.Path
			pkg, err := summary.Decode(s.Data)
			if err != nil {
				t.Errorf("%s: section %s: %v", path, s.Path, err)
				continue
			}
			if pkg.Path != s.Path {
				t.Errorf("%s: section %s holds %s", path, s.Path, pkg.Path)
			}
			if s.Path == path && !bytes.Equal(pkg.Encode(), o.prog.Own.Encode()) {
				t.Errorf("%s: the exported summary differs from the package's own", path)
			}
			if seen := o.prog.Packages()[s.Path]; seen == nil || len(seen.Funcs) != len(pkg.Funcs) {
				t.Errorf("%s: Packages() has no %s", path, s.Path)
			}
		}
		if o.prog.Packages()[path] != o.prog.Own {
			t.Errorf("%s: Packages() does not hold its own summary", path)
		}
	}
	// desk imports gate and recid directly, and recid's importers bring it along.
	desk := "example.com/cases/offsetkey/xpkg/desk"
	for _, want := range []string{desk, "example.com/cases/offsetkey/xpkg/gate", "example.com/cases/offsetkey/xpkg/recid"} {
		if out[desk].prog.Packages()[want] == nil {
			t.Errorf("%s does not see %s", desk, want)
		}
	}
	// wirebad reaches gate only through others.
	wire := "example.com/cases/offsetkey/xpkg/wirebad"
	if out[wire].prog.Packages()["example.com/cases/offsetkey/xpkg/gate"] == nil {
		t.Errorf("%s does not see a package two imports away", wire)
	}
}

func TestDeterminism(t *testing.T) {
	pkgs := loadCases(t)
	a := analyze(t, pkgs, &checker.Options{SanityCheck: true})
	b := analyze(t, pkgs, &checker.Options{Sequential: true})
	if len(a) != len(b) {
		t.Fatalf("%d and %d packages", len(a), len(b))
	}
	for path := range a {
		if !reflect.DeepEqual(a[path].fact, b[path].fact) {
			t.Errorf("%s: two runs export different bytes", path)
		}
	}
}

// module writes a module and returns its directory.
func module(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	if _, ok := files["go.mod"]; !ok {
		files["go.mod"] = "module example.com/m\n\ngo 1.26\n"
	}
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestIrrelevantPackages(t *testing.T) {
	out := analyze(t, load(t, module(t, map[string]string{
		"plain/p.go":     "package plain\n\nimport \"fmt\"\n\ntype T struct{ A int }\n\nfunc F(t T) { fmt.Println(t) }\n",
		"above/a.go":     "package above\n\nimport \"example.com/m/plain\"\n\nfunc F() { plain.F(plain.T{}) }\n",
		"store/s.go":     "package store\n\nimport \"database/sql\"\n\nfunc F(db *sql.DB) error { return db.Ping() }\n",
		"over/o.go":      "package over\n\nimport \"example.com/m/store\"\n\nfunc F() error { return store.F(nil) }\n",
		"top/t.go":       "package top\n\nimport (\n\t\"example.com/m/over\"\n\t\"example.com/m/plain\"\n)\n\nfunc F() error { plain.F(plain.T{}); return over.F() }\n",
		"listener/l.go":  "package listener\n\n//idemlint:listener\nfunc On(b []byte) {}\n",
		"typeerror/x.go": "package typeerror\n\nimport \"database/sql\"\n\nvar X *sql.DB = 1\n",
		"onbroken/x.go":  "package onbroken\n\nimport \"example.com/m/typeerror\"\n\nvar Y = typeerror.X\n",
	}), "./..."), nil)
	for name, want := range map[string]struct {
		own      bool
		fact     bool
		sections []string
	}{
		"plain":     {false, true, nil},
		"above":     {false, true, nil},
		"store":     {true, true, []string{"store"}},
		"over":      {true, true, []string{"over", "store"}},
		"top":       {true, true, []string{"over", "store", "top"}},
		"listener":  {true, true, []string{"listener"}},
		"typeerror": {false, false, nil},
		"onbroken":  {false, true, nil},
	} {
		o, ok := out["example.com/m/"+name]
		if !ok || o.err != nil {
			t.Errorf("%s: %v", name, o.err)
			continue
		}
		if (o.prog.Own != nil) != want.own {
			t.Errorf("%s: has a summary: %v, want %v", name, o.prog.Own != nil, want.own)
		}
		if (o.fact != nil) != want.fact {
			t.Errorf("%s: has a fact: %v, want %v", name, o.fact != nil, want.fact)
			continue
		}
		var sections []string
		if o.fact != nil {
			for _, s := range o.fact.Sections {
				sections = append(sections, strings.TrimPrefix(s.Path, "example.com/m/"))
			}
		}
		if !reflect.DeepEqual(sections, want.sections) {
			t.Errorf("%s: sections %v, want %v", name, sections, want.sections)
		}
		if o.prog.Own == nil && len(o.prog.Packages()) != 0 {
			t.Errorf("%s: Packages() = %v", name, o.prog.Packages())
		}
	}
}

// TestLibraries: neither the standard library nor a catalogued library is
// summarised, though both import stores.
func TestLibraries(t *testing.T) {
	out := analyze(t, load(t, linttest.Testdata(), "database/sql", "net/http", "github.com/jmoiron/sqlx", "github.com/segmentio/kafka-go"), nil)
	if len(out) != 4 {
		t.Fatalf("%d packages", len(out))
	}
	for path, o := range out {
		if o.err != nil || o.prog.Own != nil || o.fact != nil {
			t.Errorf("%s: own %v, fact %v, %v", path, o.prog.Own, o.fact, o.err)
		}
	}
}

func TestRequiresClient(t *testing.T) {
	cat := catalog.New(nil)
	for name, c := range map[string]struct {
		gomod string
		want  bool
	}{
		"empty":           {"module m\n\ngo 1.26\n", false},
		"one line":        {"module m\n\nrequire github.com/IBM/sarama v1.61.1\n", true},
		"block":           {"module m\n\nrequire (\n\tgithub.com/google/uuid v1.6.0\n\tgithub.com/segmentio/kafka-go v0.4.51\n)\n", true},
		"franz-go":        {"require github.com/twmb/franz-go v1.22.3\n", true},
		"watermill-kafka": {"require github.com/ThreeDotsLabs/watermill-kafka/v3 v3.0.6\n", true},
		"comment":         {"require github.com/IBM/sarama v1.61.1 // the consumer\n", true},
		"indirect":        {"require (\n\tgithub.com/IBM/sarama v1.61.1 // indirect\n)\n", false},
		"indirect, other": {"require (\n\tgithub.com/IBM/sarama v1.61.1 // indirect\n\tgithub.com/twmb/franz-go v1.22.3\n)\n", true},
		"a store":         {"require github.com/jackc/pgx/v5 v5.13.0\n", false},
		"only watermill":  {"require github.com/ThreeDotsLabs/watermill v1.5.1\n", false},
		"another's name":  {"require github.com/IBM/sarama-tools v1.0.0\n", false},
		"replaced only":   {"replace github.com/IBM/sarama => ../sarama\n", false},
		"excluded":        {"module m\n\nexclude github.com/google/uuid v1.0.0\n", false},
	} {
		if got := requiresClient(c.gomod, cat); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestConsumesKafka(t *testing.T) {
	cat := catalog.New(nil)
	root := module(t, map[string]string{
		"go.mod":        "module example.com/m\n\nrequire github.com/IBM/sarama v1.61.1\n",
		"a/b/x.go":      "package b\n",
		"nested/go.mod": "module example.com/m/nested\n",
		"nested/c/x.go": "package c\n",
	})
	for range 2 { // the second time from memory
		for dir, want := range map[string]bool{"": true, "a/b": true, "a": true, "nested": false, "nested/c": false} {
			if got := consumesKafka(filepath.Join(root, dir), cat); got != want {
				t.Errorf("%q: %v, want %v", dir, got, want)
			}
		}
	}
}

func TestGuard(t *testing.T) {
	pass := &analysis.Pass{Analyzer: &analysis.Analyzer{Name: "rule"}, Pkg: types.NewPackage("example.com/a", "a")}
	work := func(do func() error) (err error) {
		defer Guard(pass, &err)
		return do()
	}
	if err := work(func() error { return nil }); err != nil {
		t.Errorf("no panic: %v", err)
	}
	own := errors.New("own")
	if err := work(func() error { return own }); !errors.Is(err, own) {
		t.Errorf("no panic, but an error: %v", err)
	}
	var none []int
	for what, do := range map[string]func() error{
		"boom":               func() error { panic("boom") },
		"own":                func() error { panic(own) },
		"index out of range": func() error { return fmt.Errorf("%d", none[len(none)]) },
	} {
		err := work(do)
		if err == nil {
			t.Errorf("%s: the panic is lost", what)
			continue
		}
		for _, want := range []string{"rule: ", "example.com/a", what, "please report it", "program_test.go"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not say %q: %v", what, want, err)
			}
		}
	}
}

// TestGuardInDriver: a panic over one package leaves the others alone.
func TestGuardInDriver(t *testing.T) {
	pkgs := load(t, module(t, map[string]string{"a/a.go": "package a\n", "b/b.go": "package b\n"}), "./...")
	fragile := &analysis.Analyzer{
		Name: "fragile", Doc: "panics over package a",
		Run: func(pass *analysis.Pass) (result any, err error) {
			defer Guard(pass, &err)
			if pass.Pkg.Name() == "a" {
				panic("boom")
			}
			return nil, nil
		},
	}
	g, err := checker.Analyze([]*analysis.Analyzer{fragile}, pkgs, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(g.Roots) != 2 {
		t.Fatalf("%d packages", len(g.Roots))
	}
	for _, act := range g.Roots {
		if act.Package.Name == "b" {
			if act.Err != nil {
				t.Errorf("b: %v", act.Err)
			}
		} else if act.Err == nil || !strings.Contains(act.Err.Error(), "fragile: internal error on package example.com/m/a: boom") {
			t.Errorf("a: %v", act.Err)
		}
	}
}

func TestNames(t *testing.T) {
	const src = `package p

type T struct{}
func (T) Value() {}
func (*T) Pointer() {}

type G[K comparable, V any] struct{ v V }
func (G[K, V]) Get() V { panic(0) }
func (*G[K, V]) Set(v V) {}

type I interface{ Do(x int) error }
type Alias = map[string]*T

func F[X any](x X) X { return x }
func init() {}

var (
	a int
	b *T
	c []T
	d map[string][]*T
	e chan error
	f func(a int, b ...string) (T, error)
	g G[string, int]
	h *G[int, T]
	i Alias
	j I
	k any
	l **T
	m [3]T
	n struct{ A T }
	o struct{ A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W map[string]map[string]map[string]int }
)
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", src, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, err := new(types.Config).Check("example.com/x/vendor/example.com/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"a": "int",
		"b": "*example.com/p.T",
		"c": "[]example.com/p.T",
		"d": "map[string][]*example.com/p.T",
		"e": "chan error",
		"f": "func(int,[]string)(example.com/p.T,error)",
		"g": "example.com/p.G",
		"h": "*example.com/p.G",
		"i": "map[string]*example.com/p.T",
		"j": "example.com/p.I",
		"l": "**example.com/p.T",
	} {
		if got := TypeName(pkg.Scope().Lookup(name).Type()); got != want {
			t.Errorf("TypeName(%s) = %q, want %q", name, got, want)
		}
	}
	if TypeName(nil) != "" {
		t.Errorf("TypeName(nil) = %q", TypeName(nil))
	}
	if long := TypeName(pkg.Scope().Lookup("o").Type()); len(long) != maxTypeName {
		t.Errorf("a type without a name has a text of %d bytes, the bound is %d", len(long), maxTypeName)
	}
	method := func(typ, name string) *types.Func {
		obj, _, _ := types.LookupFieldOrMethod(pkg.Scope().Lookup(typ).Type(), true, pkg, name)
		return obj.(*types.Func)
	}
	for want, fn := range map[string]*types.Func{
		"example.com/p.F":            pkg.Scope().Lookup("F").(*types.Func),
		"(example.com/p.T).Value":    method("T", "Value"),
		"(*example.com/p.T).Pointer": method("T", "Pointer"),
		"(example.com/p.G).Get":      method("g", "Get"),
		"(*example.com/p.G).Set":     method("h", "Set"),
		"(example.com/p.I).Do":       method("I", "Do"),
		"(error).Error":              types.Universe.Lookup("error").Type().Underlying().(*types.Interface).Method(0),
	} {
		if got := FuncName(fn); got != want {
			t.Errorf("FuncName = %q, want %q", got, want)
		}
	}
	for path, want := range map[string]string{
		"example.com/p":                     "example.com/p",
		"example.com/x/vendor/net/p":        "net/p",
		"a/vendor/b/vendor/c":               "c",
		"example.com/vendored/p":            "example.com/vendored/p",
		"vendor/golang.org/x/net/http/http": "vendor/golang.org/x/net/http/http",
	} {
		if got := StripVendor(path); got != want {
			t.Errorf("StripVendor(%q) = %q, want %q", path, got, want)
		}
	}
}
