package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Idempotency keys: what a request, its body, its parameters or its context
// carries for the other side to tell a repetition by.

// keyField is the mark of an object that carries an idempotency key.
const keyField = "$key"

// lock puts a key on the object that a header, a setter or a form belongs to.
func (c *call) lock(holder, key *Value) {
	for _, a := range holder.alternatives() {
		if a.Obj != nil {
			c.st.set(a.Obj, keyField, key)
		}
	}
}

// lockOf returns the idempotency key that a value carries, nil when it carries
// none: a context through its parents, a structure some levels down.
func (c *call) lockOf(v *Value, depth int) *Value {
	for _, a := range v.alternatives() {
		if a.Lock != nil {
			return a.Lock
		}
		o := a.Obj
		for n := 0; o != nil && n < maxParents; n++ {
			if k := c.lockIn(o, depth); k != nil {
				return k
			}
			if o.Parent == nil {
				break
			}
			o = o.Parent.Obj
		}
	}
	return nil
}

func (c *call) lockIn(o *Object, depth int) *Value {
	if k := c.st.get(o, keyField); k != nil {
		return k
	}
	fs := fieldsOf(c.st, o)
	for _, name := range sortedKeys(fs) {
		w := fs[name]
		if c.f.m.u.Settings.IdempotencyHeader(strings.Trim(name, "[]")) && isNil(w) != 1 && (w.Kind != Str || w.Text != "") {
			return w
		}
	}
	if depth == 0 {
		return nil
	}
	for _, name := range sortedKeys(fs) {
		if k := c.lockOf(fs[name], depth-1); k != nil {
			return k
		}
	}
	for _, inner := range c.f.m.parts[o] {
		if k := c.lockIn(inner, depth-1); k != nil {
			return k
		}
	}
	return nil
}

// keyPairs interprets a call whose arguments are names and values in turn, as
// gRPC's metadata functions take them.
func (c *call) keyPairs(row *catalog.Row, args []*Value) {
	out := c.resultOf(c.typ, derived(args...).Org, 0, args)
	if row.Key != catalog.None { // a context that carries them
		o := c.f.object(c.at, "context")
		o.Parent = c.operand(row, args, row.Key)
		out = &Value{Kind: Ref, Obj: o, Type: "context.Context"}
	}
	var flat []*Value
	for _, a := range args {
		if a.Kind == Ref && a.Obj.Type != "context" {
			flat = append(flat, c.open(a)...)
		} else {
			flat = append(flat, a)
		}
	}
	key := c.lockOf(derived(args...), 0)
	for _, a := range args {
		if key == nil && a != c.operand(row, args, row.Key) {
			key = c.lockOf(a, 2)
		}
	}
	for i := 0; i+1 < len(flat); i++ {
		for _, t := range flat[i].texts() {
			if c.f.m.u.Settings.IdempotencyHeader(t) {
				key = flat[i+1]
			}
		}
	}
	c.val = out
	switch {
	case key == nil:
	case out.Obj != nil:
		c.st.set(out.Obj, keyField, key)
	default:
		w := *out
		w.Lock = key
		c.val = &w
	}
}

// SetsKey reports whether the visible program has a RoundTripper, a gRPC
// interceptor or a request hook that sets an idempotency key: then a request
// that has none may get it there.
func (u *Universe) SetsKey() bool {
	defer u.begin()()
	for _, path := range u.names {
		if slices.ContainsFunc(u.Packages[path].Types, func(t string) bool { return u.Catalog.Keyed(strings.TrimLeft(t, "*")) }) {
			return true
		}
		for _, fn := range u.Packages[path].Funcs {
			if fn.Test || !hooks(fn) {
				continue
			}
			for _, k := range fn.Consts {
				if k.Kind == summary.ConstString && u.Settings.IdempotencyHeader(k.Str) {
					return true
				}
			}
		}
	}
	return false
}

// hooks reports whether clients call the function for each request.
func hooks(fn *summary.Func) bool {
	if strings.HasSuffix(fn.Name, ").RoundTrip") {
		return true
	}
	for _, p := range fn.Params {
		switch fn.Pkg.TypeName(p) {
		case "google.golang.org/grpc.UnaryInvoker", "*github.com/go-resty/resty/v2.Request", "*resty.dev/v3.Request":
			return true
		}
	}
	return false
}

// Empty reports whether the key is surely the empty text.
func (v *Value) Empty() bool { return v.Kind == Str && v.Text == "" || v.Kind == Zero || v.Kind == Nil }

// Kept reports whether a generated key is also stored, so that the next attempt
// may find it again.
func (a *Alone) Kept(key *Value) bool {
	made := key.made()
	if made == nil {
		return false
	}
	for _, s := range a.Assigns {
		if s.Made == made && strings.HasPrefix(s.Owner, "table ") {
			return true
		}
	}
	return false
}

// moneyWord matches what the names of gRPC methods that move money hold: most services
// call others all the time, and only these are asked for a key.
var moneyWord = regexp.MustCompile(`(?i)charge|capture|refund|pay|transfer|withdraw|debit|credit|top_?up|disburse`)

// requests reports whether the function itself sends a request or calls a
// payment SDK.
func (u *Universe) requests(fn *summary.Func) bool {
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		if in.Op != summary.OpCall && in.Op != summary.OpInvoke {
			continue
		}
		if in.Flags&summary.GRPC != 0 {
			if moneyWord.MatchString(fn.Text(in)) {
				return true
			}
			continue
		}
		if in.Op == summary.OpInvoke && fn.ResultType(in) == doesRequest {
			return true
		}
		row := u.RowOf(fn, in)
		if row == nil && in.Op == summary.OpInvoke {
			row = u.invoked(fn, in)
		}
		if row != nil && (row.Verb == catalog.Send || row.Money) {
			return true
		}
	}
	return false
}

// invoked returns the row of a call through an interface of the project's own: one
// that a library's type was converted to, or that repeats a method of it.
func (u *Universe) invoked(fn *summary.Func, in *summary.Instr) *catalog.Row {
	iface, method := fn.AuxType(in), fn.Text(in)
	for _, c := range u.uses(ifaces, iface) {
		if row := u.Catalog.Method(c.fn.AuxType(&c.fn.Instrs[c.instr]), method); row != nil {
			return row
		}
	}
	return u.repeats(fn, in)
}

// repeats returns the row of the payment SDK's method that an interface of the
// project's own repeats: the same name, with types of the SDK on both sides.
func (u *Universe) repeats(fn *summary.Func, in *summary.Instr) *catalog.Row {
	path := packageOf(firstType(fn.ResultType(in)))
	row := u.Catalog.Money(path, fn.Text(in))
	if row == nil || !slices.ContainsFunc(in.Args[1:], func(r summary.Ref) bool { return packageOf(fn.TypeOf(r)) == path }) {
		return nil
	}
	return row
}

// Outermost returns the first function of another package on the way from the
// package to the operation, nil when the operation stands in the package itself.
func (o *Op) Outermost(own *summary.Package) *summary.Func {
	if o.Frame.fn.Pkg == own {
		return nil
	}
	var out *summary.Func
	for f := o.Frame; f != nil && f.fn.Pkg != own; f = f.parent {
		out = f.fn
	}
	return out
}

// At reports whether the operation is the same instruction as another run's.
func (o *Op) At(p *Op) bool { return o.Frame.fn == p.Frame.fn && o.Instr == p.Instr }
