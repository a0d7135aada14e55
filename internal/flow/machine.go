package flow

import (
	"fmt"
	"strings"
	"sync"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// World fixes what is assumed of everything that the code cannot know.
type World uint8

// The worlds. In all but Any, calls that can fail succeed.
const (
	// First is the record's first delivery: gates say "first time".
	First World = iota
	// Duplicate is its second delivery: gates say "duplicate".
	Duplicate
	// Failing is a delivery during which the gates' stores fail.
	Failing
	// Any assumes nothing: every branch can be taken. It shows which values
	// can become keys, on error paths too.
	Any
)

// The bounds of one interpretation. A listener beyond them is unknown.
const (
	maxSteps = 400_000
	maxDepth = 40
	// maxNested bounds the values that are looked through for a field.
	maxNested = 5
	// maxParents bounds the contexts that one is derived from: in a loop one can
	// be derived from itself.
	maxParents = 16
)

// machine is one interpretation of one listener in one world.
type machine struct {
	u     *Universe
	mu    sync.Mutex // of what is computed after the interpretation
	cat   *catalog.Catalog
	world World

	ops     []*Op
	byKey   map[string]*Op
	seq     int
	steps   int
	over    bool // a bound was hit
	lacking bool // see Run
	nested  int  // values looked through, now
	objID   int
	objs    map[string]*Object // named objects: symbolic receivers, globals
	root    *frame
	ack     *Object // carries the mark that the record was acknowledged

	// marks are the stores that a listener's first delivery marks; a check of
	// one of them is a gate.
	marks   map[string]bool
	entered map[*summary.Func]bool
	// unique holds the inserts whose unique violation the code looks for.
	unique map[string]bool
	// probe makes every insert that could violate a constraint do so, to see
	// whether the code looks for that.
	probe bool
	// locks holds the keys that the first delivery itself removes again: a
	// store-if-absent on one of them is a lock, not a gate.
	locks map[string]bool
	// open is set when something of a record went to a function that cannot be seen.
	open []*Op
	// hidden counts the functions under interpretation that run a closure and
	// cannot be seen themselves: they may guard it.
	hidden   int
	stores   []memStore
	assigns  []*Assign
	parts    map[*Object][]*Object // by the object that they are parts of
	keys     map[string][]string   // of maps, by mapOf
	compares []Comparison
	sends    map[string]*Value
	// delivered is what the record's way put on channels, by channel; a channel
	// with a nil value is one on which this world sends nothing.
	delivered map[string]*Value
	arrived   bool // there has been a record
	noGroup   bool // the client reads without a consumer group
	// goroutine identifies the go statement under interpretation, "" for the
	// listener's own goroutine.
	goroutine string
}

// spawn begins the interpretation of a goroutine that instruction i of the frame
// starts; the function that it returns ends it.
func (m *machine) spawn(f *frame, i int) func() {
	outer := m.goroutine
	m.goroutine = fmt.Sprintf("%s/%d", f.key, i)
	return func() { m.goroutine = outer }
}

// join notes that the goroutine under interpretation waits here for what it
// started, by a WaitGroup, a channel or the like.
func (m *machine) join() {
	for _, o := range m.ops {
		if o.Goroutine != m.goroutine {
			o.joined = true
		}
	}
}

// result is what a call did: its value, and the memory after it.
type result struct {
	val *Value
	st  *state // nil when the call does not return
}

// enters reports whether a call of fn from parent is interpreted: the bounds on
// depth, recursion and work are not reached.
func (m *machine) enters(parent *frame, fn *summary.Func) bool {
	if m.steps > maxSteps || parent != nil && parent.depth >= maxDepth {
		m.over = true
		return false
	}
	recursive := 0
	for p := parent; p != nil; p = p.parent {
		if p.fn == fn {
			recursive++
		}
	}
	return recursive <= 1
}

// call interprets fn with the given arguments.
func (m *machine) call(parent *frame, at int, fn *summary.Func, args, free []*Value, via []Hop, st *state) result {
	depth := 0
	key := fn.Name
	if parent != nil {
		depth = parent.depth + 1
		key = fmt.Sprintf("%s>%d>%s", parent.key, at, fn.Name)
		if len(via) > 0 {
			last := via[len(via)-1]
			key += fmt.Sprintf("@%s:%d", last.Fn.Name, last.Instr)
		}
	}
	f := &frame{
		m: m, fn: fn, parent: parent, call: at, depth: depth, args: args, free: free, via: via,
		vals: make([]*Value, len(fn.Instrs)), objs: make(map[int]*Object),
		conds: make(map[int]*Value), taken: make(map[[2]int]bool), key: key,
	}
	if parent == nil {
		m.root = f
	}
	m.entered[fn] = true
	last := m.objID
	r := f.run(st)
	if r.st != nil && parent != nil {
		m.sweep(st, last, r)
	}
	return r
}

// named returns the symbolic object of that name, the same one at each call.
func (m *machine) named(key, typ, path string) *Object {
	o := m.objs[key]
	if o == nil {
		o = m.newObject(typ)
		o.Symbolic, o.Path = true, path
		m.objs[key] = o
	}
	return o
}

// part returns the object of a part of another one, the same at each call.
func (m *machine) part(of *Object, key, typ, path string) *Object {
	o := m.named(key, typ, path)
	m.within(o, of)
	return o
}

// within makes o a part of another object.
func (m *machine) within(o, of *Object) {
	if o.In == nil {
		o.In = of
		m.parts[of] = append(m.parts[of], o)
	}
}

func (m *machine) newObject(typ string) *Object {
	m.objID++
	return &Object{ID: m.objID, Type: strings.TrimPrefix(typ, "*"), Late: m.arrived}
}
