// Package catalog is what the engine knows of libraries, as data: one file a
// library, each a table of rows keyed by the full name of a function or type.
// The user's configuration adds rows of the same form.
//
// A row names a call's meaning (its Verb) and the positions of the operands
// that matter. Nothing outside this package names a library.
package catalog

import (
	"fmt"
	"maps"
	"sort"
	"strings"
	"sync"
)

// Arg is the position of an operand of a call. The zero Arg means "none".
type Arg int8

// The positions: the receiver, and the arguments counted from 0.
const (
	None Arg = iota
	Recv
	A0
	A1
	A2
	A3
	A4
	A5
)

// ArgAt returns the position of argument i, counted from 0.
func ArgAt(i int) Arg { return A0 + Arg(i) }

// Verb is the meaning of a call.
type Verb uint8

// The meanings. Operand names refer to the fields of Row.
const (
	NoVerb Verb = iota
	Idle        // does nothing that the engine cares about

	// Records.
	Source   // returns a record, a batch or a channel of records; Auto: the read acknowledges
	Callback // calls the function value Fn with a record, once for each
	Ack      // acknowledges the record(s) in Key
	// Processor makes a consumer of the functions in the struct Key: Field names the one
	// that decodes, the one that returns the id, the work of one event, that of several.
	Processor

	// SQL handles and transactions.
	Open     // returns a pool
	Begin    // returns a transaction on Handle
	InTx     // runs the closure Fn inside a transaction on Handle
	Once     // a gate on Key, or on its field Field, and behind it the closure Fn, in one transaction
	Commit   // commits Handle
	Rollback // rolls Handle back
	Rebind   // returns the receiver bound to the handle in Handle (sqlc's WithTx, gorm's Session)
	Derive   // returns the receiver or first argument, as far as the engine cares

	// SQL statements. Text is the statement; Vals the first bind value.
	Exec     // answer: rows affected
	Query    // answer: rows
	QueryRow // answer: one row, read by Scan
	GetInto  // answer: one row, read into Dest; error when there is none
	Select   // answer: rows, read into Dest
	Copy     // bulk insert into the table named by Text
	Queue    // adds a statement to a batch
	RunBatch // sends a batch

	// What a statement's answer is asked.
	RowsAffected
	Scan
	NextRow
	Answered // returns the error of the answer

	// Statement builders and ORMs.
	Build // a builder call: Part says which part, Text or Model carries it
	Run   // executes the built statement in the receiver, on Handle when given
	ToSQL // returns text and values of the built statement

	// Key-value and document stores, and memory.
	PutAbsent // stores Key if it is not there: a gate that no transaction covers
	Put       // stores Key
	Get       // reads Key
	Del       // removes Key
	Incr      // changes Key relative to its value
	Expire    // gives Key an end
	Upkeep    // removes old keys of the library's own gates

	// Other effects.
	Effect   // Kind says which
	Request  // builds an HTTP request: Method, URL
	Send     // sends the HTTP request in Key, or one with the headers in Key; Method when it is fixed
	Header   // sets a header of the request in the receiver: Key, Text
	Body     // puts the body in Key on the request in the receiver
	SetKey   // puts the idempotency key in Text on the receiver
	KeyPairs // takes names and values in turn; returns what carries them: a context derived from Key, or metadata
	RecordOf // returns the part RecordPart of the record behind the context
	ParseID  // reads an id from text; returns it and an error
	Consumer // makes a client: of a group when the field Field, or an option, says so
	Option   // the option that makes a client one of a group
	Generate // returns an id, or fills Dest with it; Gen says of which kind. With Key: only if that is the variable named Const
	EventID  // puts the event id in Text on the receiver
	Outlet   // returns a channel: a send on it is an Effect of this Kind
	Compose  // returns a new object whose fields, named by Field, are the arguments in turn
	CtxWith  // returns a context that carries Vals under Key
	CtxValue // reads Key from the context
)

// Part is the part of a statement that a builder call adds.
type Part uint8

