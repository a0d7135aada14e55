package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Look-ups: what a field, a parameter or a captured variable holds when the
// interpretation did not put it there. They walk from the use back to the
// allocations, functions and constants that reach it anywhere in the visible
// program, field based: one cell a field.

const maxLookup = 24

// site is where an object that was found by look-up is allocated, and what its
// function's parameters were.
type site struct {
	fn    *summary.Func
	instr int
	env   *env
}

// String names the site, in whatever context.
func (s site) String() string { return fmt.Sprintf("%s/%d", s.fn.Name, s.instr) }

// env gives a function's parameters their values in a look-up; nil means that
// they are looked up at all callers.
type env struct {
	fn   *summary.Func
	args []*Value
	free []*Value
}

func (e *env) key() string {
	if e == nil {
		return ""
	}
	var b strings.Builder
	for _, a := range slices.Concat(e.args, e.free) {
		fmt.Fprintf(&b, "%d", a.Kind)
		if a.Obj != nil {
			fmt.Fprintf(&b, "#%d", a.Obj.ID)
		}
		b.WriteString(a.Text + "," + a.Path + ";")
	}
	return b.String()
}

func (u *Universe) static(s site, typ string) *Object {
	key := fmt.Sprintf("%s/%d/%s", s.fn.Name, s.instr, s.env.key())
	o := u.statics[key]
	if o == nil {
		u.objectID++
		o = &Object{ID: u.objectID, Type: strings.TrimPrefix(typ, "*"), static: &s, Site: s.String()}
		u.statics[key] = o
	}
	return o
}

// lookup evaluates a reference of fn without interpreting fn.
func (u *Universe) lookup(fn *summary.Func, r summary.Ref, e *env, depth int) *Value {
	if depth > maxLookup {
		return unknown
	}
	switch r.Kind() {
	case summary.RefConst:
		return constant(fn, r.Index())
	case summary.RefFunc:
		return &Value{Kind: Func, Text: fn.FuncName(r)}
	case summary.RefGlobal:
		return unknown
	case summary.RefParam:
		if e != nil && e.fn == fn {
			if r.Index() < len(e.args) {
				return e.args[r.Index()]
			}
			return unknown
		}
		return u.param(fn, r.Index(), depth+1)
	case summary.RefFree:
		if e != nil && e.fn == fn && r.Index() < len(e.free) {
			return e.free[r.Index()]
		}
		return u.freeVar(fn, r.Index(), depth+1)
	case summary.RefInstr:
		return u.lookupInstr(fn, r.Index(), e, depth+1)
	}
	return unknown
}

// place is an instruction in the context of a look-up.
type place struct {
	fn    *summary.Func
	instr int
	env   *env
}

// lookupInstr evaluates an instruction once for each context: what comes back to
// itself in a loop is unknown there.
func (u *Universe) lookupInstr(fn *summary.Func, i int, e *env, depth int) *Value {
	at := place{fn, i, e}
	if memo := u.instrs[at]; memo != nil {
		if memo.busy {
			return unknown
		}
		return memo.val
	}
	memo := &cellMemo{busy: true}
	u.instrs[at] = memo
	memo.val = u.evaluate(fn, i, e, depth)
	memo.busy = false
	return memo.val
}

// phiLeaves returns what flows into a phi, through other phis too.
func phiLeaves(fn *summary.Func, i int) []summary.Ref {
	var out []summary.Ref
	seen := map[int]bool{i: true}
	for todo := []int{i}; len(todo) > 0; {
		in := &fn.Instrs[todo[0]]
		todo = todo[1:]
		for _, r := range in.Args {
			if r.Kind() != summary.RefInstr || fn.Instrs[r.Index()].Op != summary.OpPhi {
				out = append(out, r)
			} else if !seen[r.Index()] {
				seen[r.Index()] = true
				todo = append(todo, r.Index())
			}
		}
	}
	return out
}

