package flow

import (
	"maps"
	"strings"
)

// state is the memory at one point of the interpretation: for each object the
// values of its fields. The field "" holds a value that was stored over the
// whole object, "[i]" an element at a known index, "[]" one at an unknown index.
//
// A state is what was written last, over layers that are frozen and shared: a copy
// costs nothing until something is written to it.
type state struct {
	top   map[*Object]*fields // nil for an object that was forgotten
	base  *layer
	owner *owner // of the fields that may be written in place
}

// owner tells whose fields are: one is made by each copy.
type owner struct{ _ byte }

type fields struct {
	m     map[string]*Value
	owner *owner
}

// layer is frozen memory. Each layer is more than twice as large as the one over it,
// so there are few.
type layer struct {
	m     map[*Object]*fields
	below *layer
}

func newState() *state { return &state{owner: new(owner)} }

// clone returns a copy; the objects' fields are copied when first written.
func (s *state) clone() *state {
	if len(s.top) > 0 {
		m, below := s.top, s.base
		for below != nil && len(below.m) <= 2*len(m) {
			both := maps.Clone(below.m)
			maps.Copy(both, m)
			m, below = both, below.below
		}
		s.top, s.base = nil, &layer{m, below}
	}
	s.owner = new(owner)
	return &state{base: s.base, owner: new(owner)}
}

// of returns what is stored in an object, nil when nothing is.
func (s *state) of(o *Object) *fields {
	if f, ok := s.top[o]; ok {
		return f
	}
	for l := s.base; l != nil; l = l.below {
		if f, ok := l.m[o]; ok {
			return f
		}
	}
	return nil
}

func (s *state) put(o *Object, f *fields) {
	if s.top == nil {
		s.top = make(map[*Object]*fields)
	}
	s.top[o] = f
}

// changed returns the objects in which two states can differ: what was written to
// either since the layer that both stand on.
func changed(a, b *state) map[*Object]bool {
	under := make(map[*layer]bool)
	for l := a.base; l != nil; l = l.below {
		under[l] = true
	}
	common := b.base
	for common != nil && !under[common] {
		common = common.below
	}
	out := make(map[*Object]bool)
	for _, s := range []*state{a, b} {
		for o := range s.top {
			out[o] = true
		}
		for l := s.base; l != common; l = l.below {
			for o := range l.m {
				out[o] = true
			}
		}
	}
	return out
}

func (s *state) get(o *Object, field string) *Value {
	if f := s.of(o); f != nil {
		return f.m[field]
	}
	return nil
}

func (s *state) set(o *Object, field string, v *Value) {
	if o == nil {
		return // the receiver of an answer, a nil pointer
	}
	f := s.of(o)
	switch {
	case f == nil:
		f = &fields{m: make(map[string]*Value), owner: s.owner}
		s.put(o, f)
	case f.owner != s.owner:
		f = &fields{m: maps.Clone(f.m), owner: s.owner}
		s.put(o, f)
	}
	if field == "" {
		clear(f.m)
	}
	f.m[field] = v
}

// reset forgets everything stored in o: it is a new object.
func (s *state) reset(o *Object) {
	if s.of(o) != nil {
		s.put(o, nil)
	}
}

// elements returns the join of everything stored under an index of o.
func (s *state) elements(o *Object) *Value {
	f := s.of(o)
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
	differ := changed(a, b)
	out := a.clone()
	b.owner = new(owner) // its fields are shared from here on
	for o := range differ {
		fa, fb := a.of(o), b.of(o)
		if fb == nil {
			continue
		}
		if fa == nil {
			out.put(o, fb)
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
		out.put(o, &fields{m: m, owner: out.owner})
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
