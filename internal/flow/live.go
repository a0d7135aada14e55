package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/schema"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Live returns the functions that a program can come to run: from its main
// function and the package initialisers, by calls, by function values, and by the
// methods of what is put into an interface. It is generous: what it leaves out is
// surely dead.
func (u *Universe) Live(main *summary.Package) map[*summary.Func]bool {
	defer u.begin()()
	live := make(map[*summary.Func]bool)
	methods := make(map[string][]*summary.Func) // by receiver type
	var todo []*summary.Func
	add := func(fn *summary.Func) {
		if fn != nil && !fn.Test && !live[fn] {
			live[fn] = true
			todo = append(todo, fn)
		}
	}
	for _, path := range u.names {
		for _, fn := range u.Packages[path].Funcs {
			if typ, _, ok := cutMethod(fn.Name); ok {
				typ = strings.TrimPrefix(typ, "*")
				methods[typ] = append(methods[typ], fn)
			}
			name := fn.Name[strings.LastIndexByte(fn.Name, '.')+1:]
			if name == "init" || strings.HasPrefix(name, "init#") || fn.Name == main.Path+".main" {
				add(fn)
			}
		}
	}
	for len(todo) > 0 {
		fn := todo[0]
		todo = todo[1:]
		for i := range fn.Instrs {
			in := &fn.Instrs[i]
			switch in.Op {
			case summary.OpCall, summary.OpMakeClosure:
				add(u.Func(fn.Text(in)))
			case summary.OpMakeIface:
				for _, m := range u.methodsOf(methods, fn.AuxType(in), 0) {
					add(m)
				}
			}
		}
		for _, ref := range fn.Funcs {
			add(u.Func(fn.Pkg.Str(ref)))
		}
	}
	return live
}

// methodsOf returns the methods of a type, those of its embedded fields included.
func (u *Universe) methodsOf(methods map[string][]*summary.Func, typ string, depth int) []*summary.Func {
	out := methods[strings.TrimPrefix(typ, "*")]
	if depth < 4 {
		for _, f := range u.embedded(typ) {
			out = append(out[:len(out):len(out)], u.methodsOf(methods, f.Type, depth+1)...)
		}
	}
	return out
}

// Expires reports whether the program gives keys of Redis an end by a call of its
// own.
func (u *Universe) Expires() bool {
	defer u.begin()()
	for _, path := range u.names {
		for _, fn := range u.Packages[path].Funcs {
			for i := range fn.Instrs {
				if row := u.RowOf(fn, &fn.Instrs[i]); row != nil && row.Verb == catalog.Expire && !fn.Test {
					return true
				}
			}
		}
	}
	return false
}

// Upkeep reports whether the function itself runs what removes old keys of a library's
// own gates.
func (u *Universe) Upkeep(fn *summary.Func) bool {
	for i := range fn.Instrs {
		if row := u.RowOf(fn, &fn.Instrs[i]); row != nil && row.Verb == catalog.Upkeep {
			return true
		}
	}
	return false
}

// Forgets reports whether the package of the operation removes something from a map,
// or may by its functions' names.
func (u *Universe) Forgets(o *Op) bool {
	for _, fn := range o.Frame.fn.Pkg.Funcs {
		if fn.Test {
			continue
		}
		if forgetful.MatchString(fn.Name[strings.LastIndexByte(fn.Name, '.')+1:]) {
			return true
		}
		for i := range fn.Instrs {
			in := &fn.Instrs[i]
			switch name := fn.Text(in); {
			case in.Op == summary.OpBuiltin && (name == "delete" || name == "clear"):
				return true
			case in.Op == summary.OpCall && strings.HasPrefix(name, "(*sync.Map).") && (strings.Contains(name, "Delete") || strings.HasSuffix(name, ".Clear")):
				return true
			}
		}
	}
	return false
}

var forgetful = regexp.MustCompile(`(?i)evict|expire|purge|prune|sweep|rotate|reset|clean|forget|trim|shrink`)

// Records reports whether the function itself may insert into a dedup table: it holds
// the text of such a statement, names such a table, or makes a row of one.
func (u *Universe) Records(fn *summary.Func) bool {
	for _, c := range fn.Consts {
		if c.Kind != summary.ConstString || c.Str == "" {
			continue
		}
		if u.Settings.DedupTable(cutSchema(c.Str)) {
			return true
		}
		if !strings.ContainsAny(c.Str, " \n\t") {
			continue
		}
		if s := sqltext.Parse(c.Str); s.Verb == sqltext.Insert && (u.Settings.DedupTable(s.Table) || u.Settings.DedupRow(s.Columns)) {
			return true
		}
	}
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		if in.Op == summary.OpAlloc && u.Struct(fn.AuxType(in)) != nil && u.Settings.DedupTable(u.TableOf(fn.AuxType(in))) {
			return true
		}
	}
	return false
}

// Cleans reports whether the function itself removes rows of the table, or may:
// it holds such a statement, or deletes by way of a builder or an ORM from that
// table or from one that cannot be seen.
func (u *Universe) Cleans(fn *summary.Func, table string) bool {
	builds := false
	for _, c := range fn.Consts {
		if c.Kind != summary.ConstString || len(c.Str) < len("delete from ") {
			continue
		}
		for _, ch := range sqltext.Script(c.Str) {
			if ch.Table == table && len(ch.PartitionBy) > 0 || ch.Parent == table {
				return true
			}
			open := ch.Words[len(ch.Words)-1] == "from" // the table's name follows at run time
			if open && slices.Contains(ch.Words, "delete") || slices.ContainsFunc([]string{table, "%", "%s", "%v"}, func(t string) bool { return schema.Cleans(ch.Words, t) }) {
				return true
			}
		}
	}
	for i := range fn.Instrs {
		row := u.RowOf(fn, &fn.Instrs[i])
		builds = builds || row != nil && row.Part == catalog.PartDelete
	}
	if !builds {
		return false
	}
	for _, o := range u.Alone(fn).Ops {
		if o.Stmt != nil && o.Stmt.Verb == sqltext.Delete && !o.Stmt.Keyed && (o.Table == table || o.Table == "") {
			return true
		}
	}
	return false
}
