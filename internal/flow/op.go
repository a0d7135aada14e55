package flow

import (
	"fmt"
	"go/token"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// OpKind is the kind of an operation.
type OpKind uint8

// The kinds of operations.
const (
	NoOp     OpKind = iota
	Consume         // a record is taken from Kafka
	Gate            // an event id is recorded, and the answer says whether it was there
	Check           // a store is asked whether an event id is there
	Mark            // an event id is recorded, whatever was there
	Read            // something is read from a database
	Write           // a database is changed
	External        // something outside is changed: a request, a publish, an e-mail
	Begin           // a transaction begins
	Commit          // it is committed
	Rollback        // it is rolled back
	Ack             // the record is acknowledged
	Release         // a key is removed from a store
	HandedOn        // something of the record goes to a function that cannot be seen
)

// WriteKind is what doing a write twice does.
type WriteKind uint8

// The kinds of writes.
const (
	Repeats    WriteKind = iota // a second row, a second addition
	Overwriter                  // the same value again, which may be an old one by then
	Guarded                     // nothing: a condition, a key or a state holds it back
	Undecided                   // cannot be told
)

// Op is one operation that a listener leads to.
type Op struct {
	Kind  OpKind
	Store catalog.Store
	Write WriteKind
	Dedup bool // on a dedup table, or in a store of keys
	Name  string
	Table string
	What  string // for messages: "an INSERT into orders", "an HTTP POST"

	Stmt   *Statement
	Handle Handle
	Key    *Value
	Cell   string // of checks and marks: the store that they share
	Row    *catalog.Row
	Record *Value
	// Of requests: the URL as far as it is known, the idempotency key that it
	// carries, and whether the whole of it was seen to be made.
	URL   string
	Lock  *Value
	Whole bool
	// Hooked: a RoundTripper or an interceptor may add to it, one that is not known.
	Hooked bool
	// Keyer is the type of the one that gives it its key, "" where none is known to.
	Keyer string
	// Published are the types of the objects that a publish sends.
	Published []string
	// Encoded are those of them that are in the bytes that it sends, and Payloads
	// those that the bytes encode as a whole.
	Encoded, Payloads []string
	// Headers are the names of the headers that a publish sends, as far as known.
	Headers []string
	Texts   []string  // known texts among its operands, for dead-letter names
	Clients []*Object // of a Consume: what the client may be, see Wiring
	Acked   bool      // the record was surely acknowledged before
	// Goroutine identifies the go statement that it runs in, "" for the
	// listener's own goroutine; Outlives: nothing waits for that goroutine
	// before the operation's transaction is committed.
	Goroutine string
	Outlives  bool
	joined    bool
	// Hidden: it runs in a closure that a function which cannot be seen was given.
	Hidden bool
	// Endless: the key that it stores is kept for ever.
	Endless bool
	// Early: it ran before there was a record, as a service's start-up does.
	Early  bool
	Seq    int
	Frame  *frame
	Instr  int
	key    string
	tested bool // the code looks for a unique violation in the operation's error
	asked  bool // the answer (rows, row, value) was looked at
}

// HandleState is what is known of the handle of an operation.
type HandleState uint8

// The states of a handle.
const (
	HandleUnknown HandleState = iota
	OnPool                    // each statement commits by itself
	InOpenTx                  // in a transaction that is still open
	InDoneTx                  // in a transaction that is committed already
)

// Handle is the database handle of an operation.
type Handle struct {
	State HandleState
	Tx    *Object // the transaction
}

// op records an operation at instruction i of the frame.
func (f *frame) op(i int, o *Op) *Op {
	m := f.m
	o.Frame, o.Instr, o.Goroutine = f, i, m.goroutine
	o.Hidden, o.Early = m.hidden > 0, !m.arrived
	o.key = fmt.Sprintf("%s>%d/%d.%s", f.key, i, o.Kind, o.Table)
	if old := m.byKey[o.key]; old != nil {
		// A later pass over a loop knows more of what flows around it.
		o.Seq = old.Seq
		o.tested, o.asked = old.tested, old.asked
		o.Acked = o.Acked && old.Acked
		if o.Handle != old.Handle && (o.Handle.Tx == nil || o.Handle.Tx != old.Handle.Tx) {
			o.Handle = Handle{} // one of several, by way of an interface
		}
		if old.Key != nil && o.Key != nil {
			o.Key = join(old.Key, o.Key, 0)
		}
		*old = *o
		return old
	}
	m.seq++
	o.Seq = m.seq
	m.byKey[o.key] = o
	m.ops = append(m.ops, o)
	return o
}

// Tested reports whether the code tells a unique violation of the operation
// from other errors.
func (o *Op) Tested() bool { return o.tested }

// Asked reports whether the code looks at the operation's answer.
func (o *Op) Asked() bool { return o.asked }

// In reports whether the operation stands in fn itself.
func (o *Op) In(fn *summary.Func) bool { return o.Frame.fn == fn }

// PosIn returns the position of the operation, or of the call in fn that leads
// to it; fn is on the way.
func (o *Op) PosIn(fn *summary.Func) token.Pos {
	pos := o.Pos()
	for _, s := range o.Steps() {
		if s.Func == fn {
			pos = s.Pos
		}
	}
	return pos
}

// Pos returns the position of the operation, valid only in the package under
// analysis.
func (o *Op) Pos() token.Pos { return o.Frame.fn.Instrs[o.Instr].Pos }

// Step is one call on the way from a listener to an operation.
type Step struct {
	Func *summary.Func
	Pos  token.Pos // valid only in the package under analysis
	Line uint32
	// Via are the calls that handed over the function called by this step.
	Via []Hop
}

// Steps returns the calls from the listener to the operation; the last step is
// the operation itself.
func (o *Op) Steps() []Step {
	var rev []Step
	var via []Hop
	at := o.Instr
	for f := o.Frame; f != nil; f = f.parent {
		in := &f.fn.Instrs[at]
		rev = append(rev, Step{Func: f.fn, Pos: in.Pos, Line: in.Line, Via: via})
		via, at = f.via, f.call
	}
	out := make([]Step, len(rev))
	for i := range rev {
		out[len(rev)-1-i] = rev[i]
	}
	return out
}

// Answers of an operation.
type verdict uint8

const (
	either verdict = iota
	saysFirst
	saysDuplicate
	saysFailure
)

// says returns what the operation answers in this world.
func (m *machine) says(o *Op) verdict {
	switch m.world {
	case Any:
		return either
	case First:
		return saysFirst
	}
	if o.Key != nil && o.Key.Origin().OnlyGenerated() {
		return saysFirst
	}
	if m.world == Failing {
		if o.Dedup && o.Store != catalog.Memory && (o.Kind == Gate || o.Kind == Check && m.marks[o.Cell]) {
			return saysFailure
		}
		return saysFirst
	}
	switch o.Kind {
	case Gate:
		if m.locks[o.Cell] {
			return saysFirst
		}
		return saysDuplicate
	case Check:
		if m.marks[o.Cell] {
			return saysDuplicate
		}
		return saysFirst
	case Write:
		if o.Stmt == nil {
			return saysFirst
		}
		if o.Write == Guarded || m.unique[o.key] || m.probe && o.Stmt.Verb == sqltext.Insert {
			return saysDuplicate
		}
	case Read:
		return saysDuplicate
	}
	return saysFirst
}

// memStore is a value of the record kept in a field or map that outlives it.
type memStore struct {
	cell string
	val  *Value
}

// Comparison is a comparison of two values that decides a branch.
type Comparison struct {
	Op    string
	X, Y  *Value
	frame *frame
	instr int
}

// KindName names a kind of operation, for debugging.
func KindName(k OpKind) string {
	return [...]string{"nothing", "consume", "gate", "check", "mark", "read", "write", "external", "begin", "commit", "rollback", "ack", "release", "hand-on"}[k]
}
