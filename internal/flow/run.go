package flow

import (
	"maps"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Run is what one interpretation of a listener found.
type Run struct {
	World    World
	Ops      []*Op
	Compares []Comparison
	Open     []*Op // hand-overs to functions that cannot be seen
	Over     bool  // a bound was hit: what is not there may be missing
	// Lacking: a branch was decided by what a context is taken to lack.
	Lacking bool
	// Returned: the listener's function gave a record to its caller.
	Returned bool

	byKey   map[string]*Op
	entered map[*summary.Func]bool
	stores  []memStore
	sends   map[string]*Value
	// Tool: the client reads without a consumer group, as monitors do.
	Tool bool
}

// Find returns the operation of another run of the same journey in this one,
// or nil when it was not reached here.
func (r *Run) Find(o *Op) *Op { return r.byKey[o.key] }

// Entered returns the functions that were interpreted, by their names.
func (r *Run) Entered() []*summary.Func {
	return slices.SortedFunc(maps.Keys(r.entered), func(a, b *summary.Func) int { return strings.Compare(a.Name, b.Name) })
}

// Mentions reports whether one of the functions that were interpreted holds the
// text.
func (r *Run) Mentions(text string) bool {
	for fn := range r.entered {
		if slices.ContainsFunc(fn.Consts, func(c summary.Const) bool { return c.Kind == summary.ConstString && strings.EqualFold(c.Str, text) }) {
			return true
		}
	}
	return false
}

// Remembered reports whether something that comes from a record's offset was
// stored in the field or map that v was read from.
func (r *Run) Remembered(v *Value) bool {
	for _, a := range v.alternatives() {
		for _, s := range r.stores {
			if s.val.Origin()&FromOffset == 0 {
				continue
			}
			if a.Path != "" && (a.Path == s.cell || strings.TrimSuffix(a.Path, "[]") == s.cell) {
				return true
			}
		}
	}
	return false
}

// Journey is one record's way through a listener, in each world.
type Journey struct {
	Root      *summary.Func
	First     *Run
	Duplicate *Run
	Failing   *Run
	Any       *Run
	// Bound are the calls that made the listener's receiver, where it was
	// looked up.
	Bound []Hop
}

// Follow interprets a listener's function in every world. There is one journey
// for each object that can be its receiver, and one for each function that
// receives from a channel what the listener, or another such function, sends.
func (u *Universe) Follow(root *summary.Func) []*Journey {
	defer u.begin()()
	var out []*Journey
	for _, recv := range u.receivers(root) {
		out = append(out, u.follow(root, recv)...)
	}
	return out
}

// maxStages bounds the channels that a record's way is followed through.
const maxStages = 6

func (u *Universe) follow(root *summary.Func, recv *Value) []*Journey {
	out := []*Journey{u.journey(root, recv, nil)}
	if out[0].First.Tool {
		return nil
	}
	// What is sent on a channel reaches its receivers in a further
	// interpretation, and what they send on in the next.
	recvs := []*Value{recv}
	var sent deliveries
	for stage := 0; sent.add(out) && stage < maxStages; stage++ {
		for _, worker := range u.workers(sent[First]) {
			if slices.ContainsFunc(out, func(j *Journey) bool { return j.First.entered[worker] }) {
				continue
			}
			for _, r := range u.receivers(worker) {
				out = append(out, &Journey{Root: worker, First: &Run{}})
				recvs = append(recvs, r)
			}
		}
		for i, j := range out {
			out[i] = u.journey(j.Root, recvs[i], &sent)
		}
	}
	return out
}

// deliveries is what each world puts on channels, by channel; a channel with a
// nil value is one on which only the first world sends.
type deliveries [4]map[string]*Value

// add takes what the journeys send, and reports whether that reaches a channel
// that nothing was sent on before.
func (d *deliveries) add(js []*Journey) bool {
	before := len(d[First])
	*d = deliveries{}
	for w := range d {
		d[w] = make(map[string]*Value)
	}
	for _, j := range js {
		for name := range j.First.sends {
			d[Duplicate][name], d[Failing][name] = nil, nil
		}
	}
	for _, j := range js {
		for w, r := range [4]*Run{j.First, j.Duplicate, j.Failing, j.Any} {
			for name, v := range r.sends {
				if _, known := d[w][name]; known || World(w) == First || World(w) == Any {
					d[w][name] = join(d[w][name], v, 0)
				}
			}
		}
	}
	return len(d[First]) > before
}

// journey interprets a function in the four worlds; delivered is what each finds
// on channels.
func (u *Universe) journey(root *summary.Func, recv *Value, delivered *deliveries) *Journey {
	j := &Journey{Root: root}
	if recv != nil {
		j.Bound = recv.Via
	}
	setup := func(w World) *machine {
		m := u.machine(w)
		if delivered != nil {
			m.delivered = delivered[w]
		}
		return m
	}
	j.First = setup(First).interpret(root, recv)
	marks, locks := j.First.marksAndLocks()
	knowing := func(w World) *machine {
		m := setup(w)
		m.marks, m.locks = marks, locks
		return m
	}
	probe := knowing(Duplicate)
	probe.probe = true
	for _, o := range probe.interpret(root, recv).Ops {
		if o.tested {
			probe.unique[o.key] = true
		}
	}
	dup := knowing(Duplicate)
	dup.unique = probe.unique
	j.Duplicate = dup.interpret(root, recv)
	for _, o := range j.First.Ops {
		o.tested = probe.unique[o.key]
	}
	j.Failing = knowing(Failing).interpret(root, recv)
	j.Any = knowing(Any).interpret(root, recv)
	return j
}

// workers returns the functions that receive from one of the channels.
func (u *Universe) workers(sends map[string]*Value) []*summary.Func {
	var out []*summary.Func
	for _, r := range u.recvs() {
		in := &r.fn.Instrs[r.instr]
		for k := 0; k < len(in.Args); k++ {
			if in.Op == summary.OpSelect && (k%2 == 1 || in.Args[k+1] != 0) {
				continue
			}
			names := channelNames(u.lookup(r.fn, in.Args[k], nil, 2))
			if key := loadKey(r.fn, in.Args[k]); key != "" {
				names = append(names, key)
			}
			for _, n := range names {
				if sends[n] != nil && (len(out) == 0 || out[len(out)-1] != r.fn) {
					out = append(out, r.fn)
				}
			}
		}
	}
	return out
}

// recvs returns the receives from channels in the visible program.
func (u *Universe) recvs() []use {
	var all []use
	for _, path := range u.names {
		all = append(all, indexOf(u.Packages[path]).recvs...)
	}
	return all
}

// Peek interprets a function in the first world only and reports whether it
// gives a record to its caller.
func (u *Universe) Peek(root *summary.Func) *Run {
	defer u.begin()()
	var recv *Value
	if rs := u.receivers(root); len(rs) > 0 {
		recv = rs[0]
	}
	return u.machine(First).interpret(root, recv)
}

func (u *Universe) machine(w World) *machine {
	m := &machine{
		u: u, cat: u.Catalog, world: w, byKey: make(map[string]*Op), objs: make(map[string]*Object),
		marks: make(map[string]bool), unique: make(map[string]bool), locks: make(map[string]bool),
		keys: make(map[string][]string), parts: make(map[*Object][]*Object), sends: make(map[string]*Value), entered: make(map[*summary.Func]bool),
	}
	m.ack = m.newObject("ack")
	return m
}

// receivers returns the objects that can be the root's receiver; a single nil
// for a function.
func (u *Universe) receivers(root *summary.Func) []*Value {
	if !root.HasRcv {
		return []*Value{nil}
	}
	v := u.param(root, 0, 0)
	alts := v.alternatives()
	var refs []*Value
	for _, a := range alts {
		if a.Kind == Ref {
			refs = append(refs, a)
		}
	}
	if len(refs) == 0 || len(refs) > 6 {
		typ := root.Pkg.TypeName(root.Params[0])
		u.objectID++
		return []*Value{{Kind: Ref, Type: typ, Obj: &Object{
			ID: u.objectID, Type: strings.TrimPrefix(typ, "*"), Symbolic: true, Path: strings.TrimPrefix(typ, "*"),
		}}}
	}
	return refs
}

func (m *machine) interpret(root *summary.Func, recv *Value) *Run {
	args := make([]*Value, len(root.Params))
	if recv != nil && recv.Obj != nil {
		recv.Obj.Own = true
	}
	for i := range args {
		if i == 0 && recv != nil {
			args[i] = recv
			continue
		}
		args[i] = m.rootArg(root, i)
		m.arrived = m.arrived || args[i].Origin().FromAnyRecord()
	}
	free := make([]*Value, len(root.Free))
	for i := range free {
		free[i] = m.u.freeVar(root, i, 0)
	}
	res := m.call(nil, 0, root, args, free, nil, newState())
	run := &Run{
		World: m.world, Ops: m.ops, Compares: m.compares, Open: m.open, Over: m.over, Lacking: m.lacking,
		byKey: m.byKey, stores: m.stores, sends: m.sends, entered: m.entered, Tool: m.noGroup,
	}
	run.Returned = m.givesRecord(root, res)
	return run
}

// givesRecord reports whether the function returns something of a record to its
// caller, errors aside, and does nothing with it itself.
func (m *machine) givesRecord(root *summary.Func, res result) bool {
	if res.val == nil || res.st == nil || !slices.ContainsFunc(m.ops, func(o *Op) bool { return o.Kind == Consume }) {
		return false
	}
	for _, o := range m.ops {
		if o.Kind == Write || o.Kind == External || o.Kind == Gate {
			return false
		}
	}
	vals := []*Value{res.val}
	if res.val.Kind == Tuple {
		vals = res.val.Elems
	}
	c := &call{f: m.root, st: res.st}
	for i, v := range vals {
		if i < len(root.Result) && (root.Pkg.TypeName(root.Result[i]) == "error" || root.Pkg.TypeName(root.Result[i]) == "bool" || root.Pkg.TypeName(root.Result[i]) == "int") {
			continue
		}
		if c.originIn(v)&(FromRecord|FromPayload) != 0 {
			return true
		}
	}
	return false
}

// rootArg is an argument of the listener's own function.
func (m *machine) rootArg(root *summary.Func, i int) *Value {
	typ := root.Pkg.TypeName(root.Params[i])
	if m.cat.Record(typ) != nil && !strings.HasPrefix(typ, "[]") {
		o := m.newObject(typ)
		o.Record, o.Org = true, FromRecord
		return &Value{Kind: Ref, Obj: o, Type: typ, Org: FromRecord}
	}
	if m.declaredPayload(root, i) && typ != "context.Context" {
		return &Value{Type: typ, Org: FromPayload}
	}
	if v := m.u.param(root, i, 0); v.Kind != Unknown {
		return v
	}
	if m.cat.Handle(typ) != catalog.NotHandle || typ == "context.Context" {
		return &Value{Type: typ}
	}
	if strings.HasPrefix(typ, "*") && strings.Contains(typ, ".") {
		return &Value{Kind: Ref, Type: typ, Obj: m.named("param "+typ, typ, strings.TrimPrefix(typ, "*"))}
	}
	return &Value{Type: typ, Org: FromConfig}
}

// declaredPayload reports whether a directive or the configuration says that the
// parameter is the record or its payload.
func (m *machine) declaredPayload(root *summary.Func, i int) bool {
	if root.HasRcv {
		i--
	}
	if i < 0 {
		return false
	}
	param, ok := m.u.Settings.Listener(root.Name)
	return root.Listener || ok && (param < 0 || param == i)
}

// marksAndLocks returns which stores the first delivery marks, and which keys
// it removes again.
func (r *Run) marksAndLocks() (marks, locks map[string]bool) {
	marks, locks = make(map[string]bool), make(map[string]bool)
	for _, o := range r.Ops {
		switch o.Kind {
		case Gate, Mark:
			marks[o.Cell] = true
			if o.Store == catalog.Redis || o.Store == catalog.Memory {
				marks[o.Store.String()] = true
			}
		}
	}
	for _, g := range r.Ops {
		if g.Kind == Gate && g.Store != catalog.SQL && r.Releases(g) {
			locks[g.Cell] = true
		}
	}
	if len(r.Open) > 0 {
		// What cannot be seen may be what marks.
		for _, o := range r.Ops {
			if o.Kind == Check {
				marks[o.Cell] = true
			}
		}
	}
	return marks, locks
}

// Releases reports whether the key that a gate stores is removed again in this
// world.
func (r *Run) Releases(g *Op) bool {
	return slices.ContainsFunc(r.Ops, func(o *Op) bool {
		return o.Kind == Release && o.Store == g.Store && g.Key != nil && o.Key != nil && g.Key.Path == o.Key.Path
	})
}
