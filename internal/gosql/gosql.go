// Package gosql finds the SQL in a Go package that makes tables: in its constant
// strings, and in the files that it embeds.
package gosql

import (
	"go/ast"
	"go/constant"
	"go/token"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/program"
	"github.com/idemlint/idemlint/internal/schema"
)

// Package is the SQL of a Go package and the schema that it makes.
type Package struct {
	Texts  Texts
	Schema *schema.Schema
}

// Analyzer finds the SQL of a package. Its result is a func() (*Package, error), which
// searches once, when the first rule asks, and returns an error when an embedded file
// cannot be read.
var Analyzer = &analysis.Analyzer{
	Name:             "idemsql",
	Doc:              "find the SQL that makes tables",
	ResultType:       reflect.TypeFor[func() (*Package, error)](),
	RunDespiteErrors: true,
	Run: func(pass *analysis.Pass) (any, error) {
		return sync.OnceValues(func() (*Package, error) {
			if len(pass.Files) == 0 || program.IsStd(pass) {
				return &Package{Schema: schema.Read(nil)}, nil
			}
			texts, err := find(pass)
			if err != nil {
				return nil, err
			}
			return &Package{texts, schema.Read(texts.sources())}, nil
		}), nil
	},
}

// text is an SQL text in a package, and where findings about it belong.
type text struct {
	source *schema.Source
	pos    token.Pos
	raw    bool // pos is that of the text itself, byte for byte
	file   bool // the source is a file of its own
}

// Texts are the SQL texts of a package.
type Texts []text

func (ts Texts) sources() []*schema.Source {
	out := make([]*schema.Source, len(ts))
	for i := range ts {
		out[i] = ts[i].source
	}
	return out
}

// Files returns the sources that are files of their own.
func (ts Texts) Files() []*schema.Source {
	var out []*schema.Source
	for _, t := range ts {
		if t.file {
			out = append(out, t.source)
		}
	}
	return out
}

// Pos returns the Go position of a place in one of the texts.
func (ts Texts) Pos(p schema.Place) token.Pos {
	for _, t := range ts {
		if t.source == p.Source {
			if t.raw {
				return t.pos + token.Pos(p.At)
			}
			return t.pos
		}
	}
	return token.NoPos
}

// In returns a message about a place, with the file's name and line before it when
// the text is a file of its own.
func (ts Texts) In(p schema.Place, message string) string {
	for _, t := range ts {
		if t.source == p.Source && t.file {
			return t.source.Name + ":" + strconv.Itoa(p.Line()) + ": " + message
		}
	}
	return message
}

var shapes = regexp.MustCompile(`(?i)\b(create\s+(unlogged\s+|temp\s+|temporary\s+)?table|alter\s+table|create\s+unique\s+index|drop\s+table|drop\s+index|partition|cron|delete\s+from)\b`)

// find returns the SQL of the package's embedded files and of its constant strings, in
// that order, test files left out.
func find(pass *analysis.Pass) (Texts, error) {
	var out Texts
	for _, f := range pass.Files {
		name := pass.Fset.Position(f.Package).Filename
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		embedded, err := embeds(filepath.Dir(name), f)
		if err != nil {
			return nil, err
		}
		out = append(out, embedded...)
	}
	for _, f := range pass.Files {
		if strings.HasSuffix(pass.Fset.Position(f.Package).Filename, "_test.go") {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			e, ok := n.(ast.Expr)
			if !ok {
				return true
			}
			switch e.(type) {
			case *ast.BasicLit, *ast.BinaryExpr:
			default:
				return true
			}
			tv := pass.TypesInfo.Types[e]
			if tv.Value == nil || tv.Value.Kind() != constant.String {
				return true
			}
			if v := constant.StringVal(tv.Value); shapes.MatchString(v) {
				src := schema.Up(pass.Fset.Position(e.Pos()).Filename, v)
				t := text{source: src, pos: e.Pos()}
				if lit, ok := e.(*ast.BasicLit); ok && strings.HasPrefix(lit.Value, "`") && !strings.Contains(lit.Value, "\r") {
					t.raw, t.pos = true, e.Pos()+1+token.Pos(len(v)-len(src.Text))
					if !strings.HasSuffix(v, src.Text) { // a down section was cut off
						t.pos = e.Pos() + 1 + token.Pos(strings.Index(v, src.Text))
					}
				}
				out = append(out, t)
			}
			return false
		})
	}
	return out, nil
}

// embeds returns the SQL files that a Go file embeds.
func embeds(dir string, f *ast.File) (Texts, error) {
	var out Texts
	for _, group := range f.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, "//go:embed ")
			if !ok {
				continue
			}
			var paths []string
			for _, pattern := range strings.Fields(rest) {
				if unquoted, err := strconv.Unquote(pattern); err == nil {
					pattern = unquoted
				}
				found, err := filepath.Glob(filepath.Join(dir, filepath.FromSlash(strings.TrimPrefix(pattern, "all:"))))
				if err != nil {
					return nil, err
				}
				paths = append(paths, found...)
			}
			paths = slices.DeleteFunc(paths, func(p string) bool { ext := filepath.Ext(p); return ext != "" && !strings.EqualFold(ext, ".sql") })
			sources, err := schema.ReadFiles(dir, paths...)
			if err != nil {
				return nil, err
			}
			for _, s := range sources {
				out = append(out, text{source: s, pos: c.Pos(), file: true})
			}
		}
	}
	return out, nil
}
