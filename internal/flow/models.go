package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/schema"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Tables that an ORM makes from a model's tags.

// ModelType returns the full name of the type whose row the operation writes, ""
// when it has no model.
func (o *Op) ModelType() string {
	if o.Stmt == nil || o.Stmt.Model == nil {
		return ""
	}
	v := o.Stmt.Model
	if v.Type == "" && v.Obj != nil {
		return strings.TrimLeft(v.Obj.Type, "*[]")
	}
	return strings.TrimLeft(v.Type, "*[]")
}

// migrations are the calls that make tables from models, by how their names end.
var migrations = []string{".DB).AutoMigrate", ".Migrator).AutoMigrate", ".Migrator).CreateTable", ".CreateTableQuery).Model", ".DB).ResetModel"}

// Migrated returns the table that the program makes from the tags of the model,
// nil when it makes none or the model cannot be seen.
func (u *Universe) Migrated(model string) *schema.Table {
	info := u.Struct(model)
	if info == nil {
		return nil
	}
	for _, path := range u.names {
		for _, fn := range u.Packages[path].Funcs {
			if !fn.Test && migrates(fn, model) {
				return u.tableBy(info)
			}
		}
	}
	return nil
}

func migrates(fn *summary.Func, model string) bool {
	calls, names := false, false
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		switch in.Op {
		case summary.OpCall, summary.OpInvoke:
			name := fn.Text(in)
			if in.Op == summary.OpInvoke {
				name = "(" + fn.AuxType(in) + ")." + name
			}
			for _, m := range migrations {
				calls = calls || strings.HasSuffix(name, m)
			}
		case summary.OpMakeIface:
			names = names || strings.TrimLeft(fn.AuxType(in), "*[]") == model
		}
	}
	return calls && names
}

// tableBy reads the tags of gorm and bun.
func (u *Universe) tableBy(info *summary.TypeInfo) *schema.Table {
	t := &schema.Table{Name: u.TableOf(info.Name)}
	keys := make(map[string]*schema.Key)
	u.columnsBy(t, info, keys, 0)
	if keys[primary] == nil {
		for i, c := range t.Columns {
			if c.Name == "id" { // gorm's convention
				t.Columns[i].Serial = strings.Contains(c.Type, "int")
				t.Keys = append(t.Keys, schema.Key{Key: sqltext.Key{Columns: []string{"id"}, Primary: true}})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(keys)) {
		t.Keys = append(t.Keys, *keys[name])
	}
	return t
}

// primary is the name under which the primary key's columns are gathered.
const primary = "primary key"

func (u *Universe) columnsBy(t *schema.Table, info *summary.TypeInfo, keys map[string]*schema.Key, depth int) {
	for _, f := range info.Fields {
		if f.Embedded && depth < 3 {
			if strings.HasSuffix(f.Type, "gorm.Model") {
				t.Columns = append(t.Columns, sqltext.Column{Name: "id", Type: "uint"})
			} else if in := u.Struct(f.Type); in != nil {
				u.columnsBy(t, in, keys, depth+1)
			}
			continue
		}
		c := sqltext.Column{Name: snake(f.Name), Type: f.Type}
		add := func(key string) {
			if keys[key] == nil {
				keys[key] = &schema.Key{Key: sqltext.Key{Primary: key == primary}}
			}
			keys[key].Columns = append(keys[key].Columns, c.Name)
		}
		opts := tagOptions(f.Tag)
		for _, o := range opts {
			if name, value, ok := strings.Cut(o, ":"); ok && name == "column" {
				c.Name = strings.ToLower(value)
			}
		}
		for _, o := range opts {
			name, value, _ := strings.Cut(o, ":")
			switch name {
			case "primarykey", "primary_key", "pk":
				add(primary)
			case "unique":
				if value == "" {
					value = c.Name
				}
				add("unique " + value)
			case "uniqueindex", "unique_index":
				value, _, _ = strings.Cut(value, ",")
				if value == "" {
					value = c.Name
				}
				add("index " + value)
			case "index":
				if index, rest, ok := strings.Cut(value, ","); ok && strings.Contains(rest, "unique") {
					add("index " + index)
				}
			case "default":
				c.Default = value
			case "autocreatetime":
				c.Default = "now()"
			case "autoincrement":
				c.Serial = value != "false"
			}
		}
		t.Columns = append(t.Columns, c)
	}
}

// tagOptions returns the options in a field's gorm or bun tag, lower case; bun's
// column name comes as column:NAME.
func tagOptions(tag string) []string {
	var out []string
	if _, rest, ok := strings.Cut(tag, `gorm:"`); ok {
		rest, _, _ = strings.Cut(rest, `"`)
		for _, o := range strings.Split(rest, ";") {
			out = append(out, strings.ToLower(strings.TrimSpace(o)))
		}
	}
	if _, rest, ok := strings.Cut(tag, `bun:"`); ok {
		rest, _, _ = strings.Cut(rest, `"`)
		for i, o := range strings.Split(rest, ",") {
			o = strings.ToLower(strings.TrimSpace(o))
			if i == 0 && o != "" && !strings.Contains(o, ":") {
				o = "column:" + o
			}
			out = append(out, o)
		}
	}
	return out
}
