package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// What may stand behind an interface, and what is wrapped around it.

// decorated drops the functions that another alternative wraps: where a handler
// is wrapped or not as the configuration says, it is judged wrapped.
func (u *Universe) decorated(v *Value) *Value {
	if v.Kind != Union {
		return v
	}
	var out *Value
	for _, a := range v.Elems {
		if !slices.ContainsFunc(v.Elems, func(w *Value) bool { return w != a && u.captures(w, a) }) {
			out = join(out, a, v.Ctl)
		}
	}
	if out == nil {
		return v
	}
	return out
}

// captures reports whether a function literal captured the function v.
func (u *Universe) captures(w, v *Value) bool {
	if w.Kind != Func || v.Kind != Func {
		return false
	}
	for _, e := range w.Elems {
		for _, a := range e.alternatives() {
			if a.Kind == Ref && a.Obj.static != nil {
				a = u.fieldAt(a.Obj, "")
			}
			for _, f := range a.alternatives() {
				if f.Kind == Func && f.Text == v.Text {
					return true
				}
			}
		}
	}
	return false
}

// maxImplementations bounds the types that an interface method is resolved to where
// no value is known: with more of them anything may be behind it.
const maxImplementations = 3

// implementations returns the values that were converted to an interface, when
// they are few: the last resort for a dependency whose wiring is not seen, as
// with dependency injection frameworks.
func (u *Universe) implementations(m *machine, iface, method string) []*Value {
	seen := make(map[string]*Value)
	var order []string
	for _, c := range u.conversions(m.cat, iface, method) {
		in := &c.fn.Instrs[c.instr]
		typ := c.fn.AuxType(in)
		v := u.lookup(c.fn, in.Args[0], nil, 2).withType(typ)
		if v.Kind == Unknown {
			v = &Value{Kind: Ref, Obj: m.named("impl "+typ, typ, strings.TrimPrefix(typ, "*")), Type: typ}
		}
		v = v.via(Hop{c.fn, c.instr})
		if seen[typ] == nil {
			order = append(order, typ)
		}
		seen[typ] = join(seen[typ], v, 0)
	}
	var out []*Value
	for _, t := range order {
		out = append(out, seen[t].alternatives()...)
	}
	if len(out) > 6 {
		return nil
	}
	return out
}

type methodKey struct{ iface, method string }

// conversions returns the conversions to an interface of types that have the method,
// test doubles and offered middlewares aside; none when there are too many types.
func (u *Universe) conversions(cat *catalog.Catalog, iface, method string) []use {
	key := methodKey{iface, method}
	if found, ok := u.impls[key]; ok {
		return found
	}
	types := make(map[string]bool)
	var out []use
	for _, c := range u.uses(ifaces, iface) {
		typ := c.fn.AuxType(&c.fn.Instrs[c.instr])
		if !types[typ] && (standIn(typ) || !u.hasMethod(cat, typ, method, 0)) || standIn(c.fn.Name) || u.decorates(c.fn, iface) {
			continue
		}
		types[typ] = true
		if len(types) > maxImplementations {
			out = nil
			break
		}
		out = append(out, c)
	}
	u.impls[key] = out
	return out
}

// decorates reports whether a function that nothing visible calls wraps one value of
// an interface in another: a middleware that is offered is not yet used.
func (u *Universe) decorates(fn *summary.Func, iface string) bool {
	is := func(t uint32) bool { return fn.Pkg.TypeName(t) == iface }
	return slices.ContainsFunc(fn.Result, is) && slices.ContainsFunc(fn.Params, is) && len(u.uses(callers, fn.Name)) == 0
}

// standIn reports whether a name is that of a test double.
func standIn(name string) bool {
	lower := strings.ToLower(lastPart(name))
	for _, w := range []string{"mock", "fake", "stub", "noop", "nop"} {
		if strings.Contains(lower, w) {
			return true
		}
	}
	return false
}
