package onconflict

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/sqltext"
)

// fixes offers to add the clause when the statement's text is one literal of
// this package.
func fixes(pass *analysis.Pass, o *flow.Op, at token.Pos) []analysis.SuggestedFix {
	s := o.Stmt
	if !s.Raw || s.Partial || s.Conflict != sqltext.Fails || !numbered(s.Text) {
		return nil
	}
	lit := literal(pass, at, s.Text)
	if lit == nil {
		return nil
	}
	offset, ok := clauseOffset(lit.Value)
	if !ok {
		return nil
	}
	const clause = " ON CONFLICT DO NOTHING"
	pos := lit.Pos() + token.Pos(offset)
	return []analysis.SuggestedFix{{
		Message:   "Add ON CONFLICT DO NOTHING",
		TextEdits: []analysis.TextEdit{{Pos: pos, End: pos, NewText: []byte(clause)}},
	}}
}

// numbered reports whether the text is in a dialect that knows the clause for
// sure: its parameters are numbered or named. MySQL writes question marks.
func numbered(text string) bool {
	return strings.Contains(text, "$1") || strings.Contains(text, ":") || strings.Contains(text, "@")
}

// literal finds the string literal with that value in the call at pos, or in the
// declaration of the constant or variable that the call names.
func literal(pass *analysis.Pass, pos token.Pos, text string) *ast.BasicLit {
	var found *ast.BasicLit
	match := func(e ast.Expr) {
		if lit, ok := ast.Unparen(e).(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if v, err := strconv.Unquote(lit.Value); err == nil && v == text {
				found = lit
			}
		}
	}
	for _, f := range pass.Files {
		if pos < f.FileStart || pos > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || pos < call.Pos() || pos > call.End() {
				return n == nil || n.Pos() <= pos && pos <= n.End()
			}
			for _, arg := range call.Args {
				match(arg)
				if id, ok := ast.Unparen(arg).(*ast.Ident); ok && found == nil {
					match(declared(pass, pass.TypesInfo.Uses[id]))
				}
			}
			return true
		})
	}
	return found
}

// declared returns the expression that a constant or variable of the package is
// declared with.
func declared(pass *analysis.Pass, obj types.Object) ast.Expr {
	var out ast.Expr = &ast.BadExpr{}
	if obj == nil || obj.Pkg() != pass.Pkg {
		return out
	}
	for _, f := range pass.Files {
		if obj.Pos() < f.FileStart || obj.Pos() > f.FileEnd {
			continue
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.ValueSpec:
				for i, name := range n.Names {
					if pass.TypesInfo.Defs[name] == obj && i < len(n.Values) {
						out = n.Values[i]
					}
				}
			case *ast.AssignStmt:
				for i, l := range n.Lhs {
					if id, ok := l.(*ast.Ident); ok && pass.TypesInfo.Defs[id] == obj && i < len(n.Rhs) {
						out = n.Rhs[i]
					}
				}
			}
			return true
		})
	}
	return out
}

// clauseOffset returns where in a quoted literal the clause goes: before
// RETURNING, else before a closing semicolon and white space.
func clauseOffset(quoted string) (int, bool) {
	lower := strings.ToLower(quoted)
	end := len(quoted) - 1
	if i := strings.LastIndex(lower, "returning"); i > 0 {
		end = i
	}
	for end > 1 && strings.IndexByte(" \t\n\r;", quoted[end-1]) >= 0 {
		end--
	}
	// Escaped white space at the end of an interpreted literal.
	for end > 2 && quoted[0] == '"' && (strings.HasSuffix(quoted[:end], `\n`) || strings.HasSuffix(quoted[:end], `\t`)) {
		end -= 2
	}
	return end, end > 1
}