// The parts.
const (
	NoPart       Part = iota
	PartInsert        // INSERT, into Text or Model
	PartUpdate        // UPDATE
	PartDelete        // DELETE
	PartSelect        // SELECT
	PartTable         // the table, in Text
	PartModel         // the table, from the type of Model
	PartClear         // no ON CONFLICT clause after all
	PartNothing       // ON CONFLICT DO NOTHING
	PartDoUpdate      // ON CONFLICT DO UPDATE
	PartConflict      // ON CONFLICT, decided by the value in Text or Model
	PartRaw           // raw text appended to the statement
	PartWhere         // a condition
	PartSet           // an assignment
	PartValues        // values
	PartColumns       // columns
	PartReturn        // RETURNING
	PartLock          // FOR UPDATE
	PartRunner        // the handle to run on
	PartSave          // gorm's Save: insert or overwrite
	PartMerge         // keep the statement, join the parts of the argument to it
)

// Store is the kind of storage behind a gate or an effect.
type Store uint8

// The stores.
const (
	NoStore  Store = iota
	SQL            // a database with transactions
	Redis          // Redis and other key-value caches
	Memory         // the process's own memory
	Mongo          // MongoDB: transactional within a session
	DynamoDB       // DynamoDB: transactional within TransactWriteItems
)

// String names the store in messages.
func (s Store) String() string {
	return [...]string{"an unknown store", "the database", "Redis", "memory", "MongoDB", "DynamoDB"}[s]
}

// Gen is the kind of a generated value.
type Gen uint8

// The kinds of generated values.
const (
	NoGen  Gen = iota
	UUID       // a UUID of a version that is not 7
	UUIDv7     // UUID version 7
	Random     // ULID, KSUID, xid, nanoid, random bytes
	Clock      // the current time
)

// Row is the meaning of one function, method or interface method.
type Row struct {
	Name string // full name, as in "(*database/sql.DB).ExecContext"
	Verb Verb

	Handle Arg // the database handle; for builders the runner
	Text   Arg // SQL text, table name, header value; of a PutAbsent the hash that Key is a field of
	Vals   Arg // first bind value
	Dest   Arg // where the answer is read into
	Key    Arg // record, key, request
	Fn     Arg // function value that is called
	Model  Arg // value whose type names the table
	Method Arg // HTTP method
	URL    Arg
	Life   Arg // how long a PutAbsent keeps its key, 0 for ever

	Part       Part
	RecordPart RecordPart
	Store      Store
	Gen        Gen
	Kind       string // of an Effect: "a Kafka publish"; of a Callback: what becomes of the function's result
	Const      string // a fixed text: an HTTP method, a clause
	Field      string // of a Compose: the fields, "" for an argument that is none; of an Effect or PutAbsent whose operand is a struct: the field with the topic, key or condition; with Money: the path below Key to the field that takes the idempotency key, when the field's name does not say so
	Auto       bool   // Source: reading acknowledges
	Read       bool   // the call changes nothing
	Money      bool   // the call moves money; Key is the position of its parameters
	Group      bool   // Source or Callback that consumes as a group only when the broker behind it is Kafka
	Own        bool   // a gate whose table is the library's own
	Wire       *Wiring
	Hook       *Hook // of a Send: what the client calls for each request, nil where that cannot be known
}

// Hook says where a client keeps what it calls for each request, which may add to it.
type Hook struct {
	Field   string // of the receiver
	Default string // the global variable whose value holds where the field is not set
	Plain   string // a type of values that add nothing
}

// Wiring says where a call names a client's topics and consumer group: the call that
// makes the client, one of its options, a subscription.
type Wiring struct {
	Topics, Group []Operand
	Handler       Arg // whose methods get the records
}

// Operand is an argument that is a name or a slice of names or, with Fields, a struct
// or map that holds such under them.
type Operand struct {
	Arg    Arg
	Fields []string
}

// names returns the operands of a Wiring: one argument.
func names(a Arg, fields ...string) []Operand { return []Operand{{a, fields}} }

