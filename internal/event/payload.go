package event

import (
	"go/types"
	"reflect"
	"strconv"
	"strings"
)

// field is a field of a struct type as an encoder sees it.
type field struct {
	v     *types.Var
	tag   string // its name in the payload
	order int    // its position, from 0; protobuf's number
}

// payload returns the fields that an encoder writes, in their order.
func payload(st *types.Struct) []field {
	var out []field
	proto := false
	for i := range st.NumFields() {
		f := st.Field(i)
		tag := reflect.StructTag(st.Tag(i))
		if !f.Exported() && !f.Embedded() || tag.Get("json") == "-" || f.Name() == "XMLName" {
			continue
		}
		n := len(out)
		if parts := strings.Split(tag.Get("protobuf"), ","); len(parts) > 1 {
			if number, err := strconv.Atoi(parts[1]); err == nil {
				proto, n = true, number-1
			}
		}
		out = append(out, field{f, Tag(st, i), n})
	}
	if proto { // what has no number is not in the message
		kept := out[:0]
		for _, f := range out {
			if f.order >= 0 {
				kept = append(kept, f)
			}
		}
		return kept
	}
	return out
}

// Encodes reports whether an encoder writes fields of the type. A time or another value
// with a form of its own has none.
func (t *Type) Encodes() bool { return len(payload(t.Struct)) > 0 }

// Misplaced returns the event id of a payload when it is not the first field: not
// the struct's own, nor that of an envelope which comes first. It returns nil when
// it is, or when the payload has none.
func (t *Type) Misplaced(names Names) *types.Var {
	fields := payload(t.Struct)
	if avro(t.Struct) || calendar(t.Struct) {
		return nil // the order is the schema's, the id a concert's
	}
	var found *types.Var
	for _, f := range fields {
		if f.names(names) {
			if f.order == 0 {
				return nil
			}
			if found == nil {
				found = f.v
			}
			continue
		}
		inner := structOf(f.v.Type())
		if inner == nil || !f.v.Embedded() && f.order != 0 {
			continue
		}
		for _, in := range payload(inner) {
			if in.names(names) {
				if f.order == 0 && in.order == 0 {
					return nil
				}
				if found == nil && f.v.Embedded() {
					found = f.v
				}
			}
		}
	}
	return found
}

// Named reports whether something in the payload can name the event: a field that
// is called an event id, or id, at any of the upper levels.
func (t *Type) Named(names Names) bool { return named(t.Struct, names, 2) }

func named(st *types.Struct, names Names, depth int) bool {
	for _, f := range payload(st) {
		if f.names(names) {
			return true
		}
		for _, n := range []string{f.v.Name(), f.tag} {
			switch strings.ToLower(strings.ReplaceAll(n, "_", "")) {
			case "id", "uuid", "uid", "guid", "messageid", "msgid", "idempotencykey", "correlationid", "dedupkey":
				return true
			}
		}
		if inner := structOf(f.v.Type()); inner != nil && depth > 0 && named(inner, names, depth-1) {
			return true
		}
	}
	return false
}

func (f field) names(names Names) bool {
	return names.EventName(f.v.Name()) || f.tag != "" && names.EventName(f.tag)
}

func structOf(t types.Type) *types.Struct {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	st, _ := t.Underlying().(*types.Struct)
	return st
}

func avro(st *types.Struct) bool {
	for i := range st.NumFields() {
		if reflect.StructTag(st.Tag(i)).Get("avro") != "" {
			return true
		}
	}
	return false
}

// Row reports whether the type is a row of a database rather than a payload: by its
// tags, or by its name.
func (t *Type) Row() bool {
	for i := range t.Struct.NumFields() {
		tag := reflect.StructTag(t.Struct.Tag(i))
		for _, key := range []string{"db", "gorm", "bun", "pg", "ch"} {
			if tag.Get(key) != "" {
				return true
			}
		}
	}
	for _, word := range []string{"Outbox", "outbox", "Row", "Record", "Entity", "Model"} {
		if strings.HasSuffix(t.Name, word) || strings.HasPrefix(t.Name, word) {
			return true
		}
	}
	return false
}

// Encoded reports whether the field's tag gives it a name in a payload.
func (t *Type) Encoded(name string) bool {
	for i := range t.Struct.NumFields() {
		if t.Struct.Field(i).Name() == name {
			tag := reflect.StructTag(t.Struct.Tag(i))
			return tag.Get("json") != "" || tag.Get("protobuf") != "" || tag.Get("msgpack") != ""
		}
	}
	return false
}
