package flow

import (
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Memory as a store of event ids: maps and fields that outlive the record.

// cellOf names the field or variable that a map was read from, when it outlives
// the call.
func cellOf(v *Value) string {
	for _, a := range v.alternatives() {
		if a.Obj != nil && a.Obj.Symbolic && a.Obj.Path != "" {
			return a.Obj.Path
		}
		if a.Kind == Unknown && a.Org == FromConfig && a.Path != "" {
			return a.Path
		}
		if a.Obj != nil && a.Obj.static != nil && a.Path != "" {
			return a.Path
		}
		if a.Obj != nil && !a.Obj.Record && !a.Obj.Late && strings.HasPrefix(a.Obj.Type, "map[") {
			return fmt.Sprintf("map %d", a.Obj.ID)
		}
	}
	return ""
}

// mapOf names a map among the things that are encoded and published.
func mapOf(o *Object) string { return fmt.Sprintf("map %d", o.ID) }

// mapName is the name of a cell in messages: a local map has none.
func mapName(cell string) string {
	if strings.HasPrefix(cell, "map ") {
		return "a map"
	}
	return cell
}

// remembers reports whether a map of that type can hold seen ids: its values
// say no more than "seen", and perhaps when.
func remembers(mapType string) bool {
	for _, v := range []string{"]bool", "]struct{}", "]struct {}", "]time.Time", "]int64"} {
		if strings.HasSuffix(mapType, v) {
			return true
		}
	}
	return false
}

// lookup interprets a map look-up. A look-up by something that names the event,
// in a map that outlives the record and that the listener fills itself, is a
// check of an event id.
func (f *frame) lookup(i int, in *summary.Instr, m, key *Value, st *state) *Value {
	commaOk := in.Flags&summary.CommaOk != 0
	if org := (&call{f: f, st: st}).originIn(key); org&^key.Origin() != 0 {
		key = key.mark(org, 0) // a struct of several parts
	}
	elem := f.load(f.elemAddr(in, m, key), "", st)
	ok := &Value{Org: m.Origin() | key.Origin(), Ctl: m.Ctl | key.Ctl}
	cell := cellOf(m)
	typ := f.fn.AuxType(in)
	if key.Origin()&(FromPayload|FromHeader|FromOffset|FromKey|generatedOrigins) != 0 && cell != "" && remembers(typ) && (commaOk || strings.HasSuffix(typ, "]bool")) {
		o := f.op(i, &Op{Kind: Check, Store: catalog.Memory, Dedup: true, Key: key, Cell: cell, Name: cell, What: "a look-up in " + mapName(cell)})
		org := key.Origin() &^ recordOrigins
		seen := unknown
		switch f.m.says(o) {
		case saysFirst:
			seen = falseVal
		case saysDuplicate:
			seen = trueVal
		}
		if f.m.world == Any {
			seen = &Value{Org: org}
		}
		if commaOk {
			return tuple(elem, seen)
		}
		if strings.HasSuffix(typ, "]bool") {
			return seen
		}
		return elem
	}
	if m.Kind == Ref && !m.Obj.Symbolic && m.Obj.static == nil && m.Obj.Org == 0 && key.Kind != Str && key.Kind != Int {
		elem = f.elements(m, st)
	}
	if elem.Kind == Unknown || elem.Kind == Zero || elem.Kind == Nil {
		// A registry that other functions fill.
		for _, a := range m.alternatives() {
			if a.Path != "" {
				if v := f.m.u.cell(a.Path+"[]", 0); v != nil && v.Kind != Unknown {
					elem = v.withPath(a.Path + "[]")
				}
			}
		}
	}
	if !commaOk {
		return elem
	}
	return tuple(elem, ok)
}

// mapUpdate interprets a map assignment.
func (f *frame) mapUpdate(i int, in *summary.Instr, m, key, val *Value, st *state) {
	for _, alt := range m.alternatives() {
		if alt.Kind == Ref {
			f.store(&Value{Kind: Addr, Obj: alt.Obj, Field: elemField(key)}, val, st)
		}
	}
	if ts := key.texts(); len(ts) == 1 {
		a := &Assign{Owner: f.fn.AuxType(in), Field: ts[0], Made: val.made()}
		for _, alt := range m.alternatives() {
			if alt.Kind == Ref {
				a.Map = mapOf(alt.Obj)
				f.m.keys[a.Map] = append(f.m.keys[a.Map], ts[0])
			}
		}
		f.assign(i, a)
	}
	cell := cellOf(m)
	if cell == "" {
		return
	}
	key = key.mark((&call{f: f, st: st}).originIn(key), 0)
	if key.Origin()&(FromPayload|FromHeader|FromOffset|FromKey) != 0 && remembers(f.fn.AuxType(in)) {
		f.op(i, &Op{Kind: Mark, Store: catalog.Memory, Dedup: true, Key: key, Cell: cell, Name: cell, What: "an entry in " + mapName(cell)})
	}
	f.m.stores = append(f.m.stores, memStore{cell, val})
}

// noteStore remembers that something of a record was stored in a field that
// outlives it.
func (m *machine) noteStore(addr, val *Value) {
	if val.Origin()&FromOffset == 0 {
		return
	}
	for _, a := range addr.alternatives() {
		if a.Kind == Addr && a.Obj != nil && (a.Obj.Symbolic || a.Obj.static != nil) {
			m.stores = append(m.stores, memStore{a.Obj.Type + "." + a.Field, val})
		}
	}
}

// noteCompare remembers comparisons with an offset.
func (m *machine) noteCompare(f *frame, i int, op string, x, y *Value) {
	if (x.Origin()|y.Origin())&FromOffset == 0 {
		return
	}
	switch op {
	case "<", "<=", ">", ">=", "==", "!=":
		m.compares = append(m.compares, Comparison{op, x, y, f, i})
	}
}

// forget interprets delete(m, key).
func (m *machine) forget(f *frame, i int, mp, key *Value) {
	if cell := cellOf(mp); cell != "" && key.Origin().FromAnyRecord() {
		f.op(i, &Op{Kind: Release, Store: catalog.Memory, Key: key, Cell: cell, Name: cell})
	}
}

// send interprets a send on a channel: the value is remembered under the
// channel, and whoever receives from it in the visible program continues the
// record's way.
func (f *frame) send(i int, ch, v *Value, st *state) {
	for _, a := range ch.alternatives() {
		if a.Kind != Ref {
			continue
		}
		if a.Obj.Outlet != nil {
			c := &call{f: f, at: i, st: st}
			c.external(a.Obj.Outlet, a.Obj.Outlet.Name, []*Value{a, v})
			continue
		}
		f.store(&Value{Kind: Addr, Obj: a.Obj, Field: "[]"}, v, st)
	}
	if org := (&call{f: f, st: st}).originIn(v) | v.Origin(); org.FromAnyRecord() {
		for _, name := range channelNames(ch) {
			sent := &Value{Org: org, Ctl: v.Ctl, Type: v.Type}
			f.m.sends[name] = join(f.m.sends[name], sent, 0)
		}
	}
}

// receive interprets a receive from a channel; nil when nothing is ever sent.
func (f *frame) receive(ch *Value, st *state) *Value {
	blocked := false
	for _, name := range channelNames(ch) {
		if v, ok := f.m.delivered[name]; v != nil {
			f.m.arrived = true
			return v
		} else if ok {
			blocked = true
		}
	}
	if blocked {
		return nil
	}
	return f.elements(ch, st)
}

// channelNames are the names under which a channel is known in every
// interpretation: where it was made, and the field that it was read from.
func channelNames(ch *Value) []string {
	var out []string
	for _, a := range ch.alternatives() {
		if a.Obj != nil && a.Obj.Site != "" {
			out = append(out, a.Obj.Site)
		}
		if a.Obj != nil && a.Obj.Symbolic && a.Obj.Path != "" {
			out = append(out, a.Obj.Path)
		}
		if a.Path != "" && strings.Contains(a.Path, ".") {
			out = append(out, a.Path)
		}
	}
	return out
}

func (f *frame) selectOp(i int, in *summary.Instr, st *state) *Value {
	elems := []*Value{{}, {}}
	for k := 0; k+1 < len(in.Args); k += 2 {
		ch := f.val(in.Args[k])
		if in.Args[k+1] != 0 {
			f.send(i, ch, f.val(in.Args[k+1]), st)
			continue
		}
		v := f.receive(ch, st)
		if v == nil {
			v = unknown
		}
		elems = append(elems, v)
	}
	return tuple(elems...)
}
