package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// opaque stands for a call that cannot be seen. If it may reach a store and is
// given something of the record, what it returns may be a gate's answer.
func (c *call) opaque(name string, args []*Value, mayStore bool) {
	m := c.f.m
	var org, ctl Origin
	for _, a := range args {
		org |= a.Origin()
		ctl |= a.Ctl
		if a.Kind == Ref && !a.Obj.Record && !a.Obj.Symbolic {
			org |= c.inside(a.Obj)
		}
	}
	decodes := decoder(name)
	if decodes {
		for _, a := range args {
			if (a.Kind == Ref || a.Kind == Addr) && a.Obj != nil && !a.Obj.Record && !a.Obj.Symbolic && a.Obj.static == nil && org&^a.Origin() != 0 {
				if a.Kind == Ref {
					a.Obj.Org |= org
					c.st.reset(a.Obj)
				} else {
					c.st.set(a.Obj, a.Field, &Value{Org: org, Path: a.Field})
				}
			}
		}
	}
	if mayStore && org.FromAnyRecord() {
		org |= FromUnknown
		if !c.spawned {
			m.open = append(m.open, &Op{Kind: HandedOn, Name: name, Frame: c.f, Instr: c.at})
		}
	}
	val := c.carry(c.resultOf(c.typ, org, ctl, args), args)
	for _, a := range args {
		if a.Kind == Func || a.Kind == Union && a.alternatives()[0].Kind == Func {
			inner := *c
			inner.val = nil
			if mayStore {
				m.hidden++
			}
			inner.callback(a, &Value{Org: org &^ FromUnknown}, args)
			if mayStore {
				m.hidden--
			}
			if inner.st == nil {
				continue
			}
			c.st = inner.st
			if inner.val != nil && (c.typ == "error" || strings.HasSuffix(c.typ, ",error)")) {
				val = closureResult(val, inner.val)
			}
		}
	}
	c.val = val
}

// closureResult lets the error of a closure that a library ran, and its value,
// pass through the library's own results.
func closureResult(val, inner *Value) *Value {
	if val.Kind != Tuple {
		switch {
		case inner.Kind != Tuple:
			return inner
		case len(inner.Elems) == 0:
			return val // the closure returns nothing
		}
		return inner.Elems[len(inner.Elems)-1]
	}
	elems := slices.Clone(val.Elems)
	if inner.Kind == Tuple && len(inner.Elems) == len(elems) {
		return inner
	}
	if inner.Kind != Tuple {
		elems[len(elems)-1] = inner
	}
	return tuple(elems...)
}

// carry lets a result say which generated id it was computed from, and, as far
// as it is bytes or text, which objects it encodes.
func (c *call) carry(val *Value, args []*Value) *Value {
	var made *Made
	var lock *Value
	var of []string
	for _, a := range args {
		if lock == nil {
			lock = c.lockOf(a, 2)
		}
		c.each(a, 2, func(v *Value) {
			if made == nil {
				made = v.Made
			}
			of = append(of, v.Of...)
			switch {
			case v.Kind == Ref && strings.HasPrefix(v.Obj.Type, "map["):
				of = append(of, mapOf(v.Obj))
			case v.Kind == Ref && strings.Contains(v.Obj.Type, ".") && !v.Obj.Record:
				of = append(of, v.Obj.Type)
			case v.Kind == Unknown && strings.Contains(v.Type, "."):
				of = append(of, strings.TrimLeft(v.Type, "*")) // a parameter
			}
		})
	}
	if made == nil && lock == nil && len(of) == 0 {
		return val
	}
	first := val
	if val.Kind == Tuple && len(val.Elems) > 0 {
		first = val.Elems[0]
	}
	if first.Kind != Unknown || first.Type != "" && !strings.HasPrefix(first.Type, "[") {
		of = nil
	}
	w := *first
	w.Made, w.Of, w.Lock = made, of, lock
	if val.Kind != Tuple {
		return &w
	}
	return tuple(append([]*Value{&w}, val.Elems[1:]...)...)
}

// each visits a value and what was stored in the fresh objects that it refers
// to, some levels down.
func (c *call) each(v *Value, depth int, visit func(*Value)) {
	for _, a := range v.alternatives() {
		visit(a)
		if depth == 0 || a.Kind != Ref || a.Obj.Record || a.Obj.Symbolic {
			continue
		}
		for _, w := range c.fields(a)[1:] {
			c.each(w, depth-1, visit)
		}
	}
}

// inside returns the origins of what was stored in a fresh object, two levels down.
func (c *call) inside(o *Object) Origin {
	var org Origin
	if fs := c.st.of(o); fs != nil {
		for _, v := range fs.m {
			org |= v.Origin()
			if v.Obj != nil && v.Obj != o {
				if inner := c.st.of(v.Obj); inner != nil {
					for _, w := range inner.m {
						org |= w.Origin()
					}
				}
			}
		}
	}
	return org
}

// resultOf makes the value of a call that cannot be seen: errors are nil unless
// the world assumes nothing or the call may be a gate.
func (c *call) resultOf(typ string, org, ctl Origin, args []*Value) *Value {
	if inner, ok := strings.CutPrefix(typ, "("); ok && typ != "" {
		parts := splitTypes(strings.TrimSuffix(inner, ")"))
		elems := make([]*Value, len(parts))
		for i, p := range parts {
			elems[i] = c.resultOf(p, org, ctl, args)
		}
		return tuple(elems...)
	}
	switch typ {
	case "error":
		if c.f.m.world != Any && org&FromUnknown == 0 {
			return nilValue.mark(0, ctl)
		}
		return &Value{Org: org, Ctl: ctl}
	case "context.Context":
		for _, a := range args {
			if a.Type == typ || a.Obj != nil && a.Obj.Type == "context" {
				return a
			}
		}
	}
	v := &Value{Org: org, Ctl: ctl, Type: typ}
	if c.f.m.cat.Handle(typ) != catalog.NotHandle || !strings.Contains(typ, ".") {
		v.Type = ""
	}
	if c.f.m.cat.Handle(typ) != catalog.NotHandle {
		// A handle that a function cannot be seen to make: some handle of that type.
		v.Type = typ
	}
	if len(args) > 0 {
		v.Path = args[0].Path
	}
	return v
}

// splitTypes splits a list of type names at the commas outside brackets.
func splitTypes(s string) []string {
	var out []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			depth--
		case ',':
			if depth == 0 {
				out = append(out, s[start:i])
				start = i + 1
			}
		}
	}
	return append(out, s[start:])
}

// decoder reports whether a function that cannot be seen fills what its
// arguments point to from the others.
func decoder(name string) bool {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	name = strings.ToLower(name)
	return slices.ContainsFunc(decoderWords, func(w string) bool { return strings.Contains(name, w) })
}
