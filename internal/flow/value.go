// Package flow interprets function summaries: it follows one record from the
// place where a listener gets it to everything that is done because of it.
//
// It is an abstract interpreter over package summary's bodies, forward, flow
// sensitive and context sensitive: a call is interpreted with its caller's
// values, so a helper's boolean, a repository's handle, a closure's transaction
// mean at each call what they mean there. Each interpretation happens in a
// World, which fixes what gates answer. Running a listener in the world where
// every gate answers "duplicate" shows what a second delivery does again,
// whatever form the answer takes on its way: a bool of either polarity, a row
// count, pgx.ErrNoRows, a sentinel error wrapped twice.
//
// What cannot be seen is unknown, and a branch on the unknown marks what it
// decides, so that a rule can tell "runs again" from "may run again".
package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Hole stands for the unknown parts of a text.
const Hole = sqltext.Hole

// Origin is the set of what a value is computed from.
type Origin uint32

// The elements of an Origin.
const (
	FromPayload Origin = 1 << iota
	FromHeader
	FromKey
	FromOffset
	FromPartition
	FromTopic
	FromTimestamp
	FromRecord // the record as a whole, or a part that the catalogue does not name
	FromUUID   // a generated UUID that is not version 7
	FromUUIDv7
	FromRandom  // another generated id
	FromClock   // the current time
	FromRead    // read from a store under a key of the record
	FromUnknown // returned by a function that cannot be seen and was given something of the record
	FromCounter // the counter of a loop
	FromConfig  // a setting: a field, a global or a parameter that has nothing to do with the record
	FromAbsence // taken to be missing from a context, since nothing that puts it there is seen
)

// Sets of origins.
const (
	recordOrigins    = FromPayload | FromHeader | FromKey | FromOffset | FromPartition | FromTopic | FromTimestamp | FromRecord
	generatedOrigins = FromUUID | FromUUIDv7 | FromRandom
)

// FromAnyRecord reports whether something of a record is in the set.
func (o Origin) FromAnyRecord() bool { return o&recordOrigins != 0 }

// OnlyGenerated reports whether the set holds a generated id or the time and
// nothing that comes from a record: such a value is new at each delivery.
func (o Origin) OnlyGenerated() bool {
	return o&(generatedOrigins|FromClock) != 0 && o&(recordOrigins|FromRead|FromUnknown) == 0
}

// Kind is what is known of a value.
type Kind uint8

// The kinds of values.
const (
	Unknown Kind = iota
	Zero         // the zero value of a type that the reader knows
	One          // true or 1, as the reader's type says
	Nil
	Bool
	Int
	Str
	NonNil // a value that is not nil, nothing else
	Err    // a non-nil error: Text identifies it, Elems are the errors it wraps
	Func   // a function: Text = full name, Recv = bound receiver, Elems = captured values
	Ref    // a pointer to, or the value of, an object
	Addr   // the address of a field or element of an object
	Tuple  // Elems = components
	Union  // Elems = alternatives
	Answer // what an operation answered, in a form of its library
	Stmt   // a statement under construction
)

// Value is an abstract value. Values are immutable once made.
type Value struct {
	Kind  Kind
	Type  string // full name of the dynamic type, when known
	Int   int64  // Bool and Int
	Text  string // Str, Err, Func
	Obj   *Object
	Field string // Addr
	Recv  *Value
	Elems []*Value
	Op    *Op
	Stmt  *Statement

	Org  Origin   // what it is computed from
	Ctl  Origin   // what decided which value it is
	Path string   // where it was read from, for messages and look-ups: "T.field", a payload field
	Via  []Hop    // the calls outside the listener's package that handed it over
	Made *Made    // the call that generated it, or the id that it was computed from
	Of   []string // the types of the objects that it encodes
	Lock *Value   // the idempotency key that it carries
}

// Hop is a place where a value was handed over on its way to a dynamic call.
type Hop struct {
	Fn    *summary.Func
	Instr int
}

