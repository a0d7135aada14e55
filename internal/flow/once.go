package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// once interprets a call that records an event's id in a transaction of its own and runs a
// closure in it if the id was not there.
func (c *call) once(row *catalog.Row, name string, args []*Value) {
	key := c.eventKey(c.operand(row, args, row.Key), row.Field)
	gate := c.claim(row, name, key, c.operand(row, args, row.Fn), args)
	if gate != nil {
		err := nilValue
		if c.val != nil {
			err = c.val
		}
		c.val = c.shape(&Value{Op: gate}, err)
	}
}

// claim interprets a gate on the key and, behind it, the work in one transaction; given is
// what the work may be passed. It returns the gate, and leaves its error in c.val; nil when
// the work ends the goroutine.
func (c *call) claim(row *catalog.Row, name string, key, work *Value, given []*Value) *Op {
	tx := c.begin(nil, "transaction")
	gate := c.f.op(c.at, &Op{
		Kind: Gate, Store: row.Store, Dedup: true, Name: name, Row: row, Key: key, Cell: row.Store.String() + " " + row.Name,
		What:   "the claim of the event by " + strings.ReplaceAll(name[strings.LastIndexByte(name, '/')+1:], ").", "."),
		Handle: Handle{State: InOpenTx, Tx: tx.Obj}, Acked: c.f.acked(c.st), asked: true,
	})
	c.val = nilValue
	switch says := c.f.m.says(gate); says {
	case saysDuplicate:
		c.finish(tx, Rollback)
	case saysFailure:
		c.finish(tx, Rollback)
		c.val = &Value{Kind: Err, Text: "store failure", Op: gate}
	default:
		before := c.st.clone()
		if work != nil {
			c.within(tx, work, given)
		}
		switch {
		case says == either:
			if c.st == nil {
				c.st = before // the work ends the goroutine; a duplicate does not run it
			}
			c.val = &Value{Type: "error"}
		case c.st == nil:
			return nil
		}
	}
	return gate
}

// processor interprets the making of a consumer out of functions: one decodes a record's
// payload, one returns the event's id, one or the other does the work of a new event, or
// of those of a poll, in the transaction that records the id. The consumer acknowledges
// after that.
func (c *call) processor(row *catalog.Row, name string, args []*Value) {
	cfg := c.operand(row, args, row.Key)
	names := strings.Fields(row.Field)
	if cfg == nil || len(names) != 4 {
		c.val = c.shape(&Value{}, nilValue)
		return
	}
	function := func(i int) *Value { return c.f.fieldOf(cfg, names[i], "", c.st) }
	c.f.m.arrived = true
	c.f.op(c.at, &Op{Kind: Consume, Name: name, Row: row})
	event := c.callback(function(0), &Value{Org: FromPayload, Path: "Value"}, args)
	if c.st == nil {
		return
	}
	if event != nil && event.Kind == Tuple && len(event.Elems) > 0 {
		event = event.Elems[0]
	}
	if event == nil {
		event = &Value{Org: FromPayload}
	}
	key := c.callback(function(1), event, args)
	if key == nil || c.st == nil {
		key = &Value{Org: FromUnknown}
	}
	batch := &Value{Org: c.originIn(event), Path: event.Path}
	for i, v := range []*Value{event, batch} {
		work := function(2 + i)
		if work.Kind != Func && work.Kind != Union {
			continue
		}
		if c.claim(row, name, key, work, append(args[:len(args):len(args)], v.withType(c.lastParam(work)))) == nil {
			return
		}
	}
	c.f.op(c.at, &Op{Kind: Ack, Name: name, Row: row, Acked: c.f.acked(c.st)})
	c.val = c.shape(&Value{}, nilValue)
}

// lastParam returns the type of the last parameter of a function value, "" when its body
// is not visible.
func (c *call) lastParam(fn *Value) string {
	for _, a := range fn.alternatives() {
		if body := c.f.m.u.Func(a.Text); a.Kind == Func && body != nil && len(body.Params) > 0 {
			return body.Pkg.TypeName(body.Params[len(body.Params)-1])
		}
	}
	return ""
}

// eventKey returns the key in an event, or in the events of a slice.
func (c *call) eventKey(v *Value, field string) *Value {
	if v == nil {
		return unknown
	}
	var out *Value
	add := func(e *Value) {
		if k := c.f.fieldOf(e, field, "string", c.st); k.Kind != Zero {
			out = join(out, k, 0)
		}
	}
	for _, a := range v.alternatives() {
		switch {
		case a.Kind == Nil || a.Kind == Zero: // no events
		case a.Kind == Ref && (strings.HasPrefix(a.Type, "[]") || strings.HasPrefix(a.Obj.Type, "[")):
			for _, e := range c.open(a) {
				add(e)
			}
		default:
			add(a)
		}
	}
	if out == nil {
		return &Value{Org: c.originIn(v)}
	}
	return out
}
