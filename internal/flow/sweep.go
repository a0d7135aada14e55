package flow

// sweepFrom is the number of new objects from which a call's memory is swept:
// below it the search costs more than it saves.
const sweepFrom = 48

// sweep forgets the objects that a call made and that nothing can reach any more
// when it has returned: not its result, nor what was there before. Each branch
// copies the memory, so a large one makes everything after it slow. entry is the
// memory before the call, last the number of the last object then.
func (m *machine) sweep(entry *state, last int, r result) {
	since := changed(entry, r.st)
	var fresh []*Object
	for o := range since {
		if o.ID > last && o.temporary() && r.st.of(o) != nil {
			fresh = append(fresh, o)
		}
	}
	if len(fresh) < sweepFrom {
		return
	}
	s := &sweeper{st: r.st, last: last, since: since, objs: make(map[*Object]bool), vals: make(map[*Value]bool)}
	s.value(r.val)
	for o := range since {
		if o.ID <= last || !o.temporary() {
			s.object(o)
		}
	}
	for again := true; again; {
		again = false
		for _, o := range fresh {
			if o.In != nil && !s.objs[o] && s.keeps(o.In) {
				s.object(o)
				again = true
			}
		}
	}
	for _, o := range fresh {
		if !s.objs[o] {
			r.st.put(o, nil)
		}
	}
}

// temporary reports whether the object can be out of reach: it was allocated in
// what is interpreted, or is a part of such an object. Others are found by name.
func (o *Object) temporary() bool {
	for o.In != nil {
		o = o.In
	}
	return o.Site != "" && o.static == nil && !o.Symbolic && !o.Record
}

type sweeper struct {
	st    *state
	last  int
	since map[*Object]bool // what the call wrote to
	objs  map[*Object]bool
	vals  map[*Value]bool
}

func (s *sweeper) keeps(o *Object) bool { return o.ID <= s.last || s.objs[o] || !o.temporary() }

func (s *sweeper) object(o *Object) {
	if o == nil || s.objs[o] {
		return
	}
	s.objs[o] = true
	if o.ID <= s.last && !s.since[o] {
		return // what it holds is older than the call
	}
	s.object(o.Outer)
	for _, v := range []*Value{o.Parent, o.Key, o.Val} {
		s.value(v)
	}
	for _, v := range fieldsOf(s.st, o) {
		s.value(v)
	}
}

func (s *sweeper) value(v *Value) {
	if v == nil || s.vals[v] {
		return
	}
	s.vals[v] = true
	s.object(v.Obj)
	s.value(v.Recv)
	s.value(v.Lock)
	for _, e := range v.Elems {
		s.value(e)
	}
	if v.Stmt != nil {
		s.statement(v.Stmt)
	}
	if v.Op != nil {
		s.value(v.Op.Key)
		s.object(v.Op.Handle.Tx)
		if v.Op.Stmt != nil {
			s.statement(v.Op.Stmt)
		}
	}
}

func (s *sweeper) statement(st *Statement) {
	for _, v := range append([]*Value{st.Handle, st.Model, st.Key}, st.Values...) {
		s.value(v)
	}
}
