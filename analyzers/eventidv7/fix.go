package eventidv7

import (
	"go/ast"
	"go/token"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
)

// callAt returns the call of the function with that full name whose parenthesis
// stands at pos, and the name by which the file imports its package.
func callAt(pass *analysis.Pass, pos token.Pos, name string) (call *ast.CallExpr, pkg string) {
	for _, f := range pass.Files {
		if pos < f.FileStart || f.FileEnd < pos {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			c, ok := n.(*ast.CallExpr)
			if !ok || c.Lparen != pos {
				return true
			}
			sel, ok := c.Fun.(*ast.SelectorExpr)
			if !ok || sel.Sel.Name != name[strings.LastIndexByte(name, '.')+1:] {
				return true
			}
			if x, ok := sel.X.(*ast.Ident); ok {
				call, pkg = c, x.Name
			}
			return true
		})
	}
	return call, pkg
}

// The libraries whose v7 differs from their other generators in its results.
const (
	google   = "github.com/google/uuid"
	standard = "uuid" // of Go 1.27: NewV7 returns one value
)

// replacement returns the call of the same library's version 7 that returns what
// the named generator returns, "" when there is none.
func replacement(cat *catalog.Catalog, name, pkg string) string {
	lib, fn := name[:strings.LastIndexByte(name, '.')], name[strings.LastIndexByte(name, '.')+1:]
	if row := cat.Row(lib + ".NewV7"); row == nil || row.Gen != catalog.UUIDv7 {
		return ""
	}
	switch {
	case lib == google && fn == "New":
		return pkg + ".Must(" + pkg + ".NewV7())"
	case lib == google && fn == "NewString":
		return pkg + ".Must(" + pkg + ".NewV7()).String()"
	case lib == google, lib == standard, strings.HasPrefix(fn, "NewV"):
		return pkg + ".NewV7()"
	}
	return ""
}

// remedy names what to call instead.
func remedy(name string) string {
	switch lib := name[:strings.LastIndexByte(name, '.')]; {
	case lib == google && strings.HasSuffix(name, ".NewString"):
		return ": uuid.Must(uuid.NewV7()).String()"
	case lib == google:
		return ": uuid.Must(uuid.NewV7())"
	case lib == standard, strings.HasPrefix(lib, "github.com/gofrs/uuid"):
		return ": uuid.NewV7()"
	}
	return ", with github.com/google/uuid: uuid.Must(uuid.NewV7())"
}