// Object is an abstract object: an allocation, a record, a handle, a context.
type Object struct {
	ID   int
	Type string // full name of the type, without *
	Org  Origin // what its unwritten fields are computed from

	Record   bool    // a consumed record
	Symbolic bool    // not allocated in what was interpreted: its fields are looked up
	Late     bool    // made when a record had arrived: it does not outlive the record
	Own      bool    // the listener's own receiver, or what it keeps in its fields
	Path     string  // how it is reached, for messages
	static   *site   // where it was allocated, when it was found by look-up
	In       *Object // the object that it is a part of
	Site     string  // the function and instruction that allocate it

	Tx     bool         // a transaction
	Outer  *Object      // of a nested transaction: the one that it is part of
	Pool   bool         // a handle whose statements commit by themselves
	Parent *Value       // of a context: the context it is derived from
	Key    *Value       // of a context: the key it adds
	Val    *Value       // of a context: the value under the key
	Method string       // of an HTTP request
	Outlet *catalog.Row // of a channel: what a send on it does
}

// Statement is an SQL statement under construction, by text or by builder.
type Statement struct {
	sqltext.Statement
	Handle *Value
	Values []*Value
	Model  *Value
	Key    *Value // the value of the conflict target, as far as it is known
	Text   string
	Raw    bool // from SQL text, in a literal
	// SelectFirst: the layer reads before it inserts, in two statements.
	SelectFirst bool

	queued *call // of a batch: the call that queued it
}

var (
	unknown  = &Value{}
	nilValue = &Value{Kind: Nil}
	zero     = &Value{Kind: Zero}
	trueVal  = &Value{Kind: Bool, Int: 1}
	falseVal = &Value{Kind: Bool}
)

func boolean(b bool) *Value {
	if b {
		return trueVal
	}
	return falseVal
}

func integer(i int64) *Value { return &Value{Kind: Int, Int: i} }

func text(s string) *Value { return &Value{Kind: Str, Text: s} }

func tuple(vs ...*Value) *Value { return &Value{Kind: Tuple, Elems: vs} }

// derived is an unknown value computed from vs.
func derived(vs ...*Value) *Value {
	var o, c Origin
	path := ""
	var made *Made
	var lock *Value
	var of []string
	for _, v := range vs {
		if v != nil {
			if made == nil {
				made = v.made()
			}
			if lock == nil {
				lock = v.Lock
			}
			of = append(of, v.Of...)
			o |= v.Org | objOrigin(v)
			c |= v.Ctl
			if path == "" {
				path = v.Path
			}
		}
	}
	return &Value{Org: o, Ctl: c, Path: path, Made: made, Of: of, Lock: lock}
}

func objOrigin(v *Value) Origin {
	if v.Obj != nil {
		return v.Obj.Org
	}
	var o Origin
	if v.Kind == Union || v.Kind == Tuple {
		for _, e := range v.Elems {
			o |= e.Origin()
		}
	}
	return o
}

// Origin returns what v, or the object behind it, is computed from.
func (v *Value) Origin() Origin {
	if v == nil {
		return 0
	}
	return v.Org | objOrigin(v)
}

// mark returns v with origins added.
func (v *Value) mark(org, ctl Origin) *Value {
	if org&^v.Org == 0 && ctl&^v.Ctl == 0 {
		return v
	}
	w := *v
	w.Org |= org
	w.Ctl |= ctl
	return &w
}

// markEach is mark for each element of a tuple.
func (v *Value) markEach(org Origin) *Value {
	if v.Kind != Tuple {
		return v.mark(org, 0)
	}
	w := *v
	w.Elems = make([]*Value, len(v.Elems))
	for i, e := range v.Elems {
		w.Elems[i] = e.mark(org, 0)
	}
	return &w
}

func (v *Value) withPath(p string) *Value {
	if v.Path == p {
		return v
	}
	w := *v
	w.Path = p
	return &w
}

func (v *Value) withType(t string) *Value {
	if v.Type == t || t == "" {
		return v
	}
	w := *v
	w.Type = t
	return &w
}

// via returns v with a hop added to the way on which it was handed over.
func (v *Value) via(h Hop) *Value {
	if v.Kind != Func && v.Kind != Ref && v.Kind != Union || len(v.Via) >= 6 {
		return v
	}
	for _, have := range v.Via {
		if have == h {
			return v
		}
	}
	w := *v
	w.Via = append(slices.Clone(v.Via), h)
	if v.Kind == Union {
		w.Elems = make([]*Value, len(v.Elems))
		for i, e := range v.Elems {
			w.Elems[i] = e.via(h)
		}
	}
	return &w
}

// maxAlternatives bounds a union; past it the value is unknown.
const maxAlternatives = 16

