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
		return f.fieldOf(arg(0), f.fn.Text(in), f.fn.AuxType(in), f.fn.ResultType(in), st), st
	case summary.OpIndexAddr:
		return f.elemAddr(in, arg(0), arg(1)), st
	case summary.OpIndex:
		return f.load(f.elemAddr(in, arg(0), arg(1)), f.fn.ResultType(in), st), st
	case summary.OpLookup:
		return f.lookup(b, i, in, arg(0), arg(1), st), st
	case summary.OpLoad:
		return f.load(arg(0), f.fn.ResultType(in), st), st
	case summary.OpStore:
		f.store(arg(0), arg(1), st)
		f.m.noteStore(f, i, arg(0), arg(1))
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
		if len(st.objs[o].m) > 1 {
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
			o = f.m.named(key, "", alt.Field)
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

// load reads through a pointer.
func (f *frame) load(p *Value, typ string, st *state) *Value {
	var out *Value
	for _, alt := range p.alternatives() {
		var v *Value
		switch alt.Kind {
		case Addr:
			if alt.Recv != nil {
				v = f.answerField(alt.Recv, alt.Field, typ)
				break
			}
			v = f.readField(alt.Obj, alt.Field, typ, st)
			v = v.mark(alt.Org&^(FromRead), alt.Ctl)
			for _, h := range alt.Via {
				v = v.via(h)
			}
		case Ref:
			v = f.loadWhole(alt, typ, st)
		case Answer, Stmt:
			v = alt
		case Nil, Zero:
			v = zero
		default:
			v = derived(alt)
		}
		out = join(out, v, p.Ctl)
	}
	if out == nil {
		return unknown
	}
	return zeroOf(out, typ)
}

func (f *frame) loadWhole(p *Value, typ string, st *state) *Value {
	o := p.Obj
	if fs := st.objs[o]; fs != nil {
		if whole := fs.m[""]; whole != nil && len(fs.m) == 1 {
			return whole
		}
	}
	if o.static != nil && len(fieldsOf(st, o)) == 0 {
		if v := f.m.u.fieldAt(f.m, o, "", typ); v != nil {
			return v.mark(p.Org, p.Ctl)
		}
	}
	if o.Record || catalogType(f, typ) || strings.Contains(typ, ".") {
		return &Value{Kind: Ref, Obj: o, Type: typ, Org: p.Org, Ctl: p.Ctl, Path: p.Path, Via: p.Via}
	}
	if o.Org != 0 || o.Symbolic {
		return &Value{Org: o.Org | p.Org, Ctl: p.Ctl, Path: o.Path}
	}
	if fs := st.objs[o]; fs != nil && len(fs.m) > 0 {
		return &Value{Kind: Ref, Obj: o, Type: typ, Org: p.Org, Ctl: p.Ctl, Path: p.Path, Via: p.Via}
	}
	return zeroOf(zero, typ)
}

func fieldsOf(st *state, o *Object) map[string]*Value {
	if fs := st.objs[o]; fs != nil {
		return fs.m
	}
	return nil
}

func catalogType(f *frame, typ string) bool { return f.m.cat.Record(typ) != nil }

// fieldOf reads a field of a struct value.
func (f *frame) fieldOf(v *Value, field, owner, typ string, st *state) *Value {
	var out *Value
	for _, alt := range v.alternatives() {
		var e *Value
		switch alt.Kind {
		case Ref:
			e = f.readField(f.content(alt.Obj, st), field, typ, st).mark(alt.Org&^FromRecord, alt.Ctl)
			for _, h := range alt.Via {
				e = e.via(h)
			}
		case Answer, Stmt:
			e = f.answerField(alt, field, typ)
		case Zero:
			e = zeroOf(zero, typ)
		default:
			e = derived(alt)
			if e.Path == "" || e.Org&FromPayload != 0 {
				e = e.withPath(field)
			}
		}
		out = join(out, e, v.Ctl)
	}
	if out == nil {
		return unknown
	}
	return out
}

// partOrigin translates the catalogue's parts of a record.
func partOrigin(p catalog.RecordPart) Origin {
	switch p {
	case catalog.Payload:
		return FromPayload
	case catalog.Headers:
		return FromHeader
	case catalog.RecordKey:
		return FromKey
	case catalog.Offset:
		return FromOffset
	case catalog.Partition:
		return FromPartition
	case catalog.Topic:
		return FromTopic
	case catalog.Timestamp:
		return FromTimestamp
	}
	return FromRecord
}

// readField reads a field of an object.
func (f *frame) readField(o *Object, field, typ string, st *state) *Value {
	v := f.fieldAsStored(o, field, typ, st)
	if o.Own && v.Kind == Unknown && f.m.cat.Handle(typ) == catalog.Either {
		// The listener outlives every transaction, so the handle that it keeps is none.
		pool := f.m.named(fmt.Sprintf("pool %d.%s", o.ID, field), typ, v.Path)
		pool.Pool = true
		return &Value{Kind: Ref, Obj: pool, Type: typ, Path: v.Path, Org: v.Org}
	}
	if o.Own && v.Kind == Ref && v.Obj.Symbolic {
		v.Obj.Own = true
	}
	return v
}

func (f *frame) fieldAsStored(o *Object, field, typ string, st *state) *Value {
	if o.Type == "violation" {
		return violationField(o, field, typ)
	}
	if (o.Tx || o.Pool) && f.m.cat.Handle(typ) != catalog.NotHandle {
		// sqlx's and bun's transactions embed database/sql's.
		return &Value{Kind: Ref, Obj: o, Type: typ}
	}
	if v := st.get(o, field); v != nil && (field != "[]") {
		return zeroOf(v, typ)
	}
	if field != "" {
		if whole := st.get(o, ""); whole != nil && whole.Kind != Zero && (whole.Obj != o) {
			return f.fieldOf(whole, field, o.Type, typ, st)
		}
	}
	if o.Record {
		if rt := f.m.cat.Record(o.Type); rt != nil {
			if part, ok := rt.Fields[field]; ok {
				if part == catalog.Nested {
					key := fmt.Sprintf("%d.%s", o.ID, field)
					in := f.m.named(key, typ, field)
					in.Record, in.Type = true, o.Type
					in.Org = o.Org | FromOffset | FromPartition | FromTopic
					return &Value{Kind: Ref, Obj: in, Type: typ, Org: o.Org}
				}
				return &Value{Org: partOrigin(part), Path: field}
			}
		}
		return &Value{Org: o.Org, Path: field}
	}
	if strings.HasPrefix(field, "[") {
		if v := st.elements(o); v != nil {
			if field == "[]" || st.get(o, "[]") != nil {
				return v.mark(o.Org, 0)
			}
		}
		if o.Org != 0 {
			return &Value{Org: o.Org, Path: o.Path}
		}
	}
	if o.Org != 0 && !(o.Symbolic && o.Org == FromConfig) {
		return &Value{Org: o.Org, Path: field}
	}
	if o.static != nil {
		if v := f.m.u.fieldOf(o, field, typ); v != nil {
			if v.Path == "" {
				v = v.withPath(o.Type + "." + field)
			}
			return v
		}
	}
	if o.Symbolic || o.static != nil {
		return f.symbolicField(o, field, typ)
	}
	return zeroOf(zero, typ)
}

// symbolicField reads a field of an object that was not allocated in what was
// interpreted: what is stored in that field anywhere in the visible program, or
// something unknown of the field's type.
func (f *frame) symbolicField(o *Object, field, typ string) *Value {
	cell := o.Type + "." + field
	if strings.HasPrefix(field, "[") {
		cell = o.Path + "[]"
	}
	if strings.HasPrefix(o.Path, "global ") || field == "" && o.Type == "" {
		cell = o.Path
	}
	if v := f.m.u.cellValue(f.m, o.Type, field, o.Path, typ); v != nil {
		return v.withPath(cell)
	}
	if structLike(typ) {
		obj := f.m.named(fmt.Sprintf("%d.%s", o.ID, field), typ, cell)
		return &Value{Kind: Ref, Obj: obj, Type: typ, Path: cell, Org: FromConfig}
	}
	return &Value{Type: typ, Path: cell, Org: FromConfig}
}

// structLike reports whether a value of the type is worth an object of its own:
// a pointer to a named type, a map, a slice or a channel.
func structLike(typ string) bool {
	return strings.HasPrefix(typ, "*") || strings.HasPrefix(typ, "map[") || strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "chan ")
}

// store writes through a pointer.
func (f *frame) store(p, v *Value, st *state) {
	alts := p.alternatives()
	for _, alt := range alts {
		switch alt.Kind {
		case Addr:
			if alt.Obj == nil {
				continue
			}
			if alt.Field == "[]" || len(alts) > 1 {
				if old := st.get(alt.Obj, alt.Field); old != nil {
					v = join(old, v, 0)
				}
			}
			st.set(alt.Obj, alt.Field, v)
		case Ref:
			if v.Kind == Zero && alt.Obj.Type != "" {
				st.reset(alt.Obj)
				continue
			}
			st.set(alt.Obj, "", v)
		}
	}
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
