package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// callInstr interprets a call, a go statement or the call of a builtin.
func (f *frame) callInstr(i int, in *summary.Instr, st *state) (*Value, *state) {
	args := make([]*Value, len(in.Args))
	for k, a := range in.Args {
		args[k] = f.val(a)
	}
	c := &call{f: f, at: i, in: in, typ: f.fn.ResultType(in), spawned: in.Flags&summary.Go != 0, st: st}
	if c.spawned {
		defer f.m.spawn(f, i)()
	}
	switch in.Op {
	case summary.OpBuiltin:
		return f.builtin(i, in, args, st), st
	case summary.OpCall:
		c.static(f.fn.Text(in), args)
	case summary.OpInvoke:
		c.invoke(f.fn.Text(in), f.fn.AuxType(in), args)
	case summary.OpCallValue:
		c.value(args[0], args[1:])
	}
	if c.spawned {
		return nil, c.st
	}
	if c.st == nil {
		return nil, nil
	}
	if c.val == nil {
		c.val = unknown
	}
	return c.val, c.st
}

// call is one call under interpretation; val and st are its outcome.
type call struct {
	f       *frame
	at      int
	in      *summary.Instr
	typ     string // the static result type
	spawned bool
	st      *state
	val     *Value
	via     []Hop
}

// static interprets a call of the function with that full name.
func (c *call) static(name string, args []*Value) {
	m := c.f.m
	if row := m.cat.Row(name); row != nil {
		c.row(row, name, args)
		return
	}
	if fn := intrinsics[name]; fn != nil {
		c.val = fn(c, args)
		return
	}
	if _, method, ok := cutMethod(name); ok && c.in.Flags&summary.GRPC != 0 {
		c.grpc(name, method, args)
		return
	}
	if fn := m.u.Func(name); fn != nil && m.enters(c.f, fn) {
		c.enter(fn, args, nil)
		return
	}
	if row := c.promoted(name, args); row {
		return
	}
	c.opaque(name, args, c.in.Flags&summary.MayStore != 0 && m.u.Func(name) == nil)
}

// promoted handles the wrapper of a method that an embedded field provides.
func (c *call) promoted(name string, args []*Value) bool {
	typ, method, ok := cutMethod(name)
	if !ok || len(args) == 0 {
		return false
	}
	if c.f.m.u.Func(name) != nil {
		return false
	}
	return c.method(args[0], typ, method, args)
}

// cutMethod splits "(*path.T).M" into "*path.T" and "M".
func cutMethod(name string) (typ, method string, ok bool) {
	if !strings.HasPrefix(name, "(") {
		return "", "", false
	}
	end := strings.LastIndex(name, ").")
	if end < 0 {
		return "", "", false
	}
	return name[1:end], name[end+2:], true
}

// enter interprets the body of fn.
func (c *call) enter(fn *summary.Func, args, free []*Value) {
	for len(args) < len(fn.Params) {
		args = append(args, unknown)
	}
	r := c.f.m.call(c.f, c.at, fn, args, free, c.via, c.st)
	if c.spawned {
		if r.st != nil {
			c.st = r.st
		}
		return
	}
	c.val, c.st = r.val, r.st
}

// method interprets a call of a method on a value whose dynamic type is known.
// It reports whether the method was found.
func (c *call) method(recv *Value, typ, method string, args []*Value) bool {
	m := c.f.m
	if row := m.cat.Method(typ, method); row != nil {
		c.row(row, row.Name, args)
		return true
	}
	for _, form := range []string{"(*" + strings.TrimPrefix(typ, "*") + ")." + method, "(" + strings.TrimPrefix(typ, "*") + ")." + method} {
		if fn := intrinsics[form]; fn != nil {
			c.val = fn(c, args)
			return true
		}
		if fn := m.u.Func(form); fn != nil {
			if !m.enters(c.f, fn) {
				c.opaque(form, args, true)
				return true
			}
			c.enter(fn, args, nil)
			return true
		}
	}
	// Promoted through an embedded field.
	for _, fld := range m.u.embedded(typ) {
		if !m.u.hasMethod(m.cat, fld.Type, method, 0) {
			continue
		}
		inner := c.f.fieldOf(recv, fld.Name, fld.Type, c.st)
		rest := append([]*Value{inner}, args[1:]...)
		if t := inner.Type; t != "" && concrete(t) && inner.Kind != Unknown {
			return c.method(inner, t, method, rest)
		}
		return c.method(inner, fld.Type, method, rest)
	}
	return false
}

