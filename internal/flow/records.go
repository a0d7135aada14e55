package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// noGroup marks a client that reads without a consumer group.
const noGroup = "no consumer group"

// consumer interprets the making of a client: without a group it belongs to a
// monitor or a tool, and nothing is delivered to it again.
func (c *call) consumer(row *catalog.Row, args []*Value) {
	o := c.f.object(c.at, strings.TrimPrefix(firstType(c.typ), "*"))
	grouped := true
	cfg := c.operand(row, args, row.Key)
	if cfg != nil && cfg.Kind == Ref && !cfg.Obj.Symbolic && cfg.Obj.static == nil && cfg.Obj.Org == 0 {
		if row.Field != "" {
			v := c.f.readField(c.f.content(cfg.Obj, c.st), row.Field, "string", c.st)
			grouped = v.Kind != Str || v.Text != ""
		} else {
			grouped = false
			opts := c.open(cfg)
			for _, e := range opts {
				if e.Kind != NonNil || e.Type == "group" {
					grouped = true
				}
			}
		}
	}
	o.Symbolic = true
	o.Path = o.Type
	if !grouped {
		o.Method = noGroup
	}
	c.val = c.shape(&Value{Kind: Ref, Obj: o, Type: firstType(c.typ)}, nilValue)
}

// source interprets a call that gets records.
func (c *call) source(row *catalog.Row, name string, args []*Value) {
	m := c.f.m
	m.arrived = true
	var clients []*Object
	for _, a := range args {
		if a.Obj != nil && a.Obj.Method == noGroup {
			m.noGroup = true
		}
		clients = append(clients, madeAt(a)...)
	}
	c.st.set(m.ack, "$acked", boolean(row.Auto))
	c.f.op(c.at, &Op{Kind: Consume, Name: name, Row: row, Clients: clients})
	c.val = c.resultOf(c.typ, FromRecord, 0, nil)
	if m.world == Any {
		return
	}
	// The error of a poll is not a journey.
	if c.val.Kind == Tuple {
		for i, e := range c.val.Elems {
			if e.Kind == Unknown && i == len(c.val.Elems)-1 && strings.HasSuffix(c.typ, ",error)") {
				c.val.Elems[i] = nilValue
			}
		}
	}
}

// register interprets a call that hands each record to a function: now, as
// franz-go's EachRecord, or later, as a router's AddHandler.
func (c *call) register(row *catalog.Row, args []*Value) {
	fn := c.operand(row, args, row.Fn)
	record := &Value{Org: FromRecord}
	if c.in.Op != 0 && row.Key != catalog.None {
		if v := c.operand(row, args, row.Key); v != nil {
			record = &Value{Org: v.Origin() | FromRecord}
		}
	}
	c.val = c.resultOf(c.typ, 0, 0, args)
	if fn == nil {
		return
	}
	c.f.m.arrived = true
	for _, a := range args {
		if a.Type != "" && c.f.m.cat.OtherBroker(packageOf(a.Type)) != "" {
			return
		}
	}
	if row.Field != "" {
		c.handlers(row, fn, record, args)
		return
	}
	if out := c.callback(fn, record, args); row.Kind != "" && out != nil && c.st != nil {
		c.forward(row, args, out)
	}
}

// forward interprets what a router does with the messages that a handler
// returned: it publishes them.
func (c *call) forward(row *catalog.Row, args []*Value, out *Value) {
	if out.Kind == Tuple && len(out.Elems) > 0 {
		out = out.Elems[0]
	}
	none := isNil(out)
	if none == 1 {
		return
	}
	val := c.val
	effect := &catalog.Row{Name: row.Name, Verb: catalog.Effect, Kind: row.Kind}
	if o := c.external(effect, row.Name, append(slices.Clone(args), out)); o != nil && none < 0 {
		o.Write = Undecided
	}
	c.val = val
}

// handlers calls a method of each object that a registration is given: cqrs's
// AddHandlers.
func (c *call) handlers(row *catalog.Row, v, record *Value, outer []*Value) {
	val := c.val
	for _, e := range c.openAll(v) {
		for _, h := range e.alternatives() {
			if h.Type == "" || h.Kind == Nil {
				continue
			}
			for _, form := range []string{"(*" + strings.TrimPrefix(h.Type, "*") + ")." + row.Field, "(" + strings.TrimPrefix(h.Type, "*") + ")." + row.Field} {
				body := c.f.m.u.Func(form)
				if body == nil {
					continue
				}
				args := []*Value{h}
				for _, p := range body.Params[1:] {
					args = append(args, c.parameter(body, body.Pkg.TypeName(p), record, outer))
				}
				saved := c.via
				c.via = h.Via
				if c.f.m.enters(c.f, body) {
					c.enter(body, args, nil)
				}
				c.via = saved
				if c.st == nil {
					return
				}
			}
		}
	}
	c.val = val
}
