package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// once interprets a call that records an event's id in a transaction of its own and runs a
// closure in it if the id was not there.
func (c *call) once(row *catalog.Row, name string, args []*Value) {
	tx := c.begin(nil, "transaction")
	key := c.eventKey(c.operand(row, args, row.Key), row.Field)
	gate := c.f.op(c.at, &Op{
		Kind: Gate, Store: row.Store, Dedup: true, Name: name, Row: row, Key: key, Cell: row.Store.String() + " " + row.Name,
		What:   "the claim of " + name[strings.LastIndexByte(name, '.')+1:],
		Handle: Handle{State: InOpenTx, Tx: tx.Obj}, Acked: c.f.acked(c.st), asked: true,
	})
	says := c.f.m.says(gate)
	err := nilValue
	switch says {
	case saysDuplicate:
		c.finish(tx, Rollback)
	case saysFailure:
		c.finish(tx, Rollback)
		err = &Value{Kind: Err, Text: "store failure", Op: gate}
	default:
		before := c.st
		if says == either {
			before = c.st.clone()
		}
		if fn := c.operand(row, args, row.Fn); fn != nil {
			c.within(tx, fn, args)
		}
		if c.st == nil {
			if says != either {
				return
			}
			c.st = before // the closure ends the goroutine; a duplicate does not run it
		}
		if c.val != nil && (c.val.Kind == Err || c.val.Kind == Union || c.val.Kind == Unknown) {
			err = c.val
		}
		if says == either {
			err = &Value{Type: "error"}
		}
	}
	c.val = c.shape(&Value{Op: gate}, err)
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
	if strings.HasPrefix(v.Type, "[]") || v.Kind == Ref && strings.HasPrefix(v.Obj.Type, "[") {
		for _, e := range c.open(v) {
			add(e)
		}
	} else {
		add(v)
	}
	if out == nil {
		return &Value{Org: c.originIn(v)}
	}
	return out
}
