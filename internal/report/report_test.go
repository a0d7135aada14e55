package report

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"

	"github.com/idemlint/idemlint/internal/settings"
)

func TestIgnores(t *testing.T) {
	type ignore struct {
		rules    string
		reason   string
		from, to int
	}
	for _, c := range []struct {
		name string
		src  []string
		want []ignore
	}{
		{"none", []string{"package p", "", "// nothing", "func f() {}"}, nil},
		{"the line after", []string{
			"package p", "", "func f() {", "\t//idemlint:ignore R-KFK-IDEM-X1 twice is fine", "\tg()", "\tg()", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 4, 5}}},
		{"the same line", []string{
			"package p", "", "func f() {", "\tg() //idemlint:ignore R-KFK-IDEM-X1 twice is fine", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 4, 5}}},
		{"the whole function", []string{
			"package p", "", "// f does it.", "//", "//idemlint:ignore R-KFK-IDEM-X1 twice is fine", "func f() {", "\tg()", "\tg()", "}", "", "func g() {}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 5, 9}}},
		{"the whole method", []string{
			"package p", "", "//idemlint:ignore listenerdedup twice is fine", "func (t T) f() {", "\tg()", "}",
		}, []ignore{{"listenerdedup", "twice is fine", 3, 6}}},
		{"a blank line between it and the function", []string{
			"package p", "", "//idemlint:ignore R-KFK-IDEM-X1 twice is fine", "", "func f() {", "\tg()", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 3, 4}}},
		{"more lines of the comment below it", []string{
			"package p", "", "func f() {", "\t//idemlint:ignore R-KFK-IDEM-X1 twice is fine", "\t// and so is thrice", "\tg()", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 4, 6}}},
		{"two, one below the other", []string{
			"package p", "", "func f() {", "\t//idemlint:ignore R-KFK-IDEM-X1 a", "\t//idemlint:ignore R-KFK-IDEM-X2 b", "\tg()", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "a", 4, 6}, {"R-KFK-IDEM-X2", "b", 5, 6}}},
		{"several rules", []string{
			"package p", "", "//idemlint:ignore R-KFK-IDEM-X1,offsetkey,R-KFK-IDEM-3 twice is fine", "func f() {", "}",
		}, []ignore{{"R-KFK-IDEM-X1|offsetkey|R-KFK-IDEM-3", "twice is fine", 3, 5}}},
		{"several rules, spaced", []string{
			"package p", "", "//idemlint:ignore R-KFK-IDEM-X1, offsetkey , R-KFK-IDEM-3 ,moneykey twice, or thrice", "func f() {", "}",
		}, []ignore{{"R-KFK-IDEM-X1|offsetkey|R-KFK-IDEM-3|moneykey", "twice, or thrice", 3, 5}}},
		{"several rules, no reason", []string{
			"package p", "", "//idemlint:ignore R-KFK-IDEM-X1, offsetkey,", "func f() {", "}",
		}, []ignore{{"R-KFK-IDEM-X1|offsetkey", "", 3, 5}}},
		{"no reason", []string{
			"package p", "", "//idemlint:ignore R-KFK-IDEM-X1", "func f() {", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "", 3, 5}}},
		{"spaces are no reason", []string{
			"package p", "", "//idemlint:ignore  R-KFK-IDEM-X1 \t ", "func f() {", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "", 3, 5}}},
		{"no rule", []string{
			"package p", "", "//idemlint:ignore", "func f() {", "}",
		}, []ignore{{"", "", 3, 5}}},
		{"a tab", []string{
			"package p", "", "//idemlint:ignore\tR-KFK-IDEM-X1\ttwice is fine", "func f() {", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 3, 5}}},
		{"the doc comment of a variable is a line's", []string{
			"package p", "", "//idemlint:ignore R-KFK-IDEM-X1 twice is fine", "var f = func() {", "\tg()", "}",
		}, []ignore{{"R-KFK-IDEM-X1", "twice is fine", 3, 4}}},
		{"other directives and text", []string{
			"package p", "", "//idemlint:ignored R-KFK-IDEM-X1 a", "//idemlint:listener", "// idemlint:ignore R-KFK-IDEM-X1 a", "/*idemlint:ignore R-KFK-IDEM-X1 a*/", "//nolint:idemlint // a", "func f() {", "}",
		}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			fset := token.NewFileSet()
			f, err := parser.ParseFile(fset, "p.go", strings.Join(c.src, "\n"), parser.ParseComments)
			if err != nil {
				t.Fatal(err)
			}
			var got []ignore
			for _, ig := range Ignores(fset, f) {
				if ig.File != f || ig.Used {
					t.Errorf("File or Used is wrong: %+v", ig)
				}
				if line := fset.Position(ig.Pos).Line; line != ig.From {
					t.Errorf("Pos is on line %d, From %d", line, ig.From)
				}
				got = append(got, ignore{strings.Join(ig.Rules, "|"), ig.Reason, ig.From, ig.To})
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got %+v\nwant %+v", got, c.want)
			}
		})
	}
}

