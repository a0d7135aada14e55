package dedupschema

import (
	"go/ast"
	"go/constant"
	"go/types"
	"strings"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/schema"
	"github.com/idemlint/idemlint/internal/sqltext"
)

// entSchemas judges the dedup tables that ent makes from the schema types of the
// package: what their methods Fields, Indexes and Annotations return, as far as it is
// written out.
func entSchemas(p *rule.Pass) {
	tables := make(map[string]*schema.Table)
	decls := make(map[string]*ast.FuncDecl)
	for _, f := range p.Files {
		for _, d := range f.Decls {
			fd, ok := d.(*ast.FuncDecl)
			if !ok || fd.Recv == nil || fd.Body == nil || len(fd.Recv.List) == 0 {
				continue
			}
			recv := types.ExprString(fd.Recv.List[0].Type)
			recv = strings.TrimPrefix(recv, "*")
			if !embedsEnt(p, recv) {
				continue
			}
			t := tables[recv]
			if t == nil {
				t = &schema.Table{Name: flow.SnakePlural(recv)}
				tables[recv] = t
			}
			switch fd.Name.Name {
			case "Fields":
				decls[recv] = fd
				entFields(p, fd, t)
			case "Indexes":
				entIndexes(p, fd, t)
			case "Annotations":
				entName(p, fd, t)
			}
		}
	}
	for recv, fd := range decls {
		t := tables[recv]
		if !hasColumn(t, "id") { // ent's own
			t.Columns = append(t.Columns, sqltext.Column{Name: "id", Type: "bigint", Serial: true})
		}
		t.Keys = append(t.Keys, schema.Key{Key: sqltext.Key{Columns: []string{"id"}, Primary: true}})
		if !t.Dedup(p.Settings) {
			continue
		}
		for _, f := range t.Judge(p.Settings) {
			p.Report(report.Finding{Pos: fd.Name.Pos(), Message: f.Message})
		}
	}
}

// embedsEnt reports whether the package's type of that name is a schema of ent.
func embedsEnt(p *rule.Pass, name string) bool {
	obj := p.Pkg.Scope().Lookup(name)
	if obj == nil {
		return false
	}
	st, ok := obj.Type().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range st.Fields() {
		if f.Embedded() && types.TypeString(f.Type(), nil) == "entgo.io/ent.Schema" {
			return true
		}
	}
	return false
}

func hasColumn(t *schema.Table, name string) bool {
	for _, c := range t.Columns {
		if c.Name == name {
			return true
		}
	}
	return false
}

// chains calls visit for each chain of calls that starts at a function of one of ent's
// packages: field.UUID("event_id", …).Unique(). mods are the methods called on it.
func chains(p *rule.Pass, fd *ast.FuncDecl, pkg string, visit func(first *ast.CallExpr, mods map[string]*ast.CallExpr)) {
	seen := make(map[*ast.CallExpr]bool)
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || seen[call] {
			return true
		}
		mods := make(map[string]*ast.CallExpr)
		for at := call; ; {
			seen[at] = true
			sel, ok := at.Fun.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if inner, ok := sel.X.(*ast.CallExpr); ok {
				mods[sel.Sel.Name] = at
				at = inner
				continue
			}
			if id, ok := sel.X.(*ast.Ident); ok {
				if pn, ok := p.TypesInfo.Uses[id].(*types.PkgName); ok && pn.Imported().Path() == pkg {
					visit(at, mods)
				}
			}
			return true
		}
	})
}

func text(p *rule.Pass, e ast.Expr) string {
	if v := p.TypesInfo.Types[e].Value; v != nil && v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return ""
}

func entFields(p *rule.Pass, fd *ast.FuncDecl, t *schema.Table) {
	chains(p, fd, "entgo.io/ent/schema/field", func(first *ast.CallExpr, mods map[string]*ast.CallExpr) {
		if len(first.Args) == 0 {
			return
		}
		name := text(p, first.Args[0])
		if key := mods["StorageKey"]; key != nil && len(key.Args) == 1 {
			name = text(p, key.Args[0])
		}
		if name == "" {
			t.Unknown = true
			return
		}
		c := sqltext.Column{Name: name}
		if def := mods["Default"]; def != nil && len(def.Args) == 1 {
			switch types.ExprString(def.Args[0]) {
			case "time.Now":
				c.Default = "now()"
			case "uuid.New", "uuid.NewString":
				c.Default = "gen_random_uuid()"
			}
		}
		t.Columns = append(t.Columns, c)
		if mods["Unique"] != nil {
			t.Keys = append(t.Keys, schema.Key{Key: sqltext.Key{Columns: []string{name}}})
		}
	})
}

func entIndexes(p *rule.Pass, fd *ast.FuncDecl, t *schema.Table) {
	chains(p, fd, "entgo.io/ent/schema/index", func(first *ast.CallExpr, mods map[string]*ast.CallExpr) {
		if mods["Unique"] == nil {
			return
		}
		var key sqltext.Key
		for _, a := range first.Args {
			key.Columns = append(key.Columns, text(p, a))
		}
		key.Partial = mods["Edges"] != nil || mods["Annotations"] != nil
		t.Keys = append(t.Keys, schema.Key{Key: key})
	})
}

// entName reads the table's name of entsql.Annotation{Table: "…"} or entsql.Table("…").
func entName(p *rule.Pass, fd *ast.FuncDecl, t *schema.Table) {
	ast.Inspect(fd.Body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr:
			if types.ExprString(n.Key) == "Table" {
				t.Name = text(p, n.Value)
			}
		case *ast.CallExpr:
			if strings.HasSuffix(types.ExprString(n.Fun), ".Table") && len(n.Args) == 1 {
				t.Name = text(p, n.Args[0])
			}
		}
		return true
	})
}