func (u *Universe) evaluate(fn *summary.Func, i int, e *env, depth int) *Value {
	in := &fn.Instrs[i]
	typ := fn.ResultType(in)
	arg := func(k int) *Value { return u.lookup(fn, in.Args[k], e, depth) }
	switch in.Op {
	case summary.OpAlloc, summary.OpMake:
		return &Value{Kind: Ref, Obj: u.static(site{fn, i, e}, strings.TrimPrefix(typ, "*")), Type: typ}
	case summary.OpMakeClosure:
		v := &Value{Kind: Func, Text: fn.Text(in)}
		if in.N == 1 {
			v.Recv = arg(0)
			return v.via(Hop{fn, i})
		}
		for k := range in.Args {
			v.Elems = append(v.Elems, arg(k))
		}
		return v.via(Hop{fn, i})
	case summary.OpMakeIface:
		return arg(0).withType(fn.AuxType(in)).via(Hop{fn, i})
	case summary.OpCopy, summary.OpSlice, summary.OpTypeAssert:
		return arg(0)
	case summary.OpPhi:
		var out *Value
		for _, r := range phiLeaves(fn, i) {
			out = join(out, u.lookup(fn, r, e, depth), 0)
		}
		if out == nil {
			return unknown
		}
		return u.decorated(out)
	case summary.OpExtract:
		v := arg(0)
		if v.Kind == Tuple && int(in.N) < len(v.Elems) {
			return v.Elems[in.N]
		}
		return &Value{Type: typ}
	case summary.OpFieldAddr, summary.OpIndexAddr:
		return unknown
	case summary.OpField:
		return u.fieldValue(arg(0), fn.AuxType(in), fn.Text(in), typ, depth)
	case summary.OpLookup:
		if key := loadKey(fn, in.Args[0]); key != "" {
			if v := u.cell(key+"[]", depth); v != nil {
				return v
			}
		}
		return &Value{Type: typ}
	case summary.OpLoad:
		return u.lookupLoad(fn, in.Args[0], e, typ, depth)
	case summary.OpBuiltin:
		if fn.Text(in) == "append" {
			var out *Value
			for k := range in.Args {
				for _, a := range arg(k).alternatives() {
					if a.Kind == Ref {
						out = join(out, a, 0)
					}
				}
			}
			if out != nil {
				return out
			}
		}
	case summary.OpCall:
		return u.lookupCall(fn, i, e, typ, depth)
	case summary.OpCallValue:
		if v := arg(0); v.Kind == Func && v.Recv == nil {
			return u.returned(fn, i, in.Args[1:], e, &env{fn: u.Func(v.Text), free: v.Elems}, typ, depth)
		}
		return u.opaqueLookup(typ)
	case summary.OpInvoke:
		return u.opaqueLookup(typ)
	}
	return &Value{Type: named(typ)}
}

func named(typ string) string {
	if strings.Contains(typ, ".") && !strings.HasPrefix(typ, "(") {
		return typ
	}
	return ""
}

// opaqueLookup is the result of a call that cannot be seen: values of its types.
func (u *Universe) opaqueLookup(typ string) *Value {
	one := func(t string) *Value {
		if t == "error" {
			return nilValue
		}
		v := &Value{Type: named(t), Org: FromConfig}
		return v
	}
	if strings.HasPrefix(typ, "(") {
		var elems []*Value
		for _, t := range splitTypes(strings.TrimSuffix(typ[1:], ")")) {
			elems = append(elems, one(t))
		}
		return tuple(elems...)
	}
	return one(typ)
}

