package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/summary"
)

// use is an instruction that mentions something.
type use struct {
	fn    *summary.Func
	instr int
}

// args returns the arguments of a call.
func (u use) args() []summary.Ref {
	in := &u.fn.Instrs[u.instr]
	if in.Op == summary.OpCallValue {
		return in.Args[1:]
	}
	return in.Args
}

// index is what look-ups in one package start from. It is made once for each
// package, however many universes hold it.
type index struct {
	funcs   map[string]*summary.Func
	structs map[string]*summary.TypeInfo
	uses    [numUses]map[string][]use
	recvs   []use // receives from channels
}

// useKind is a kind of use, by what it is looked up under.
type useKind int

const (
	callers useKind = iota // calls of a function, or of a literal where it stands, by callee
	refs                   // closures and method values, by function
	convs                  // conversions to an interface, by concrete type
	ifaces                 // the same, by interface type
	stores                 // stores, by "T.field" or global
	numUses
)

type indexKey struct{}

func indexOf(p *summary.Package) *index {
	return p.Memo(indexKey{}, func() any { return newIndex(p) }).(*index)
}

func newIndex(p *summary.Package) *index {
	x := &index{funcs: make(map[string]*summary.Func), structs: make(map[string]*summary.TypeInfo)}
	for k := range x.uses {
		x.uses[k] = make(map[string][]use)
	}
	for i := range p.Structs {
		x.structs[p.Structs[i].Name] = &p.Structs[i]
	}
	for _, fn := range p.Funcs {
		x.funcs[fn.Name] = fn
		if !fn.Test {
			x.scan(fn)
		}
	}
	return x
}

func (x *index) scan(fn *summary.Func) {
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		add := func(k useKind, name string) {
			if name != "" {
				x.uses[k][name] = append(x.uses[k][name], use{fn, i})
			}
		}
		switch in.Op {
		case summary.OpCall:
			add(callers, fn.Text(in))
		case summary.OpCallValue:
			if r := in.Args[0]; r.Kind() == summary.RefInstr {
				if made := &fn.Instrs[r.Index()]; made.Op == summary.OpMakeClosure && made.N == 0 {
					add(callers, fn.Text(made))
				}
			}
		case summary.OpMakeClosure:
			add(refs, fn.Text(in))
		case summary.OpMakeIface:
			add(convs, fn.AuxType(in))
			add(ifaces, fn.Text(in))
		case summary.OpStore:
			add(stores, storeKey(fn, in.Args[0]))
		case summary.OpRecv, summary.OpSelect:
			x.recvs = append(x.recvs, use{fn, i})
		case summary.OpMapUpdate:
			if key := loadKey(fn, in.Args[0]); key != "" {
				add(stores, key+"[]")
			}
		}
	}
}

// uses returns the uses of a name in the visible program, in the order of the
// packages' paths.
func (u *Universe) uses(k useKind, name string) []use {
	key := usesKey{k, name}
	if all, ok := u.merged[key]; ok {
		return all
	}
	var all []use
	for _, path := range u.names {
		all = append(all, indexOf(u.Packages[path]).uses[k][name]...)
	}
	u.merged[key] = all
	return all
}

type usesKey struct {
	kind useKind
	name string
}

// Func returns the function of that full name, or nil when its body is not visible.
func (u *Universe) Func(name string) *summary.Func {
	return home(u, name, func(x *index) *summary.Func { return x.funcs[name] })
}

// Struct returns the description of a named struct type, or nil.
func (u *Universe) Struct(typ string) *summary.TypeInfo {
	typ = strings.TrimPrefix(typ, "*")
	return home(u, typ, func(x *index) *summary.TypeInfo { return x.structs[typ] })
}

// home looks a full name up in the package that it begins with. The last element
// of an import path may hold dots.
func home[T any](u *Universe, name string, find func(*index) *T) *T {
	path := strings.TrimLeft(name, "(*")
	end := len(path)
	if i := strings.IndexAny(path, "[)"); i >= 0 {
		end = i
	}
	start := strings.LastIndexByte(path[:end], '/') + 1
	for i := start; i < end; i++ {
		if path[i] != '.' {
			continue
		}
		if p := u.Packages[path[:i]]; p != nil {
			if found := find(indexOf(p)); found != nil {
				return found
			}
		}
	}
	return nil
}

// Property is something that a function itself does, as far as its body tells.
type Property uint8

// The properties.
const (
	Generates Property = iota // it makes an identifier, or hands one to the database to make
	Requests                  // it sends a request or calls a payment SDK
	Publishes                 // it sends something to a broker
)

type propertyKey struct {
	property Property
	catalog  any
}

// having returns the functions of a package with the property.
func (u *Universe) having(p *summary.Package, what Property) []*summary.Func {
	holds := [...]func(*summary.Func) bool{u.generates, u.requests, u.publishes}[what]
	list := func() any {
		var out []*summary.Func
		for _, fn := range p.Funcs {
			if !fn.Test && holds(fn) {
				out = append(out, fn)
			}
		}
		return out
	}
	if what == Requests {
		return list().([]*summary.Func) // what an interface stands for differs from universe to universe
	}
	return p.Memo(propertyKey{what, u.Catalog}, list).([]*summary.Func)
}
