package program

import (
	"go/ast"
	"go/types"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"
)

// sourceFunctions returns the functions, methods and function literals of the
// package, the package initialiser included.
func sourceFunctions(pass *analysis.Pass, pkg *ssa.Package) []*ssa.Function {
	var out []*ssa.Function
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || fn.Blocks == nil {
			return
		}
		out = append(out, fn)
		for _, anon := range fn.AnonFuncs {
			add(anon)
		}
	}
	add(pkg.Func("init"))
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			if fd, ok := decl.(*ast.FuncDecl); ok {
				if obj, ok := pass.TypesInfo.Defs[fd.Name].(*types.Func); ok {
					add(pkg.Prog.FuncValue(obj))
				}
			}
		}
	}
	return out
}

// ListenerDirective marks a function as a listener whose caller cannot be seen.
const ListenerDirective = "//idemlint:listener"

func listenerDirectives(pass *analysis.Pass) map[types.Object]bool {
	out := make(map[types.Object]bool)
	for _, file := range pass.Files {
		for _, decl := range file.Decls {
			fd, ok := decl.(*ast.FuncDecl)
			if !ok || fd.Doc == nil {
				continue
			}
			for _, c := range fd.Doc.List {
				if c.Text == ListenerDirective || strings.HasPrefix(c.Text, ListenerDirective+" ") {
					out[pass.TypesInfo.Defs[fd.Name]] = true
				}
			}
		}
	}
	return out
}