func (u *Universe) lookupCall(fn *summary.Func, i int, e *env, typ string, depth int) *Value {
	in := &fn.Instrs[i]
	name := fn.Text(in)
	if row := u.Catalog.Row(name); row != nil {
		if row.Verb == catalog.Open {
			o := u.static(site{fn, i, e}, strings.TrimPrefix(firstType(typ), "*"))
			o.Pool = true
			v := &Value{Kind: Ref, Obj: o, Type: firstType(typ)}
			if strings.HasPrefix(typ, "(") {
				return tuple(v, nilValue)
			}
			return v
		}
		if row.Verb == catalog.Consumer {
			o := u.static(site{fn, i, e}, strings.TrimPrefix(firstType(typ), "*"))
			o.Symbolic, o.Path = true, o.Type
			v := &Value{Kind: Ref, Obj: o, Type: firstType(typ)}
			if u.readsWithoutGroup(row, fn, in, e, depth) {
				o.Method = noGroup
			}
			if strings.HasPrefix(typ, "(") {
				return tuple(v, nilValue)
			}
			return v
		}
		if row.Verb == catalog.Build && (row.Part == catalog.PartTable || row.Part == catalog.PartInsert) {
			if k := int(row.Text - catalog.A0); row.Text >= catalog.A0 && k < len(in.Args) {
				if ts := u.lookup(fn, in.Args[k], e, depth).texts(); len(ts) == 1 && ts[0] != "" {
					s := &Statement{}
					s.Table = strings.ToLower(cutSchema(ts[0]))
					return &Value{Kind: Stmt, Stmt: s, Type: firstType(typ)}
				}
			}
		}
		if (row.Verb == catalog.Derive || row.Verb == catalog.Rebind) && len(in.Args) > 0 {
			k := 0
			if row.Verb == catalog.Rebind && row.Handle != catalog.Recv && len(in.Args) > 1 {
				k = 1
			}
			return u.lookup(fn, in.Args[k], e, depth).withType(firstType(typ))
		}
		return u.opaqueLookup(typ)
	}
	return u.returned(fn, i, in.Args, e, &env{fn: u.Func(name)}, typ, depth)
}

// returned evaluates what a call of inner.fn, at instruction i of fn, returns.
func (u *Universe) returned(fn *summary.Func, i int, args []summary.Ref, e, inner *env, typ string, depth int) *Value {
	callee := inner.fn
	if callee == nil || depth > maxLookup {
		return u.opaqueLookup(typ)
	}
	for _, r := range args {
		v := u.lookup(fn, r, e, depth+1)
		inner.args = append(inner.args, v.via(Hop{fn, i}))
	}
	var out *Value
	for k := range callee.Instrs {
		ret := &callee.Instrs[k]
		if ret.Op != summary.OpReturn {
			continue
		}
		vs := make([]*Value, len(ret.Args))
		for j := range ret.Args {
			vs[j] = u.lookup(callee, ret.Args[j], inner, depth+1)
		}
		v := tuple(vs...)
		if len(vs) == 1 {
			v = vs[0]
		}
		// A constructor's error path returns nothing.
		if len(vs) > 1 && isNil(vs[0]) == 1 {
			continue
		}
		out = join(out, v, 0)
	}
	if out == nil {
		return u.opaqueLookup(typ)
	}
	return out
}

// readsWithoutGroup reports whether a client is surely made without a group.
func (u *Universe) readsWithoutGroup(row *catalog.Row, fn *summary.Func, in *summary.Instr, e *env, depth int) bool {
	if row.Field == "" || len(in.Args) == 0 {
		return false
	}
	cfg := u.lookup(fn, in.Args[0], e, depth)
	if cfg.Kind != Ref || cfg.Obj.static == nil {
		return false
	}
	v := u.fieldAt(cfg.Obj, row.Field)
	return v == nil || v.Kind == Str && v.Text == ""
}

