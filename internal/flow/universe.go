package flow

import (
	"runtime"
	"sort"
	"strings"
	"sync"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Settings is what the engine asks of the user's configuration.
type Settings interface {
	// DedupTable reports whether a table of that name records event ids.
	DedupTable(table string) bool
	// DedupRow reports whether a row of exactly these columns records an event id
	// for a consumer, whatever the table is called, when it is inserted only if
	// absent: without that it may be an archive's or a log's.
	DedupRow(columns []string) bool
	// Listener reports whether the function of that full name is declared a
	// listener, and which parameter, counted from 0 without the receiver, is the
	// record or its payload: -1 for all of them.
	Listener(name string) (param int, ok bool)
	// EventID reports whether a field or column of that name holds an event id.
	EventID(name string) bool
	// IdempotencyHeader reports whether a header of that name is an idempotency key.
	IdempotencyHeader(name string) bool
}

// Universe is the program as it is seen from one package: that package and
// everything beneath it.
type Universe struct {
	Packages map[string]*summary.Package
	Catalog  *catalog.Catalog
	Settings Settings
	// OtherBrokers and Kafka say which brokers the visible program imports.
	Kafka        bool
	OtherBrokers bool

	names []string // import paths, sorted

	// mu guards what follows: the rules ask at the same time.
	mu       sync.Mutex
	merged   map[usesKey][]use
	impls    map[methodKey][]use
	cells    map[string]*cellMemo
	params   map[string]*cellMemo
	instrs   map[place]*cellMemo
	statics  map[string]*Object
	objectID int
}

// slots bounds the interpretations that run at once in all universes: a driver may
// start an analysis of every package at the same time, and each holds the memory of
// what it interprets.
var slots = make(chan struct{}, max(2, runtime.GOMAXPROCS(0)))

// begin takes the universe and a slot for an exported operation; the function that it
// returns gives them back.
func (u *Universe) begin() (end func()) {
	u.mu.Lock()
	slots <- struct{}{}
	return func() {
		<-slots
		u.mu.Unlock()
	}
}

type cellMemo struct {
	val  *Value
	busy bool
}

// NewUniverse returns the universe of the packages.
func NewUniverse(pkgs map[string]*summary.Package, cat *catalog.Catalog, s Settings) *Universe {
	u := &Universe{
		Packages: pkgs, Catalog: cat, Settings: s,
		merged: make(map[usesKey][]use), impls: make(map[methodKey][]use),
		cells: make(map[string]*cellMemo), params: make(map[string]*cellMemo), statics: make(map[string]*Object),
		instrs:   make(map[place]*cellMemo),
		objectID: 1 << 20,
	}
	for path := range pkgs {
		u.names = append(u.names, path)
	}
	sort.Strings(u.names)
	for _, path := range u.names {
		if len(pkgs[path].Brokers) > 0 {
			u.OtherBrokers = true
		}
	}
	return u
}

// embedded returns the embedded fields of a named struct type.
func (u *Universe) embedded(typ string) []summary.Field {
	info := u.Struct(typ)
	if info == nil {
		return nil
	}
	var out []summary.Field
	for _, f := range info.Fields {
		if f.Embedded {
			out = append(out, f)
		}
	}
	return out
}

// hasMethod reports whether a type has a method, as far as can be seen.
func (u *Universe) hasMethod(cat *catalog.Catalog, typ, method string, depth int) bool {
	base := strings.TrimPrefix(typ, "*")
	if cat.Method(typ, method) != nil || u.Func("(*"+base+")."+method) != nil || u.Func("("+base+")."+method) != nil {
		return true
	}
	if depth > 4 {
		return false
	}
	for _, f := range u.embedded(typ) {
		if u.hasMethod(cat, f.Type, method, depth+1) {
			return true
		}
	}
	return false
}

// storeKey names the cell that a store through r writes: a field of a named
// type or a global variable.
func storeKey(fn *summary.Func, r summary.Ref) string {
	switch r.Kind() {
	case summary.RefGlobal:
		return fn.FuncName(r)
	case summary.RefInstr:
		in := &fn.Instrs[r.Index()]
		if in.Op == summary.OpFieldAddr {
			return fn.AuxType(in) + "." + fn.Text(in)
		}
	}
	return ""
}

// loadKey names the cell that r was loaded from.
func loadKey(fn *summary.Func, r summary.Ref) string {
	if r.Kind() == summary.RefInstr {
		in := &fn.Instrs[r.Index()]
		if in.Op == summary.OpLoad {
			return storeKey(fn, in.Args[0])
		}
	}
	return ""
}

// Callers returns the functions that call fn directly, in the visible program.
func (u *Universe) Callers(fn *summary.Func) []*summary.Func {
	defer u.begin()()
	var out []*summary.Func
	for _, c := range u.uses(callers, fn.Name) {
		if len(out) == 0 || out[len(out)-1] != c.fn {
			out = append(out, c.fn)
		}
	}
	return out
}

// TableOf returns the name of the database table behind a model's type: what
// its TableName method returns, what bun's tag says, or gorm's convention.
func (u *Universe) TableOf(typ string) string {
	typ = strings.TrimLeft(typ, "*[]")
	if typ == "" || !strings.Contains(typ, ".") {
		return ""
	}
	for _, form := range []string{"(" + typ + ").TableName", "(*" + typ + ").TableName"} {
		if fn := u.Func(form); fn != nil {
			for i := range fn.Instrs {
				in := &fn.Instrs[i]
				if in.Op == summary.OpReturn && len(in.Args) == 1 && in.Args[0].Kind() == summary.RefConst {
					return strings.ToLower(cutSchema(fn.Consts[in.Args[0].Index()].Str))
				}
			}
			return ""
		}
	}
	if info := u.Struct(typ); info != nil {
		for _, f := range info.Fields {
			if _, rest, ok := strings.Cut(f.Tag, `bun:"table:`); ok {
				name, _, _ := strings.Cut(rest, `"`)
				name, _, _ = strings.Cut(name, ",")
				return strings.ToLower(cutSchema(name))
			}
		}
	}
	name := typ[strings.LastIndexByte(typ, '.')+1:]
	return SnakePlural(name)
}

func cutSchema(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		return name[i+1:]
	}
	return name
}

// snake is gorm's and bun's naming of a column after its field.
func snake(name string) string {
	var b strings.Builder
	for i, r := range name {
		if r >= 'A' && r <= 'Z' {
			if i > 0 && !(name[i-1] >= 'A' && name[i-1] <= 'Z' && (i+1 >= len(name) || name[i+1] >= 'A' && name[i+1] <= 'Z')) {
				b.WriteByte('_')
			}
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	return b.String()
}

// SnakePlural is gorm's, bun's and ent's naming of a table after its model.
func SnakePlural(name string) string {
	s := snake(name)
	switch {
	case strings.HasSuffix(s, "y") && !strings.HasSuffix(s, "ey"):
		return s[:len(s)-1] + "ies"
	case strings.HasSuffix(s, "s") || strings.HasSuffix(s, "x") || strings.HasSuffix(s, "ch"):
		return s + "es"
	}
	return s + "s"
}