var rule = Rule{ID: "R-KFK-IDEM-X1", Name: "listenerdedup"}

// pass parses files and returns a pass over them, and the lines at which it
// reports, as "file:line".
func pass(t *testing.T, files map[string]string) (*analysis.Pass, *[]string) {
	t.Helper()
	p := &analysis.Pass{Fset: token.NewFileSet()}
	for name, src := range files {
		f, err := parser.ParseFile(p.Fset, name, src, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		p.Files = append(p.Files, f)
	}
	got := new([]string)
	p.Report = func(d analysis.Diagnostic) {
		pos := p.Fset.Position(d.Pos)
		*got = append(*got, fmt.Sprintf("%s:%d", pos.Filename, pos.Line))
	}
	return p, got
}

// bad calls do for each call of a function named bad.
func bad(p *analysis.Pass, do func(pos token.Pos)) {
	for _, f := range p.Files {
		ast.Inspect(f, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if id, ok := call.Fun.(*ast.Ident); ok && id.Name == "bad" {
					do(call.Pos())
				}
			}
			return true
		})
	}
}

func TestReport(t *testing.T) {
	const body = "\nfunc f() {\n\tbad()\n}\n"
	for _, c := range []struct {
		name string
		src  string
		file string
		set  settings.Settings
		want []string
	}{
		{"plain", "package p\n" + body, "a.go", settings.Settings{}, []string{"a.go:4"}},
		{"test file", "package p\n" + body, "a_test.go", settings.Settings{}, nil},
		{"a file that is no test", "package p\n" + body, "atest.go", settings.Settings{}, []string{"atest.go:4"}},
		{"generated", "// Code generated by sqlc. DO NOT EDIT.\n\npackage p\n" + body, "a.go", settings.Settings{}, nil},
		{"generated, below a licence", "// Copyright\n\n// Code generated by sqlc. DO NOT EDIT.\n\npackage p\n" + body, "a.go", settings.Settings{}, nil},
		{"the mark below the package clause", "package p\n\n// Code generated by sqlc. DO NOT EDIT.\n" + body, "a.go", settings.Settings{}, []string{"a.go:6"}},
		{"the mark within a line", "// See: // Code generated by sqlc. DO NOT EDIT.\n\npackage p\n" + body, "a.go", settings.Settings{}, []string{"a.go:6"}},
		{"rewritten by cgo", "// Code generated by cmd/cgo; DO NOT EDIT.\n\npackage p\n" + body, "a.go", settings.Settings{}, []string{"a.go:6"}},
		{"rewritten by cgo and generated", "// Code generated by cmd/cgo; DO NOT EDIT.\n\n// Code generated by sqlc. DO NOT EDIT.\n\npackage p\n" + body, "a.go", settings.Settings{}, nil},

		{"the rule is off", "package p\n" + body, "a.go", settings.Settings{Rules: map[string]bool{"listenerdedup": false}}, nil},
		{"another rule is off", "package p\n" + body, "a.go", settings.Settings{Rules: map[string]bool{"offsetkey": false}}, []string{"a.go:4"}},

		{"directive by id", "package p\n\nfunc f() {\n\t//idemlint:ignore R-KFK-IDEM-X1 why\n\tbad()\n\tbad()\n}\n", "a.go", settings.Settings{}, []string{"a.go:6"}},
		{"directive by id in lower case", "package p\n\nfunc f() {\n\t//idemlint:ignore r-kfk-idem-x1 why\n\tbad()\n}\n", "a.go", settings.Settings{}, nil},
		{"directive by name", "package p\n\nfunc f() {\n\t//idemlint:ignore listenerdedup why\n\tbad()\n}\n", "a.go", settings.Settings{}, nil},
		{"directive among several", "package p\n\nfunc f() {\n\t//idemlint:ignore offsetkey,R-KFK-IDEM-X1 why\n\tbad()\n}\n", "a.go", settings.Settings{}, nil},
		{"directive for another rule", "package p\n\nfunc f() {\n\t//idemlint:ignore offsetkey why\n\tbad()\n}\n", "a.go", settings.Settings{}, []string{"a.go:5"}},
		{"directive without a reason", "package p\n\nfunc f() {\n\t//idemlint:ignore R-KFK-IDEM-X1\n\tbad()\n}\n", "a.go", settings.Settings{}, []string{"a.go:5"}},
		{"directive without a rule", "package p\n\nfunc f() {\n\t//idemlint:ignore\n\tbad()\n}\n", "a.go", settings.Settings{}, []string{"a.go:5"}},
		{"directive on the same line", "package p\n\nfunc f() {\n\tbad() //idemlint:ignore R-KFK-IDEM-X1 why\n}\n", "a.go", settings.Settings{}, nil},
		{"directive below", "package p\n\nfunc f() {\n\tbad()\n\t//idemlint:ignore R-KFK-IDEM-X1 why\n}\n", "a.go", settings.Settings{}, []string{"a.go:4"}},
		{"directive of a function", "package p\n\n//idemlint:ignore R-KFK-IDEM-X1 why\nfunc f() {\n\tbad()\n\n\tfunc() { bad() }()\n}\n\nfunc g() { bad() }\n", "a.go", settings.Settings{}, []string{"a.go:10"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, got := pass(t, map[string]string{c.file: c.src})
			r := New(p, rule, &settings.Loaded{Settings: &c.set})
			bad(p, func(pos token.Pos) { r.Report(Finding{Pos: pos, Message: "m"}) })
			if !reflect.DeepEqual(*got, c.want) {
				t.Errorf("reported at %v, want %v", *got, c.want)
			}
		})
	}
}