// lookupLoad evaluates a read through the address r.
func (u *Universe) lookupLoad(fn *summary.Func, r summary.Ref, e *env, typ string, depth int) *Value {
	switch r.Kind() {
	case summary.RefGlobal:
		if v := u.cell(fn.FuncName(r), depth); v != nil {
			return v
		}
		return &Value{Type: named(typ), Path: fn.FuncName(r), Org: FromConfig}
	case summary.RefFree:
		base := u.lookup(fn, r, e, depth)
		if base.Kind == Ref {
			if v := u.fieldAt(base.Obj, ""); v != nil {
				return v
			}
			return base
		}
		return base
	case summary.RefInstr:
		in := &fn.Instrs[r.Index()]
		switch in.Op {
		case summary.OpFieldAddr:
			base := u.lookup(fn, in.Args[0], e, depth)
			return u.fieldValue(base, fn.AuxType(in), fn.Text(in), typ, depth)
		case summary.OpIndexAddr:
			base := u.lookup(fn, in.Args[0], e, depth)
			for _, a := range base.alternatives() {
				if a.Kind == Ref && a.Obj.static != nil {
					if v := u.fieldAt(a.Obj, "[]"); v != nil {
						return v
					}
				}
			}
			return &Value{Type: named(typ)}
		case summary.OpAlloc:
			base := u.lookupInstr(fn, r.Index(), e, depth)
			if v := u.fieldAt(base.Obj, ""); v != nil {
				return v
			}
			return base.withType(typ)
		}
		base := u.lookup(fn, r, e, depth)
		if base.Kind == Ref {
			return base.withType(typ)
		}
		return base
	case summary.RefParam:
		return u.lookup(fn, r, e, depth)
	}
	return unknown
}

func errText(c catalog.ErrorClass) string {
	if c == catalog.NoRows {
		return "no rows"
	}
	return "unique violation"
}

// param returns what callers pass as a parameter.
func (u *Universe) param(fn *summary.Func, i, depth int) *Value {
	key := fmt.Sprintf("%s/%d", fn.Name, i)
	if memo := u.params[key]; memo != nil {
		if memo.busy {
			return unknown
		}
		return memo.val
	}
	memo := &cellMemo{busy: true}
	u.params[key] = memo
	typ := fn.Pkg.TypeName(fn.Params[i])
	var out *Value
	calls := u.uses(callers, fn.Name)
	if len(calls) <= 24 {
		for _, c := range calls {
			if args := c.args(); i < len(args) && c.fn != fn {
				out = join(out, u.lookup(c.fn, args[i], nil, depth+1).via(Hop{c.fn, c.instr}), 0)
			}
		}
	}
	if i == 0 && fn.HasRcv {
		for _, c := range u.uses(refs, fn.Name) {
			in := &c.fn.Instrs[c.instr]
			if in.N == 1 && len(in.Args) == 1 {
				out = join(out, u.lookup(c.fn, in.Args[0], nil, depth+1).via(Hop{c.fn, c.instr}), 0)
			}
		}
		if len(u.uses(convs, typ)) <= 8 {
			for _, c := range u.uses(convs, typ) {
				out = join(out, u.lookup(c.fn, c.fn.Instrs[c.instr].Args[0], nil, depth+1).via(Hop{c.fn, c.instr}), 0)
			}
		}
	}
	if out == nil {
		out = &Value{Type: typ, Org: FromConfig, Path: key}
		if fn.HasRcv && i == 0 {
			u.objectID++
			o := &Object{ID: u.objectID, Type: strings.TrimPrefix(typ, "*"), Symbolic: true, Path: strings.TrimPrefix(typ, "*")}
			out = &Value{Kind: Ref, Obj: o, Type: typ}
		}
	}
	memo.val, memo.busy = out, false
	return out
}

// freeVar returns what a function literal captured.
func (u *Universe) freeVar(fn *summary.Func, i, depth int) *Value {
	var out *Value
	for _, c := range u.uses(refs, fn.Name) {
		in := &c.fn.Instrs[c.instr]
		if in.N == 0 && i < len(in.Args) {
			out = join(out, u.lookup(c.fn, in.Args[i], nil, depth+1), 0)
		}
	}
	if out == nil {
		return &Value{Type: fn.Pkg.TypeName(fn.Free[i]), Org: FromConfig}
	}
	return out
}
