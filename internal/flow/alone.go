package flow

import (
	"iter"
	"slices"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Alone is what one function does when nothing is known of its callers: for the
// rules that judge code whether or not a listener reaches it.
type Alone struct {
	Ops       []*Op
	Assigns   []*Assign
	Published map[string]bool // types of objects that it publishes
	Entered   []*summary.Func // what it calls, as far as that was interpreted
}

// Alone interprets a function of the package for itself, in the first world; what
// it puts an identifier into is collected from the ways beyond a read that finds
// nothing too.
func (u *Universe) Alone(fn *summary.Func) *Alone {
	defer u.begin()()
	var recv *Value
	if rs := u.receivers(fn); len(rs) > 0 {
		recv = rs[0]
	}
	m := u.machine(First)
	m.interpret(fn, recv)
	out := &Alone{Ops: m.ops, Assigns: m.assigns, Published: make(map[string]bool)}
	if slices.ContainsFunc(m.ops, func(o *Op) bool { return o.Kind == Read || o.Kind == Check }) {
		all := u.machine(Any)
		all.interpret(fn, recv)
		for _, a := range all.assigns {
			if !slices.ContainsFunc(out.Assigns, a.same) {
				out.Assigns = append(out.Assigns, a)
			}
		}
	}
	for f := range m.entered {
		if f != fn {
			out.Entered = append(out.Entered, f)
		}
	}
	for _, a := range out.Assigns {
		a.Keys = m.keys[a.Map]
	}
	for _, o := range m.ops {
		for _, t := range o.Published {
			out.Published[t] = true
		}
		if o.Stmt != nil && o.Stmt.Verb == sqltext.Insert {
			out.Assigns = append(out.Assigns, columns(o)...)
		}
	}
	return out
}

// Reaching returns the functions of a package that lead, by calls that can be
// seen, to a function with one of the properties; those that no other of them calls
// come first.
func (u *Universe) Reaching(own *summary.Package, what ...Property) []*summary.Func {
	defer u.begin()()
	in := make(map[*summary.Func]bool)
	var todo []*summary.Func
	add := func(fn *summary.Func) {
		if fn != nil && !in[fn] && !fn.Test {
			in[fn] = true
			todo = append(todo, fn)
		}
	}
	for _, path := range u.names {
		for _, w := range what {
			for _, fn := range u.having(u.Packages[path], w) {
				add(fn)
			}
		}
	}
	called := make(map[*summary.Func]bool)
	for len(todo) > 0 {
		fn := todo[0]
		todo = todo[1:]
		for _, c := range slices.Concat(u.uses(callers, fn.Name), u.uses(refs, fn.Name)) {
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

// Outermost yields what the functions of a package that lead to one with one of the
// properties do, each as a part of its callers where these are in the package.
func (u *Universe) Outermost(own *summary.Package, what ...Property) iter.Seq[*Alone] {
	return func(yield func(*Alone) bool) {
		entered := make(map[*summary.Func]bool)
		for _, fn := range u.Reaching(own, what...) {
			if entered[fn] {
				continue
			}
			a := u.Alone(fn)
			for _, f := range a.Entered {
				entered[f] = true
			}
			if !yield(a) {
				return
			}
		}
	}
}

// publishes reports whether the function itself sends something to a broker.
func (u *Universe) publishes(fn *summary.Func) bool {
	for i := range fn.Instrs {
		if row := u.RowOf(fn, &fn.Instrs[i]); row != nil && row.Publishes() {
			return true
		}
	}
	return false
}

// RowOf returns the catalogue's row of a call, nil when the instruction is none or
// the catalogue does not know what it calls.
func (u *Universe) RowOf(fn *summary.Func, in *summary.Instr) *catalog.Row {
	switch in.Op {
	case summary.OpCall:
		return u.Catalog.Row(fn.Text(in))
	case summary.OpInvoke:
		return u.Catalog.Method(fn.AuxType(in), fn.Text(in))
	}
	return nil
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
		return c.Kind == summary.ConstString && sqltext.MayDraw(c.Str) && len(sqltext.Parse(c.Str).Drawn) > 0
	})
}