func TestReportOnce(t *testing.T) {
	p, got := pass(t, map[string]string{"a.go": "package p\n\nfunc f() {\n\tbad(); bad()\n}\n"})
	r := New(p, rule, &settings.Loaded{Settings: &settings.Settings{}})
	for range 3 {
		bad(p, func(pos token.Pos) { r.Report(Finding{Pos: pos, Message: "m"}) })
	}
	// Twice, for there are two calls on the line.
	if want := []string{"a.go:4", "a.go:4"}; !reflect.DeepEqual(*got, want) {
		t.Errorf("reported at %v, want %v", *got, want)
	}
}

// TestReportElsewhere: only the package's own files get findings, though the
// file set knows those of its imports.
func TestReportElsewhere(t *testing.T) {
	p, got := pass(t, map[string]string{"a.go": "package p\n\nfunc f() {}\n"})
	other, err := parser.ParseFile(p.Fset, "other.go", "package q\n\nfunc f() {}\n", 0)
	if err != nil {
		t.Fatal(err)
	}
	r := New(p, rule, &settings.Loaded{Settings: &settings.Settings{}})
	r.Report(Finding{Pos: other.Decls[0].Pos(), Message: "m"})
	r.Report(Finding{Pos: token.NoPos, Message: "m"})
	if len(*got) != 0 {
		t.Errorf("reported at %v", *got)
	}
	r.Report(Finding{Pos: p.Files[0].Decls[0].Pos(), Message: "m"})
	if len(*got) != 1 {
		t.Errorf("reported at %v, want a.go:3", *got)
	}
}

