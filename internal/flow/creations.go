package flow

import (
	"go/token"
	"slices"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Creations: which fields, map keys and columns get an identifier that the code
// generates.

// Assign is a generated identifier that is put somewhere.
type Assign struct {
	Owner string // the struct or map type, or "table NAME"
	Field string // the field, key or column
	Made  *Made  // nil when the database generates it
	frame *frame
	instr int
}

// assigned notes a store of a generated value into a field.
func (f *frame) assigned(i int, in *summary.Instr, v *Value) {
	if in.Args[0].Kind() != summary.RefInstr {
		return
	}
	if addr := &f.fn.Instrs[in.Args[0].Index()]; addr.Op == summary.OpFieldAddr {
		f.assign(i, f.fn.AuxType(addr), f.fn.Text(addr), v)
	}
}

func (f *frame) assign(i int, owner, field string, v *Value) {
	if made := v.made(); made != nil && made.Row.Gen != catalog.Clock {
		f.m.assigns = append(f.m.assigns, &Assign{owner, field, made, f, i})
	}
}

// Place returns the function and the position in it where a finding about the
// assignment belongs: the innermost function that both the generator and the
// assignment were reached from, and from there the way to the generator.
func (a *Assign) Place() (fn *summary.Func, pos token.Pos) {
	if a.Made == nil {
		return a.frame.fn, a.frame.fn.Instrs[a.instr].Pos
	}
	var to []*frame
	for f := a.frame; f != nil; f = f.parent {
		to = append(to, f)
	}
	at := a.Made.instr
	for f := a.Made.frame; f != nil; f = f.parent {
		if slices.Contains(to, f) {
			return f.fn, f.fn.Instrs[at].Pos
		}
		at = f.call
	}
	return nil, token.NoPos
}

// Creations is what one function, with all that it calls, generates.
type Creations struct {
	Assigns   []*Assign
	Published map[string]bool // types of objects that it publishes
}

// Creations interprets a function of the package for itself and returns the
// identifiers that it, or what it calls, generates and puts somewhere.
func (u *Universe) Creations(fn *summary.Func) *Creations {
	u.index()
	var recv *Value
	if rs := u.receivers(fn); len(rs) > 0 {
		recv = rs[0]
	}
	m := u.machine(First)
	m.interpret(fn, recv)
	out := &Creations{Assigns: m.assigns, Published: make(map[string]bool)}
	for _, o := range m.ops {
		for _, t := range o.Published {
			out.Published[t] = true
		}
		if o.Stmt == nil || o.Stmt.Verb != sqltext.Insert {
			continue
		}
		for i, col := range o.Stmt.Columns {
			a := &Assign{Owner: "table " + o.Table, Field: col, frame: o.Frame, instr: o.Instr}
			if v := o.Stmt.column(col); v != nil {
				a.Made = v.made()
			}
			if a.Made != nil && a.Made.Row.Gen != catalog.Clock || slices.Contains(o.Stmt.Drawn, i) {
				out.Assigns = append(out.Assigns, a)
			}
		}
	}
	return out
}

// Creators returns the functions of a package that can lead to a generated
// identifier, those that no other of them calls first.
func (u *Universe) Creators(own *summary.Package) []*summary.Func {
	u.index()
	in := make(map[*summary.Func]bool)
	var todo []*summary.Func
	add := func(fn *summary.Func) {
		if fn != nil && !in[fn] && !fn.Test {
			in[fn] = true
			todo = append(todo, fn)
		}
	}
	for _, path := range u.names {
		for _, fn := range u.Packages[path].Funcs {
			if u.generates(fn) {
				add(fn)
			}
		}
	}
	called := make(map[*summary.Func]bool)
	for len(todo) > 0 {
		fn := todo[0]
		todo = todo[1:]
		for _, c := range slices.Concat(u.callers[fn.Name], u.refs[fn.Name]) {
			called[fn] = called[fn] || c.fn.Pkg == own && c.fn != fn
			add(c.fn)
		}
	}
	var first, rest []*summary.Func
	for _, fn := range own.Funcs {
		switch {
		case !in[fn]:
		case called[fn]:
			rest = append(rest, fn)
		default:
			first = append(first, fn)
		}
	}
	return append(first, rest...)
}

// generates reports whether the function itself makes an identifier, or hands
// one to the database to make.
func (u *Universe) generates(fn *summary.Func) bool {
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		if in.Op == summary.OpCall || in.Op == summary.OpMakeClosure {
			if row := u.Catalog.Row(fn.Text(in)); row != nil && row.Verb == catalog.Generate && row.Gen != catalog.Clock {
				return true
			}
		}
	}
	return slices.ContainsFunc(fn.Consts, func(c summary.Const) bool {
		return c.Kind == summary.ConstString && len(sqltext.Parse(c.Str).Drawn) > 0
	})
}