// Publishes reports whether the call sends something to a broker.
func (r *Row) Publishes() bool { return strings.HasSuffix(r.Kind, "publish") }

// RecordPart is a part of a record.
type RecordPart uint8

// The parts of a record.
const (
	Payload RecordPart = iota + 1
	Headers
	RecordKey
	Offset
	Partition
	Topic
	Timestamp
	Nested // a struct that holds further parts
)

// RecordType describes a client's message type.
type RecordType struct {
	Name   string                // full name, without *
	Fields map[string]RecordPart // by field or method name
}

// HandleKind is what a type says of a database handle.
type HandleKind uint8

// The kinds of handles.
const (
	NotHandle HandleKind = iota
	Pool                 // statements commit by themselves
	Tx                   // a transaction
	Either               // an interface or type that both satisfy
)

// LibraryKind says what a library is to the engine.
type LibraryKind uint8

// The kinds of libraries. The engine analyses none of them but the Runtime; packages
// that import a Records, Stores or Runtime library directly are analysed even outside
// the module under inspection.
const (
	NotLibrary LibraryKind = iota
	Records                // a Kafka client
	Stores                 // reaches a database or a key-value store
	Effects                // reaches another system
	IDs                    // makes identifiers
	Support                // neither: encoders, errors, logs
	Runtime                // the reference runtime: analysed like anybody's code, beside what its rows say
)

// Library is one catalogued library.
type Library struct {
	Path string // import path, covers the packages beneath it
	Kind LibraryKind
}

// Catalog is an immutable set of rows with look-ups. Build one with New.
type Catalog struct {
	table   func() map[string]*Row // by name; most packages never ask
	money   func() map[string]*Row // the money calls by package and method; nil when several have the name
	records map[string]*RecordType
	handles map[string]HandleKind
	errs    map[string]ErrorClass
	libs    map[string]LibraryKind
	builds  map[string]bool
	headers map[string]bool
	keyed   map[string]bool
}

// ErrorClass is what a well-known error value or type says.
type ErrorClass uint8

// The classes of errors.
const (
	NoClass   ErrorClass = iota
	NoRows               // the row or key is not there
	Violation            // a unique constraint or a condition was violated
)

// entry is what one library's file contributes.
type entry struct {
	libs    []Library
	rows    func() []Row
	records []RecordType
	handles map[string]HandleKind
	errs    map[string]ErrorClass
	// headers names the types that hold headers by their names.
	headers []string
	// builds names the types whose values are statements under construction.
	builds []string
	// keyed names the transports and interceptors that give each request its
	// idempotency key.
	keyed []string
}

var entries []entry

// register is called from the initialisers of the libraries' files.
func register(e entry) { entries = append(entries, e) }

// New returns the built-in catalogue with the rows in extra laid over it.
func New(extra []Row) *Catalog {
	c := &Catalog{
		records: make(map[string]*RecordType),
		handles: make(map[string]HandleKind), errs: make(map[string]ErrorClass),
		libs: make(map[string]LibraryKind), builds: make(map[string]bool), headers: make(map[string]bool), keyed: make(map[string]bool),
	}
	for i := range entries {
		e := &entries[i]
		for j := range e.records {
			c.records[e.records[j].Name] = &e.records[j]
		}
		for k, v := range e.handles {
			c.handles[k] = v
		}
		for k, v := range e.errs {
			c.errs[k] = v
		}
		for _, l := range e.libs {
			c.libs[l.Path] = l.Kind
		}
		for _, h := range e.headers {
			c.headers[h] = true
		}
		for _, b := range e.builds {
			c.builds[b] = true
		}
		for _, k := range e.keyed {
			c.keyed[k] = true
		}
	}
	c.table = builtIn
	c.money = sync.OnceValue(c.moneyMethods)
	if len(extra) == 0 {
		return c
	}
	c.table = sync.OnceValue(func() map[string]*Row {
		m := maps.Clone(builtIn())
		for i := range extra {
			m[extra[i].Name] = &extra[i]
		}
		return m
	})
	return c
}

