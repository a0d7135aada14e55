package flow

import (
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// instr interprets one instruction that is neither control nor phi. It returns
// the instruction's value (nil when it has none) and the memory after it, nil
// when control does not go on.
func (f *frame) instr(b, i int, in *summary.Instr, st *state) (*Value, *state) {
	arg := func(k int) *Value { return f.val(in.Args[k]) }
	switch in.Op {
	case summary.OpCall, summary.OpInvoke, summary.OpCallValue, summary.OpBuiltin:
		if in.Flags&summary.Defer != 0 {
			f.deferCall(i)
			return nil, st
		}
		return f.callInstr(i, in, st)
	case summary.OpAlloc:
		o := f.object(i, f.fn.AuxType(in))
		st.reset(o)
		if !strings.Contains(f.fn.AuxType(in), ".") || f.fn.AuxType(in)[0] == '*' {
			st.set(o, "", zeroOf(zero, f.fn.AuxType(in)))
		}
		return &Value{Kind: Ref, Obj: o, Type: f.fn.ResultType(in)}, st
	case summary.OpMake:
		o := f.object(i, f.fn.ResultType(in))
		st.reset(o)
		return &Value{Kind: Ref, Obj: o, Type: f.fn.ResultType(in)}, st
	case summary.OpFieldAddr:
		return f.fieldAddr(in, arg(0), st), st
	case summary.OpField:
		return f.fieldOf(arg(0), f.fn.Text(in), f.fn.ResultType(in), st), st
	case summary.OpIndexAddr:
		return f.elemAddr(in, arg(0), arg(1)), st
	case summary.OpIndex:
		return f.load(f.elemAddr(in, arg(0), arg(1)), f.fn.ResultType(in), st), st
	case summary.OpLookup:
		return f.lookup(i, in, arg(0), arg(1), st), st
	case summary.OpLoad:
		return f.load(arg(0), f.fn.ResultType(in), st), st
	case summary.OpStore:
		f.store(arg(0), arg(1), st)
		f.m.noteStore(arg(0), arg(1))
		f.assigned(i, in, arg(1), st)
		return nil, st
	case summary.OpMapUpdate:
		f.mapUpdate(i, in, arg(0), arg(1), arg(2), st)
		return nil, st
	case summary.OpSend:
		f.send(i, arg(0), arg(1), st)
		return nil, st
	case summary.OpRecv:
		f.m.join()
		v := f.receive(arg(0), st)
		if v == nil {
			return nil, nil
		}
		if in.Flags&summary.CommaOk != 0 {
			return tuple(v, &Value{}), st
		}
		return v, st
	case summary.OpSelect:
		f.m.join()
		return f.selectOp(i, in, st), st
	case summary.OpExtract:
		return f.extract(arg(0), int(in.N)), st
	case summary.OpMakeClosure:
		return f.closure(in), st
	case summary.OpMakeIface:
		v := arg(0)
		if v.Kind == Zero {
			v = &Value{Kind: NonNil, Org: v.Org}
		}
		if class := f.m.cat.Error(f.fn.AuxType(in)); class == catalog.NoRows && v.Kind == Str {
			// An error that is a string constant: go-redis's Nil.
			return &Value{Kind: Err, Text: errText(class)}, st
		}
		return v.withType(f.fn.AuxType(in)), st
	case summary.OpTypeAssert:
		return f.typeAssert(i, in, arg(0)), st
	case summary.OpCopy:
		v := arg(0)
		if v.Kind == Ref && v.Obj.Type == "" {
			return v, st
		}
		return v, st
	case summary.OpSlice:
		v := arg(0)
		if v.Kind == Addr {
			v = f.load(v, "", st)
		}
		return v, st
	case summary.OpBinOp:
		return f.binOp(i, in, arg(0), arg(1)), st
	case summary.OpNot:
		v := arg(0)
		if t := truth(v); t >= 0 {
			return boolean(t == 0).mark(v.Org, v.Ctl), st
		}
		return derived(v), st
	case summary.OpUnary:
		return derived(arg(0)), st
	case summary.OpRange:
		return arg(0), st
	case summary.OpNext:
		v := arg(0)
		elem := f.elements(v, st)
		key := derived(v)
		if f.fn.InLoop(b) {
			return tuple(&Value{Org: v.Origin()}, key, elem), st
		}
		return tuple(&Value{}, key, elem), st
	}
	return unknown, st
}

func (f *frame) closure(in *summary.Instr) *Value {
	v := &Value{Kind: Func, Text: f.fn.Text(in)}
	if in.N == 1 {
		v.Recv = f.val(in.Args[0])
		return v
	}
	for _, a := range in.Args {
		v.Elems = append(v.Elems, f.val(a))
	}
	return v
}

func (f *frame) extract(v *Value, n int) *Value {
	switch v.Kind {
	case Tuple:
		if n < len(v.Elems) {
			return v.Elems[n]
		}
	case Union:
		var out *Value
		for _, e := range v.Elems {
			out = join(out, f.extract(e, n), v.Ctl)
		}
		return out
	}
	return derived(v)
}

// fieldAddr returns the address of a field of what base points to.
func (f *frame) fieldAddr(in *summary.Instr, base *Value, st *state) *Value {
	field := f.fn.Text(in)
	var out *Value
	for _, alt := range base.alternatives() {
		var o *Object
		switch alt.Kind {
		case Ref:
			o = f.content(alt.Obj, st)
		case Addr:
			o = f.inner(alt, f.fn.AuxType(in), st)
		case Answer, Stmt:
			// The fields of an answer (gorm's RowsAffected and Error) are read from it.
			out = join(out, &Value{Kind: Addr, Field: field, Recv: alt, Org: alt.Org, Ctl: alt.Ctl}, 0)
			continue
		case Nil, Zero:
			continue
		default:
			o = f.object(-1-int(in.Args[0]), f.fn.AuxType(in))
			o.Org |= alt.Org
			o.Symbolic, o.Path = true, alt.Path
			if o.Path == "" {
				o.Path = alt.Type
			}
		}
		out = join(out, &Value{Kind: Addr, Obj: o, Field: field, Org: alt.Org, Ctl: alt.Ctl, Via: alt.Via}, 0)
	}
	if out == nil {
		return unknown
	}
	return out
}

// content returns the object whose fields o has: when a struct value was stored
// over the whole of o, the object that it came from, as long as it is the same.
func (f *frame) content(o *Object, st *state) *Object {
	for range 8 {
		whole := st.get(o, "")
		if whole == nil || whole.Kind != Ref || whole.Obj == o || strings.HasPrefix(whole.Type, "*") && !strings.HasPrefix(o.Type, "*") && o.Type != strings.TrimPrefix(whole.Type, "*") {
			return o
		}
		if len(st.of(o).m) > 1 {
			return o
		}
		o = whole.Obj
	}
	return o
}

// inner returns the object that is a struct-valued field.
func (f *frame) inner(addr *Value, typ string, st *state) *Object {
	if addr.Obj == nil {
		return f.m.named(fmt.Sprintf("answer.%s", addr.Field), typ, addr.Field)
	}
	if v := f.readField(addr.Obj, addr.Field, typ, st); v.Kind == Ref && v.Obj != nil {
		return f.content(v.Obj, st)
	}
	key := fmt.Sprintf("%d.%s", addr.Obj.ID, addr.Field)
	o := f.m.objs[key]
	if o == nil {
		o = f.m.newObject(typ)
		f.m.within(o, addr.Obj)
		f.m.objs[key] = o
	}
	o.Org |= addr.Obj.Org
	if whole := st.get(addr.Obj, ""); whole != nil && whole.Kind == Unknown {
		o.Org |= whole.Org
	}
	o.Symbolic = o.Symbolic || addr.Obj.Symbolic || addr.Obj.static != nil
	if o.Path == "" {
		o.Path = addr.Field
	}
	return o
}

// elemField is the name under which an element is stored.
func elemField(index *Value) string {
	switch index.Kind {
	case Int:
		return fmt.Sprintf("[%d]", index.Int)
	case Str:
		return "[" + index.Text + "]"
	}
	return "[]"
}

func (f *frame) elemAddr(in *summary.Instr, base, index *Value) *Value {
	var out *Value
	for _, alt := range base.alternatives() {
		var o *Object
		switch alt.Kind {
		case Ref:
			o = alt.Obj
		case Addr:
			if alt.Obj == nil {
				continue
			}
			key := fmt.Sprintf("%d.%s", alt.Obj.ID, alt.Field)
			o = f.m.part(alt.Obj, key, "", alt.Field)
			o.Org |= alt.Obj.Org
		case Nil, Zero:
			continue
		default:
			o = f.object(-1-int(in.Args[0]), "")
			o.Org |= alt.Org
			o.Path, o.Symbolic = alt.Path, true
		}
		out = join(out, &Value{Kind: Addr, Obj: o, Field: elemField(index), Org: alt.Org, Ctl: alt.Ctl, Path: alt.Path, Via: alt.Via}, 0)
	}
	if out == nil {
		return unknown
	}
	return out
}

// elements returns the join of the elements of a collection.
func (f *frame) elements(v *Value, st *state) *Value {
	var out *Value
	for _, alt := range v.alternatives() {
		e := derived(alt)
		if alt.Kind == Ref {
			e = f.readField(alt.Obj, "[]", "", st)
			e = e.mark(alt.Org, alt.Ctl)
			for _, h := range alt.Via {
				e = e.via(h)
			}
		}
		out = join(out, e, 0)
	}
	if out == nil {
		return unknown
	}
	return out
}

func (f *frame) typeAssert(i int, in *summary.Instr, v *Value) *Value {
	want := f.fn.AuxType(in)
	commaOk := in.Flags&summary.CommaOk != 0
	var val, ok *Value
	for _, alt := range v.alternatives() {
		x, k := alt, &Value{Org: alt.Origin(), Ctl: alt.Ctl}
		switch {
		case alt.Kind == Nil || alt.Kind == Zero:
			x, k = zero, falseVal
		case alt.Kind == Err:
			if e := f.m.errorAs(alt, want); e != nil {
				x, k = e, trueVal
			} else if concrete(want) {
				x, k = zero, falseVal
			}
		case alt.Type != "" && alt.Kind != Unknown && concrete(want):
			if alt.Type == want {
				k = trueVal
			} else if concrete(alt.Type) {
				x, k = zero, falseVal
			}
		case alt.Kind == Ref && !concrete(want):
			k = trueVal // it was put there to be found
		case alt.Kind == Unknown:
			if f.m.cat.Record(want) != nil {
				x = f.record(i, want, alt)
			} else {
				x = alt.withType(want)
			}
		}
		k = k.mark(alt.Org, alt.Ctl)
		val, ok = join(val, x, 0), join(ok, k, 0)
	}
	if val == nil {
		val, ok = unknown, unknown
	}
	if commaOk {
		return tuple(val, ok)
	}
	return val
}

// concrete reports whether the name is surely that of a concrete type.
func concrete(t string) bool {
	return strings.HasPrefix(t, "*") || strings.HasPrefix(t, "map[") || strings.HasPrefix(t, "[]") || !strings.Contains(t, ".") && t != "error" && t != "any" && !strings.HasPrefix(t, "interface")
}
