package flow

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

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
			org := alt.Org &^ FromRead
			if alt.Obj.Record && v.Org&FromRecord == 0 {
				org &^= FromRecord // a part that the catalogue names is that part
			}
			v = v.mark(org, alt.Ctl)
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
	if fs := st.of(o); fs != nil {
		if whole := fs.m[""]; whole != nil && len(fs.m) == 1 {
			return whole
		}
	}
	if o.static != nil && len(fieldsOf(st, o)) == 0 {
		if v := f.m.u.fieldAt(o, ""); v != nil {
			return v.mark(p.Org, p.Ctl)
		}
	}
	if o.Record || catalogType(f, typ) || strings.Contains(typ, ".") {
		return &Value{Kind: Ref, Obj: o, Type: typ, Org: p.Org, Ctl: p.Ctl, Path: p.Path, Via: p.Via}
	}
	if o.Org != 0 || o.Symbolic {
		return &Value{Org: o.Org | p.Org, Ctl: p.Ctl, Path: o.Path}
	}
	if fs := st.of(o); fs != nil && len(fs.m) > 0 {
		return &Value{Kind: Ref, Obj: o, Type: typ, Org: p.Org, Ctl: p.Ctl, Path: p.Path, Via: p.Via}
	}
	return zeroOf(zero, typ)
}

func fieldsOf(st *state, o *Object) map[string]*Value {
	if fs := st.of(o); fs != nil {
		return fs.m
	}
	return nil
}

func catalogType(f *frame, typ string) bool { return f.m.cat.Record(typ) != nil }

// fieldOf reads a field of a struct value.
func (f *frame) fieldOf(v *Value, field, typ string, st *state) *Value {
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

// handleInterface matches the names that projects give to what a pool and a
// transaction have in common.
var handleInterface = regexp.MustCompile(`(?i)\.(\w*pool|\w*dbtx|\w*querier|\w*queryer|\w*execer|\w*executor|idb|dbconn)$`)

// keepsPool reports whether a field of the listener, or of what it keeps, that can
// hold a pool or a transaction holds a pool: the listener outlives every
// transaction.
func keepsPool(f *frame, v *Value, typ string) bool {
	switch v.Kind {
	case Unknown:
		return f.m.cat.Handle(typ) == catalog.Either || handleInterface.MatchString(typ)
	case Ref:
		return f.m.cat.Handle(typ) == catalog.Either && !v.Obj.Tx && !v.Obj.Pool
	}
	return false
}

// readField reads a field of an object.
func (f *frame) readField(o *Object, field, typ string, st *state) *Value {
	if f.m.cat.Headers(typ) && !o.Record && st.get(o, field) == nil {
		// Headers are set on the map that a request or a message holds.
		h := f.m.part(o, fmt.Sprintf("%d.%s", o.ID, field), typ, field)
		st.set(o, field, &Value{Kind: Ref, Obj: h, Type: typ})
	}
	v := f.fieldAsStored(o, field, typ, st)
	if o.Own && keepsPool(f, v, typ) {
		pool := f.m.part(o, fmt.Sprintf("pool %d.%s", o.ID, field), typ, v.Path)
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
			// In a loop two variables can hold each other's value.
			if f.m.nested++; f.m.nested > maxNested {
				f.m.nested--
				return unknown
			}
			defer func() { f.m.nested-- }()
			return f.fieldOf(whole, field, typ, st)
		}
	}
	if o.Record {
		if rt := f.m.cat.Record(o.Type); rt != nil {
			if part, ok := rt.Fields[field]; ok {
				if part == catalog.Nested {
					key := fmt.Sprintf("%d.%s", o.ID, field)
					in := f.m.part(o, key, typ, field)
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
	if o.Org != 0 && (!o.Symbolic || o.Org != FromConfig) {
		return &Value{Org: o.Org, Path: field}
	}
	if o.static != nil {
		if v := f.m.u.fieldOf(o, field); v != nil {
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
	if v := f.m.u.cellValue(o.Type, field, o.Path, typ); v != nil {
		return v.withPath(cell)
	}
	if structLike(typ) {
		obj := f.m.part(o, fmt.Sprintf("%d.%s", o.ID, field), typ, cell)
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
