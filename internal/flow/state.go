package flow

import (
	"maps"
	"strings"
)

// state is the memory at one point of the interpretation: for each object the
// values of its fields. The field "" holds a value that was stored over the
// whole object, "[i]" an element at a known index, "[]" one at an unknown index.
type state struct {
	objs map[*Object]*fields
}

type fields struct {
	m     map[string]*Value
	owner *state
}

func newState() *state { return &state{objs: make(map[*Object]*fields)} }

// clone returns a copy; the objects' fields are copied when first written.
func (s *state) clone() *state {
	return &state{objs: maps.Clone(s.objs)}
}

func (s *state) get(o *Object, field string) *Value {
	if f := s.objs[o]; f != nil {
		return f.m[field]
	}
	return nil
}

func (s *state) set(o *Object, field string, v *Value) {
	if o == nil {
		return // the receiver of an answer, a nil pointer
	}
	f := s.objs[o]
	if f == nil {
		f = &fields{m: make(map[string]*Value), owner: s}
		s.objs[o] = f
	} else if f.owner != s {
		f = &fields{m: maps.Clone(f.m), owner: s}
		s.objs[o] = f
	}
	if field == "" {
		clear(f.m)
	}
	f.m[field] = v
}

// reset forgets everything stored in o: it is a new object.
func (s *state) reset(o *Object) { delete(s.objs, o) }

// elements returns the join of everything stored under an index of o.
func (s *state) elements(o *Object) *Value {
	f := s.objs[o]
	if f == nil {
		return nil
	}
	var out *Value
	for _, k := range sortedKeys(f.m) {
		if strings.HasPrefix(k, "[") {
			out = join(out, f.m[k], 0)
		}
	}
	return out
}

// merge joins two states in which different branches ended, the choice between
// them decided by something of origin ctl. Each state that saw an object alone
// keeps its view of it: the other cannot reach the object.
func merge(a, b *state, ctl Origin) *state {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	out := a.clone()
	for o, fb := range b.objs {
		fa := out.objs[o]
		if fa == nil {
			out.objs[o] = fb
			continue
		}
		if fa == fb {
			continue
		}
		m := make(map[string]*Value, len(fa.m))
		for k, va := range fa.m {
			if vb, ok := fb.m[k]; ok {
				m[k] = join(va, vb, ctl)
			} else {
				m[k] = joinUnset(o, k, va, ctl)
			}
		}
		for k, vb := range fb.m {
			if _, ok := fa.m[k]; !ok {
				m[k] = joinUnset(o, k, vb, ctl)
			}
		}
		out.objs[o] = &fields{m: m, owner: out}
	}
	return out
}

// joinUnset joins a value with "never stored on the other branch": the mark was
// not made, the fresh object's field is zero, another object's is what it was.
func joinUnset(o *Object, field string, v *Value, ctl Origin) *Value {
	switch {
	case strings.HasPrefix(field, "$"):
		return join(v, unset, ctl)
	case strings.HasPrefix(field, "["):
		return v.mark(0, ctl)
	case o.Record || o.Symbolic || o.static != nil || o.Org != 0:
		return join(v, &Value{Org: o.Org, Path: o.Path}, ctl)
	}
	return join(v, zero, ctl)
}

// unset stands for a mark that was not made.
var unset = &Value{Kind: Nil, Path: "unset"}

func sortedKeys(m map[string]*Value) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	// Insertion sort: these maps hold a handful of keys.
	for i := 1; i < len(keys); i++ {
		for j := i; j > 0 && keys[j] < keys[j-1]; j-- {
			keys[j], keys[j-1] = keys[j-1], keys[j]
		}
	}
	return keys
}
