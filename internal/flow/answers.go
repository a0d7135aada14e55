package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// answer gives the call its result: the operation's answer in the form that
// the row says.
func (c *call) answer(row *catalog.Row, args []*Value, o *Op) {
	err := c.failure(o)
	switch row.Verb {
	case catalog.GetInto, catalog.Select:
		if err == nilValue && row.Verb == catalog.GetInto {
			switch c.found(o) {
			case 0:
				err = noRows(o)
			case -1:
				err = &Value{Type: "error", Org: readOrigin(o)}
			}
		}
		if d := c.operand(row, args, row.Dest); d != nil {
			c.fill(o, []*Value{d})
		}
		c.val = c.shape(err, err)
		return
	}
	v := &Value{Kind: Answer, Op: o, Type: firstType(c.typ)}
	if row.Verb == catalog.QueryRow {
		c.val = v
		return
	}
	c.val = c.shape(v, err)
}

func readOrigin(o *Op) Origin {
	if o.Key != nil && o.Key.Origin().OnlyGenerated() {
		return 0
	}
	if o.Kind == Read {
		return FromRead
	}
	return 0
}

func noRows(o *Op) *Value {
	return &Value{Kind: Err, Text: "no rows", Op: o, Org: readOrigin(o)}
}

// ask interprets a question to an answer.
func (c *call) ask(row *catalog.Row, args []*Value) {
	if row.Kind == "reply" {
		c.reply(args)
		return
	}
	var out *Value
	for _, a := range args[0].alternatives() {
		if a.Kind != Answer {
			out = join(out, c.resultOf(c.typ, a.Origin(), a.Ctl, nil), 0)
			continue
		}
		out = join(out, c.askOne(row, a.Op, args), 0)
	}
	c.val = out
}

// reply converts what a command returned, (reply, error), to the type asked for:
// an absent reply is an error.
func (c *call) reply(args []*Value) {
	var out *Value
	for _, r := range args[0].alternatives() {
		var v *Value
		switch {
		case len(args) > 1 && isNil(args[1]) != 1:
			v = c.shape(derived(r), args[1])
		case r.Kind == Answer:
			v = c.kvAnswer(r.Op, c.typ)
		case isNil(r) == 1:
			v = c.shape(zero, &Value{Kind: Err, Text: "no rows"})
		default:
			v = c.shape(r, nilValue)
		}
		out = join(out, v, 0)
	}
	c.val = out
}

func (c *call) askOne(row *catalog.Row, o *Op, args []*Value) *Value {
	if o.Store == catalog.Redis || o.Store == catalog.Memory {
		return c.kvAnswer(o, c.typ)
	}
	switch row.Kind {
	case "answer":
		return c.shape(&Value{Kind: Answer, Op: o, Type: firstType(c.typ)}, c.failure(o))
	case "collect":
		err := c.failure(o)
		if err == nilValue && !strings.Contains(c.typ, "[]") {
			switch c.found(o) {
			case 0:
				err = noRows(o)
			case -1:
				err = &Value{Type: "error", Org: readOrigin(o)}
			}
		}
		return c.shape(c.content(o), err)
	}
	switch row.Verb {
	case catalog.RowsAffected:
		return c.shape(c.rowsAffected(o), nilValue)
	case catalog.NextRow:
		n := c.found(o)
		if n == 1 && c.f.fn.InLoop(c.block()) {
			return &Value{Org: readOrigin(o)}
		}
		if n < 0 {
			return &Value{Org: readOrigin(o)}
		}
		if n == 1 && o.Kind == Read {
			return &Value{Org: readOrigin(o)}
		}
		return boolean(n == 1)
	case catalog.Scan:
		err := c.failure(o)
		if err == nilValue && ofOneRow(row, o) {
			switch c.found(o) {
			case 0:
				err = noRows(o)
			case -1:
				err = &Value{Type: "error", Org: readOrigin(o)}
			}
		}
		c.fill(o, c.values(row, args, row.Vals))
		return c.shape(err, err)
	}
	return c.shape(c.failure(o), c.failure(o))
}

// ofOneRow reports whether a Scan reads the one row of its answer, and so says when
// there is none: by the operation, or by the type that is scanned.
func ofOneRow(scan *catalog.Row, o *Op) bool {
	if o.Row != nil && (o.Row.Verb == catalog.QueryRow || o.Row.Verb == catalog.Get) {
		return true
	}
	return strings.Contains(scan.Name, ".Row).") || strings.Contains(scan.Name, ".RowScanner).")
}

func (c *call) block() int {
	for b := range c.f.fn.Blocks {
		if blk := &c.f.fn.Blocks[b]; c.at >= blk.First && c.at < blk.Last {
			return b
		}
	}
	return 0
}

// answerField reads a field of an answer that a library presents as a struct:
// gorm's Error and RowsAffected.
func (f *frame) answerField(v *Value, field, typ string) *Value {
	if v.Kind != Answer {
		if field == "Error" {
			return nilValue
		}
		return &Value{Type: typ}
	}
	c := &call{f: f, typ: typ}
	switch field {
	case "RowsAffected":
		return c.rowsAffected(v.Op)
	case "Error":
		err := c.failure(v.Op)
		if err == nilValue && v.Op.Row != nil && v.Op.Row.Const == "must find" {
			switch c.found(v.Op) {
			case 0:
				return noRows(v.Op)
			case -1:
				return &Value{Type: "error", Org: readOrigin(v.Op)}
			}
		}
		return err
	}
	return v
}