// same reports whether two values say the same, origins aside.
func same(a, b *Value) bool {
	if a == b {
		return true
	}
	if a.Kind != b.Kind || a.Int != b.Int || a.Text != b.Text || a.Obj != b.Obj || a.Field != b.Field ||
		a.Op != b.Op || a.Stmt != b.Stmt || len(a.Elems) != len(b.Elems) {
		return false
	}
	if (a.Recv == nil) != (b.Recv == nil) || a.Recv != nil && !same(a.Recv, b.Recv) {
		return false
	}
	for i := range a.Elems {
		if !same(a.Elems[i], b.Elems[i]) {
			return false
		}
	}
	return true
}

// join returns the value that is a or b, decided by something of origin ctl.
func join(a, b *Value, ctl Origin) *Value {
	if a == nil {
		return b
	}
	if b == nil || a == b {
		return a
	}
	if same(a, b) {
		return a.mark(b.Org, b.Ctl)
	}
	if a.Kind == Tuple && b.Kind == Tuple && len(a.Elems) == len(b.Elems) {
		elems := make([]*Value, len(a.Elems))
		for i := range elems {
			elems[i] = join(a.Elems[i], b.Elems[i], ctl)
		}
		return tuple(elems...)
	}
	out := &Value{
		Kind: Union, Org: a.Org | b.Org, Ctl: a.Ctl | b.Ctl | ctl,
	}
	if a.Type == b.Type {
		out.Type = a.Type
	}
	if a.Path == b.Path || b.Path == "" {
		out.Path = a.Path
	} else if a.Path == "" {
		out.Path = b.Path
	}
	for _, v := range []*Value{a, b} {
		alts := []*Value{v}
		if v.Kind == Union {
			alts = v.Elems
		}
		for _, alt := range alts {
			if !slices.ContainsFunc(out.Elems, func(e *Value) bool { return same(e, alt) }) {
				out.Elems = append(out.Elems, alt)
			}
		}
	}
	if len(out.Elems) > maxAlternatives {
		return &Value{Org: out.Origin(), Ctl: out.Ctl, Type: out.Type, Path: out.Path}
	}
	return out
}

// alternatives returns the values that v may be.
func (v *Value) alternatives() []*Value {
	if v == nil {
		return nil
	}
	if v.Kind == Union {
		return v.Elems
	}
	return []*Value{v}
}

// Known strings: the texts that v can be, and whether that is all.
func (v *Value) texts() []string {
	var out []string
	for _, a := range v.alternatives() {
		if a.Kind == Str {
			out = append(out, a.Text)
		}
	}
	return out
}

// truth returns what is known of a condition: 1 true, 0 false, -1 either.
func truth(v *Value) int {
	switch v.Kind {
	case Bool:
		return int(v.Int)
	case Zero:
		return 0
	case One:
		return 1
	}
	return -1
}

// isNil returns what is known of v == nil: 1 true, 0 false, -1 either.
func isNil(v *Value) int {
	switch v.Kind {
	case Nil, Zero:
		return 1
	case Unknown, Union:
		if v.Kind == Union {
			all := -2
			for _, e := range v.Elems {
				n := isNil(e)
				if all == -2 {
					all = n
				} else if all != n {
					return -1
				}
			}
			return all
		}
		if v.Org == FromConfig {
			return 0 // a dependency that was wired in
		}
		return -1
	}
	return 0
}

// lastPart cuts a full name to what follows the last slash.
func lastPart(name string) string {
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		return name[i+1:]
	}
	return name
}

var originNames = []string{
	"payload", "header", "key", "offset", "partition", "topic", "timestamp", "record",
	"uuid", "uuidv7", "random", "clock", "read", "unknown", "counter", "config",
}

var originWords = [...]string{
	"the payload", "a header", "the record's key", "the offset", "the partition", "the topic", "the record's timestamp", "the record",
	"a UUID that is not v7", "a UUID v7 made here", "a random value", "the clock", "a stored value", "something that cannot be seen", "a loop's counter", "a setting",
}

// Words lists the elements of a set for people.
func (o Origin) Words() []string {
	var out []string
	for i, n := range originWords {
		if o&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return out
}

// OriginNames lists the elements of a set, for debugging.
func OriginNames(o Origin) string {
	var out []string
	for i, n := range originNames {
		if o&(1<<i) != 0 {
			out = append(out, n)
		}
	}
	return strings.Join(out, "|")
}
