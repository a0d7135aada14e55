package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Wiring is a call that names the topics or the consumer group of a client.
type Wiring struct {
	Func   *summary.Func // that calls
	Row    *catalog.Row
	Topics []string // the names, or "from PATH" where a setting holds one
	Group  []string

	site    string   // of the call
	clients []string // the sites that made the client it speaks of
	handler []string // the types whose methods get the records
}

// Wirings returns the wirings of the visible program.
func (u *Universe) Wirings() []*Wiring {
	defer u.begin()()
	var out []*Wiring
	for _, path := range u.names {
		for _, fn := range u.Packages[path].Funcs {
			for i := range fn.Instrs {
				if row := u.RowOf(fn, &fn.Instrs[i]); row != nil && row.Wire != nil && !fn.Test {
					out = append(out, u.wiring(site{fn: fn, instr: i}, row))
				}
			}
		}
	}
	return out
}

// wiring reads what the call at the site names.
func (u *Universe) wiring(s site, row *catalog.Row) *Wiring {
	fn, in := s.fn, &s.fn.Instrs[s.instr]
	w := &Wiring{Func: fn, Row: row, site: s.String()}
	at := func(a catalog.Arg) *Value {
		k := int(a - catalog.A0)
		switch {
		case a == catalog.Recv:
			k = 0
		case receives(row.Name):
			k++
		}
		if a == catalog.None || k >= len(in.Args) {
			return nil
		}
		return u.lookup(fn, in.Args[k], s.env, 0)
	}
	for _, t := range row.Wire.Topics {
		w.Topics = append(w.Topics, u.namesIn(fn, at(t.Arg), t.Fields)...)
	}
	for _, g := range row.Wire.Group {
		w.Group = append(w.Group, u.namesIn(fn, at(g.Arg), g.Fields)...)
	}
	if receives(row.Name) {
		for _, o := range madeAt(at(catalog.Recv)) {
			w.clients = append(w.clients, o.Site)
		}
	}
	if h := at(row.Wire.Handler); h != nil {
		for _, a := range h.alternatives() {
			if a.Type != "" {
				w.handler = append(w.handler, strings.TrimLeft(a.Type, "*"))
			}
		}
	}
	if row.Verb == catalog.Option {
		// It is an option of the clients that the function makes.
		for k := range fn.Instrs {
			if r := u.RowOf(fn, &fn.Instrs[k]); r != nil && r.Verb == catalog.Consumer {
				w.clients = append(w.clients, site{fn: fn, instr: k}.String())
			}
		}
	}
	return w
}

// receives reports whether the full name is a method's.
func receives(name string) bool { return strings.HasPrefix(name, "(") }

// madeAt returns the objects that a value may be, as far as it is known where they are
// made.
func madeAt(v *Value) []*Object {
	var out []*Object
	if v != nil {
		for _, a := range v.alternatives() {
			if a.Obj != nil && a.Obj.Site != "" {
				out = append(out, a.Obj)
			}
		}
	}
	return out
}

// namesIn returns the names that a value, or a field or entry of it, holds.
func (u *Universe) namesIn(fn *summary.Func, v *Value, fields []string) []string {
	if v == nil {
		return nil
	}
	if len(fields) == 0 {
		return u.texts(v, 0)
	}
	var out []string
	for _, f := range fields {
		for _, a := range v.alternatives() {
			if a.Kind == Ref {
				if held := u.fieldAt(a.Obj, f); held != nil {
					out = append(out, u.texts(held, 0)...)
				}
			}
		}
		out = append(out, u.entries(fn, f)...)
	}
	return out
}

// entries returns what the function puts into maps under a constant key.
func (u *Universe) entries(fn *summary.Func, key string) []string {
	var out []string
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		if in.Op == summary.OpMapUpdate && in.Args[1].Kind() == summary.RefConst && fn.Consts[in.Args[1].Index()].Str == key {
			out = append(out, u.texts(u.lookup(fn, in.Args[2], nil, 0), 0)...)
		}
	}
	return out
}

// texts returns the texts of a value or of the elements of a slice.
func (u *Universe) texts(v *Value, depth int) []string {
	var out []string
	for _, a := range v.alternatives() {
		switch {
		case a.Kind == Str && a.Text != "":
			out = append(out, a.Text)
		case a.Kind == Ref && a.Obj.static != nil && depth < 3:
			for _, f := range []string{"[]", ""} {
				if e := u.fieldAt(a.Obj, f); e != nil {
					out = append(out, u.texts(e, depth+1)...)
				}
			}
		case a.Path != "":
			out = append(out, "from "+a.Path)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// WiringOf returns those of the wirings that speak of the client or the handler of a
// listener's journey, directly or by way of another. Where the client was made by a
// helper, it is the helper's call for this one.
func (u *Universe) WiringOf(j *Journey, all []*Wiring) []*Wiring {
	defer u.begin()()
	known := make(map[string]bool)
	var out []*Wiring
	exact := make(map[string]bool)
	for _, o := range j.First.Ops {
		for _, c := range o.Clients {
			known[c.Site] = true
			if s := c.static; s != nil && !exact[c.Site] {
				if row := u.RowOf(s.fn, &s.fn.Instrs[s.instr]); row != nil && row.Wire != nil {
					exact[c.Site] = true
					out = append(out, u.wiring(*s, row))
				}
			}
		}
	}
	handler := ""
	if j.Root.HasRcv {
		handler = strings.TrimLeft(j.Root.Pkg.TypeName(j.Root.Params[0]), "*")
	}
	taken := make(map[*Wiring]bool)
	for more := true; more; {
		more = false
		for _, w := range all {
			speaks := known[w.site] || slices.ContainsFunc(w.clients, func(s string) bool { return known[s] }) ||
				handler != "" && slices.Contains(w.handler, handler) ||
				w.Func == j.Root && (w.Row.Verb == catalog.Source || w.Row.Verb == catalog.Callback || w.Row.Verb == catalog.Processor)
			if speaks && !taken[w] {
				taken[w], more = true, true
				if !exact[w.site] {
					out = append(out, w)
				}
				known[w.site] = true
				for _, s := range w.clients {
					known[s] = true
				}
			}
		}
	}
	return out
}