// invoke interprets the call of an interface method.
func (c *call) invoke(method, iface string, args []*Value) {
	recv := args[0]
	m := c.f.m
	if c.in.Flags&summary.GRPC != 0 {
		c.grpc("("+iface+")."+method, method, args)
		return
	}
	alts := recv.alternatives()
	var known []*Value
	for _, a := range alts {
		if a.Kind == Nil || a.Kind == Zero {
			continue
		}
		if a.Type != "" && a.Type != iface && a.Kind != Unknown {
			known = append(known, a)
		}
	}
	if len(known) == 0 && m.cat.Method(iface, method) == nil && intrinsics["("+iface+")."+method] == nil {
		known = m.u.implementations(m, iface, method)
	}
	if len(known) == 0 {
		if row := m.cat.Method(iface, method); row != nil {
			c.row(row, row.Name, args)
			return
		}
		name := "(" + iface + ")." + method
		if fn := intrinsics[name]; fn != nil {
			c.val = fn(c, args)
			return
		}
		if row := c.structural(method, args); row != nil {
			c.row(row, row.Name, args)
			return
		}
		c.opaque(name, args, c.in.Flags&summary.MayStore != 0)
		return
	}
	c.fork(len(known), func(k int) {
		a := known[k]
		saved := c.via
		c.via = a.Via
		rest := append([]*Value{a}, args[1:]...)
		if !c.method(a, a.Type, method, rest) {
			if row := m.cat.Method(iface, method); row != nil {
				c.row(row, row.Name, rest)
			} else {
				c.opaque("("+a.Type+")."+method, rest, c.in.Flags&summary.MayStore != 0)
			}
		}
		c.via = saved
	})
}

// structural returns the row of the library method that a project's own handle
// interface (DBTX, Querier, a client that does requests) repeats: the same name
// with the same results.
func (c *call) structural(method string, args []*Value) *catalog.Row {
	lib := ""
	switch {
	case c.typ == doesRequest:
		for i, a := range args[1:] {
			if a.Type == "*net/http.Request" {
				return &catalog.Row{Name: "(net/http.Client)." + method, Verb: catalog.Send, Key: catalog.ArgAt(i)}
			}
		}
		return nil
	case strings.Contains(c.typ, "github.com/jackc/pgx/v5"):
		lib = "(github.com/jackc/pgx/v5.Tx)."
	case strings.Contains(c.typ, "github.com/jackc/pgx/v4"), strings.Contains(c.typ, "github.com/jackc/pgconn"):
		lib = "(github.com/jackc/pgx/v4.Tx)."
	case strings.Contains(c.typ, "database/sql."):
		lib = "(*database/sql.DB)."
	case strings.Contains(c.typ, "github.com/jmoiron/sqlx."):
		lib = "(*github.com/jmoiron/sqlx.DB)."
	default:
		return c.f.m.u.repeats(c.f.fn, c.in)
	}
	return c.f.m.cat.Row(lib + method)
}

// doesRequest are the results of a method that sends an HTTP request.
const doesRequest = "(*net/http.Response,error)"

// fork interprets n alternatives of a call from the same memory and joins their
// outcomes.
func (c *call) fork(n int, alt func(k int)) {
	entry := c.st
	var val *Value
	var out *state
	for k := range n {
		if n > 1 {
			c.st = entry.clone()
		}
		c.val = nil
		alt(k)
		if c.st == nil {
			continue
		}
		if c.val != nil {
			val = join(val, c.val, 0)
		}
		out = merge(out, c.st, 0)
	}
	c.val, c.st = val, out
}

// value interprets the call of a function value.
func (c *call) value(fv *Value, args []*Value) {
	m := c.f.m
	var known []*Value
	for _, a := range fv.alternatives() {
		if a.Kind == Func {
			known = append(known, a)
		}
	}
	if len(known) == 0 {
		// A sequence of records yields each to the loop's body.
		if fv.Origin().FromAnyRecord() {
			for _, a := range args {
				if a.Kind == Func {
					c.callback(a, &Value{Org: fv.Origin()}, args)
					return
				}
			}
		}
		c.opaque("a function value", args, true)
		return
	}
	c.fork(len(known), func(k int) {
		fn := known[k]
		saved := c.via
		c.via = fn.Via
		all := args
		if fn.Recv != nil {
			all = append([]*Value{fn.Recv}, args...)
		}
		if body := m.u.Func(fn.Text); body != nil && m.cat.Row(fn.Text) == nil && intrinsics[fn.Text] == nil {
			if m.enters(c.f, body) {
				c.enter(body, slices.Clone(all), fn.Elems)
			} else {
				c.opaque(fn.Text, all, true)
			}
		} else if fn.Recv != nil && fn.Recv.Type != "" {
			if _, method, ok := cutMethod(fn.Text); !ok || !c.method(fn.Recv, fn.Recv.Type, method, all) {
				c.static(fn.Text, all)
			}
		} else {
			c.static(fn.Text, all)
		}
		c.via = saved
	})
}

