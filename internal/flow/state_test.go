package flow

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"testing"
)

// model is what a state should hold, without sharing.
type model map[*Object]map[string]*Value

func (m model) clone() model {
	out := make(model)
	for o, f := range m {
		out[o] = maps.Clone(f)
	}
	return out
}

func (m model) set(o *Object, field string, v *Value) {
	if m[o] == nil {
		m[o] = make(map[string]*Value)
	}
	if field == "" {
		clear(m[o])
	}
	m[o][field] = v
}

// TestStateAgainstModel does random writes, copies and merges on states and on a model
// that copies everything.
func TestStateAgainstModel(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		objs := make([]*Object, 40)
		for i := range objs {
			objs[i] = &Object{ID: i + 1}
		}
		states, models := []*state{newState()}, []model{{}}
		for range 400 {
			i := r.IntN(len(states))
			s, m := states[i], models[i]
			o := objs[r.IntN(len(objs))]
			switch r.IntN(10) {
			case 0:
				states, models = append(states, s.clone()), append(models, m.clone())
			case 1:
				s.reset(o)
				delete(m, o)
			case 2:
				j := r.IntN(len(states))
				out, want := merge(s, states[j], 0), models[j].clone()
				for o, f := range m {
					if want[o] == nil {
						want[o] = maps.Clone(f)
						continue
					}
					both := make(map[string]*Value)
					for _, fs := range []map[string]*Value{f, want[o]} {
						for k := range fs {
							a, b := f[k], want[o][k]
							switch {
							case a == nil:
								both[k] = joinUnset(o, k, b, 0)
							case b == nil:
								both[k] = joinUnset(o, k, a, 0)
							default:
								both[k] = join(a, b, 0)
							}
						}
					}
					want[o] = both
				}
				if i != j {
					states, models = append(states, out), append(models, want)
				}
			default:
				v := text(fmt.Sprint(r.IntN(3)))
				field := []string{"a", "b", "c", ""}[r.IntN(4)]
				s.set(o, field, v)
				m.set(o, field, v)
			}
			if len(states) > 12 {
				states, models = states[4:], models[4:]
			}
		}
		for i, s := range states {
			for _, o := range objs {
				if got := fieldsOf(s, o); len(got) != len(models[i][o]) {
					t.Fatalf("seed %d: object %d has %d fields, want %d", seed, o.ID, len(got), len(models[i][o]))
				}
				for k, want := range models[i][o] {
					if got := s.get(o, k); got == nil || !same(got, want) {
						t.Fatalf("seed %d: object %d, field %q: %+v, want %+v", seed, o.ID, k, got, want)
					}
				}
			}
		}
	}
}

// sweep forgets what a call made and dropped, and nothing that can still be reached.
func TestSweep(t *testing.T) {
	m := &machine{objs: make(map[string]*Object), parts: make(map[*Object][]*Object)}
	fresh := func() *Object {
		o := m.newObject("T")
		o.Site = "f/1"
		return o
	}
	ref := func(o *Object) *Value { return &Value{Kind: Ref, Obj: o} }
	old := fresh()
	entry := newState()
	entry.set(old, "x", zero)
	last := m.objID

	st := entry.clone()
	returned, stored, behind := fresh(), fresh(), fresh()
	st.set(returned, "next", ref(behind))
	st.set(behind, "v", text("kept"))
	st.set(stored, "v", text("kept"))
	st.set(old, "y", ref(stored))
	part := m.part(returned, "part", "P", "")
	st.set(part, "v", text("kept"))
	dropped := make([]*Object, sweepFrom)
	for i := range dropped {
		dropped[i] = fresh()
		st.set(dropped[i], "v", ref(returned))
	}
	m.sweep(entry, last, result{val: ref(returned), st: st})
	for _, o := range []*Object{old, returned, stored, behind, part} {
		if st.of(o) == nil {
			t.Errorf("object %d is forgotten", o.ID)
		}
	}
	for _, o := range dropped {
		if st.of(o) != nil {
			t.Fatalf("object %d is still there", o.ID)
		}
	}
}