// builtIn is the table of the built-in rows.
var builtIn = sync.OnceValue(func() map[string]*Row {
	m := make(map[string]*Row)
	for _, e := range entries {
		if e.rows == nil {
			continue
		}
		rs := e.rows()
		for i := range rs {
			m[rs[i].Name] = &rs[i]
		}
	}
	return m
})

// Row returns the row of the function with that full name, or nil.
func (c *Catalog) Row(name string) *Row {
	if r := c.table()[name]; r != nil {
		return r
	}
	if rest, ok := strings.CutPrefix(name, "("); ok {
		if typ, method, ok := strings.Cut(rest, ")."); ok {
			return entRow(strings.TrimPrefix(typ, "*"), method)
		}
	}
	return nil
}

// Method returns the row of a method by the name of its receiver's type and
// its own, trying the pointer form, the value form and the interface form.
func (c *Catalog) Method(typ, method string) *Row {
	typ = strings.TrimPrefix(typ, "*")
	if r := entRow(typ, method); r != nil {
		return r
	}
	if r := c.table()["(*"+typ+")."+method]; r != nil {
		return r
	}
	return c.table()["("+typ+")."+method]
}

// Money returns the row of the only method of that name in a package that moves
// money, or nil.
func (c *Catalog) Money(path, method string) *Row { return c.money()[path+"."+method] }

func (c *Catalog) moneyMethods() map[string]*Row {
	out := make(map[string]*Row)
	for name, r := range c.table() {
		typ, method, ok := strings.Cut(strings.TrimLeft(name, "(*"), ").")
		if !ok || !r.Money {
			continue
		}
		key := typ[:strings.LastIndexByte(typ, '.')] + "." + method
		if _, ok := out[key]; ok {
			r = nil
		}
		out[key] = r
	}
	return out
}

// Record returns the description of a record type by the name of the type,
// with or without *, or nil.
func (c *Catalog) Record(typ string) *RecordType { return c.records[strings.TrimPrefix(typ, "*")] }

// Handle returns what the type of that name says of a database handle.
func (c *Catalog) Handle(typ string) HandleKind {
	typ = strings.TrimPrefix(typ, "*")
	if k := c.handles[typ]; k != NotHandle {
		return k
	}
	return entHandle(typ)
}

// Error returns the class of a well-known error variable or error type.
func (c *Catalog) Error(name string) ErrorClass { return c.errs[strings.TrimPrefix(name, "*")] }

// Builder reports whether values of the type are statements under construction.
func (c *Catalog) Builder(typ string) bool { return c.builds[strings.TrimPrefix(typ, "*")] }

// Headers reports whether values of the type are maps of a message's or a request's
// headers.
func (c *Catalog) Headers(typ string) bool { return c.headers[typ] }

// Keyed reports whether a value of the type, a transport or an interceptor, gives each
// request its idempotency key.
func (c *Catalog) Keyed(typ string) bool { return c.keyed[typ] }

// Library returns what the package of that import path is: the kind of the
// nearest catalogued path at or above it.
func (c *Catalog) Library(path string) LibraryKind {
	for p := path; ; {
		if k, ok := c.libs[p]; ok {
			return k
		}
		i := strings.LastIndexByte(p, '/')
		if i < 0 {
			return NotLibrary
		}
		p = p[:i]
	}
}

// Generates reports whether the package of that import path makes identifiers.
func (c *Catalog) Generates(path string) bool { return c.Library(path) == IDs }

// Names returns the full names of all catalogued functions, sorted.
func (c *Catalog) Names() []string {
	out := make([]string, 0, len(c.table()))
	for n := range c.table() {
		out = append(out, n)
	}
	sort.Strings(out)
	return out
}

// each makes a row for every name, formed by putting the name into format.
func each(format string, names []string, r Row) []Row {
	out := make([]Row, len(names))
	for i, n := range names {
		out[i] = r
		out[i].Name = fmt.Sprintf(format, n)
	}
	return out
}

func rows(lists ...[]Row) []Row {
	var out []Row
	for _, l := range lists {
		out = append(out, l...)
	}
	return out
}