// callback calls a function value with something of a record: a parameter of
// a record type, or whose type is not known, is the record. It returns what the
// function returned, and leaves the call's own value.
func (c *call) callback(fn, record *Value, outer []*Value) *Value {
	m := c.f.m
	saved := c.val
	var out *Value
	for _, a := range fn.alternatives() {
		if a.Kind != Func {
			continue
		}
		body := m.u.Func(a.Text)
		if body == nil {
			c.value(a, []*Value{record})
			out = join(out, c.val, 0)
			continue
		}
		var args []*Value
		params := body.Params
		if a.Recv != nil {
			params = params[1:]
		}
		for _, p := range params {
			args = append(args, c.parameter(body, body.Pkg.TypeName(p), record, outer))
		}
		c.value(a, args)
		if c.st == nil {
			return nil
		}
		out = join(out, c.val, 0)
	}
	if saved != nil {
		c.val = saved
	}
	return out
}

// parameter makes the argument that a library passes to a callback.
func (c *call) parameter(fn *summary.Func, typ string, record *Value, outer []*Value) *Value {
	m := c.f.m
	switch {
	case m.cat.Record(typ) != nil && !strings.HasPrefix(typ, "[]"):
		o := m.named("callback "+c.f.key+" "+fn.Name, typ, "")
		o.Record, o.Symbolic = true, false
		o.Org = record.Org | FromRecord
		return &Value{Kind: Ref, Obj: o, Type: typ, Org: o.Org}
	case typ == "context.Context":
		for _, a := range outer {
			if a.Type == "context.Context" || a.Obj != nil && a.Obj.Type == "context" {
				return a
			}
		}
		return &Value{Type: typ}
	case typ == "error":
		return nilValue
	}
	return record.withType(typ)
}

var decoderWords = []string{"unmarshal", "decode", "deserialize", "parse", "bind", "scan", "fromjson", "load", "copy", "unpack"}

func (f *frame) deferCall(i int) {
	if !slices.Contains(f.defers, i) {
		f.defers = append(f.defers, i)
	}
}

// runDefers interprets the deferred calls, last first.
func (f *frame) runDefers(st *state) *state {
	for k := len(f.defers) - 1; k >= 0 && st != nil; k-- {
		in := f.fn.Instrs[f.defers[k]]
		in.Flags &^= summary.Defer
		_, next := f.callInstr(f.defers[k], &in, st)
		if next != nil {
			st = next
		}
	}
	return st
}

// builtin interprets a call of a builtin function.
func (f *frame) builtin(i int, in *summary.Instr, args []*Value, st *state) *Value {
	switch f.fn.Text(in) {
	case "append":
		o := f.object(i, f.fn.ResultType(in))
		var org, ctl Origin
		var elem *Value
		for _, a := range args {
			org |= a.Origin()
			ctl |= a.Ctl
			for _, alt := range a.alternatives() {
				if alt.Kind == Nil || alt.Kind == Zero || alt.Obj == o {
					continue
				}
				elem = join(elem, f.elements(alt, st), 0)
			}
		}
		if old := st.get(o, "[]"); old != nil {
			elem = join(old, elem, 0)
		}
		if elem != nil {
			st.set(o, "[]", elem)
		}
		return &Value{Kind: Ref, Obj: o, Org: org, Ctl: ctl, Type: f.fn.ResultType(in)}
	case "len", "cap":
		v := args[0]
		if v.Kind == Nil || v.Kind == Zero {
			return integer(0)
		}
		if v.Kind == Str && !strings.Contains(v.Text, "hole") {
			return integer(int64(len(v.Text)))
		}
		return &Value{Org: v.Origin() &^ FromRecord, Ctl: v.Ctl, Path: v.Path}
	case "copy":
		if args[0].Kind == Ref {
			args[0].Obj.Org |= args[1].Origin()
		}
	case "recover":
		return nilValue
	case "delete":
		f.m.forget(f, i, args[0], args[1])
	case "min", "max":
		return derived(args...)
	}
	return unknown
}