func TestDiagnostic(t *testing.T) {
	p, _ := pass(t, map[string]string{"a.go": "package p\n\nfunc f() {\n\tbad()\n}\n"})
	var got []analysis.Diagnostic
	p.Report = func(d analysis.Diagnostic) { got = append(got, d) }
	r := New(p, rule, &settings.Loaded{Settings: &settings.Settings{}})
	pos := p.Files[0].Decls[0].Pos()
	fixes := []analysis.SuggestedFix{{Message: "fix"}}
	r.Report(Finding{Pos: pos, Message: "no gate", Fixes: fixes, Related: []analysis.RelatedInformation{
		{Pos: pos, Message: "here"}, {Pos: token.NoPos, Message: "nowhere"}, {Pos: token.Pos(1 << 30), Message: "in no file"},
	}})
	const url = "https://github.com/idemlint/idemlint/blob/main/docs/rules/listenerdedup.md"
	want := analysis.Diagnostic{
		Pos: pos, Category: "R-KFK-IDEM-X1", URL: url, Message: "R-KFK-IDEM-X1: no gate (see " + url + ")",
		SuggestedFixes: fixes, Related: []analysis.RelatedInformation{{Pos: pos, Message: "here"}},
	}
	if len(got) != 1 || !reflect.DeepEqual(got[0], want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
}

func TestUsed(t *testing.T) {
	p, _ := pass(t, map[string]string{"a.go": `package p

func f() {
	//idemlint:ignore R-KFK-IDEM-X1 used
	bad()
	//idemlint:ignore R-KFK-IDEM-X1 nothing below it
	good()
	//idemlint:ignore R-KFK-IDEM-X1
	bad()
	//idemlint:ignore R-KFK-IDEM-X2 another rule
	bad()
}
`})
	r := New(p, rule, &settings.Loaded{Settings: &settings.Settings{}})
	bad(p, func(pos token.Pos) { r.Report(Finding{Pos: pos, Message: "m"}) })
	got := make(map[string]bool)
	for _, ig := range r.Used().Ignores {
		got[ig.Reason] = ig.Used
	}
	want := map[string]bool{"used": true, "nothing below it": false, "": false, "another rule": false}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("used: %v, want %v", got, want)
	}
}

// TestDriver runs the reporter under a real driver, which analyses a package
// and its test variants.
func TestDriver(t *testing.T) {
	dir, cleanup, err := analysistest.WriteFiles(map[string]string{
		"p/p.go": `package p

func bad() {}

func f() {
	bad() // want "R-KFK-IDEM-X1: no gate"
	//idemlint:ignore R-KFK-IDEM-X1 twice is fine
	bad()
	//idemlint:ignore R-KFK-IDEM-X1
	bad() // want "R-KFK-IDEM-X1: no gate"
}

//idemlint:ignore listenerdedup,offsetkey twice is fine
func g() {
	bad()
}
`,
		"p/p_test.go":   "package p\n\nfunc h() { bad() }\n",
		"p/x_test.go":   "package p_test\n\nfunc bad() {}\n\nfunc h() { bad() }\n",
		"p/p_string.go": "// Code generated by \"stringer\"; DO NOT EDIT.\n\npackage p\n\nfunc i() { bad() }\n",
	})
	if err != nil {
		t.Fatal(err)
	}
	defer cleanup()
	analysistest.Run(t, dir, &analysis.Analyzer{
		Name: "tiny", Doc: "reports each call of bad",
		Run: func(p *analysis.Pass) (any, error) {
			r := New(p, rule, &settings.Loaded{Settings: &settings.Settings{}})
			for range 2 {
				bad(p, func(pos token.Pos) { r.Report(Finding{Pos: pos, Message: "no gate"}) })
			}
			return nil, nil
		},
	}, "p")
}
