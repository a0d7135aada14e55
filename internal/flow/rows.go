package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
)

// row interprets a call that the catalogue knows.
func (c *call) row(row *catalog.Row, name string, args []*Value) {
	m := c.f.m
	for k, a := range args {
		if a.Kind == Addr && a.Obj == nil && a.Recv != nil {
			// A method promoted from a field embedded in an answer or a builder.
			args[k] = a.Recv
		}
	}
	arg := func(a catalog.Arg) *Value { return c.operand(row, args, a) }
	handle := arg(row.Handle)
	switch row.Verb {
	case catalog.Source:
		c.source(row, name, args)
	case catalog.RecordOf:
		c.val = c.shape(&Value{Org: partOrigin(row.RecordPart)}, nilValue)
		if c.val.Kind == Tuple && len(c.val.Elems) == 2 {
			c.val.Elems[1] = &Value{}
		}
	case catalog.Consumer:
		c.consumer(row, args)
	case catalog.Option:
		typ := "option"
		if row.Group {
			typ = "group"
		}
		c.val = &Value{Kind: NonNil, Type: typ}
	case catalog.Callback:
		c.register(row, args)
	case catalog.Ack:
		c.f.op(c.at, &Op{Kind: Ack, Name: name, Row: row, Record: arg(row.Key), Acked: c.f.acked(c.st)})
		c.st.set(m.ack, "$acked", trueVal)
		c.val = c.resultOf(c.typ, 0, 0, nil)
	case catalog.Open:
		o := c.f.object(c.at, strings.TrimPrefix(firstType(c.typ), "*"))
		o.Pool = true
		c.val = c.shape(&Value{Kind: Ref, Obj: o, Type: firstType(c.typ)}, nilValue)
	case catalog.Begin:
		tx := c.begin(handle, firstType(c.typ))
		if m.cat.Builder(firstType(c.typ)) {
			tx = &Value{Kind: Stmt, Stmt: &Statement{Handle: tx}, Type: firstType(c.typ)}
		}
		c.val = c.shape(tx, nilValue)
	case catalog.InTx:
		if fn := arg(row.Fn); fn != nil {
			c.inTx(handle, fn, args)
		}
	case catalog.Once:
		c.once(row, name, args)
	case catalog.Processor:
		c.processor(row, name, args)
	case catalog.Commit, catalog.Rollback:
		if handle != nil {
			kind := Commit
			if row.Verb == catalog.Rollback {
				kind = Rollback
			}
			c.finish(handle, kind)
		}
		c.val = c.resultOf(c.typ, 0, 0, nil)
		if c.val.Kind == Unknown && m.cat.Builder(c.typ) {
			c.val = handle
		}
	case catalog.Derive:
		c.val = args[0]
		if row.Key != catalog.None {
			c.val = arg(row.Key)
		}
		if strings.HasPrefix(c.typ, "(") {
			c.val = c.shape(c.val, nilValue)
			for i := 1; i < len(c.val.Elems)-1; i++ {
				c.val.Elems[i] = derived(args...)
			}
		}
	case catalog.Rebind:
		c.val = rebound(arg(row.Handle), args[0]).withType(firstType(c.typ))
	case catalog.Exec, catalog.Query, catalog.QueryRow, catalog.GetInto, catalog.Select, catalog.Copy, catalog.Queue:
		c.statement(row, name, args)
	case catalog.RunBatch:
		c.runBatch(row, name, args)
	case catalog.RowsAffected, catalog.Scan, catalog.NextRow, catalog.Answered:
		c.ask(row, args)
	case catalog.Build:
		c.build(row, args)
	case catalog.Run:
		c.runStmt(row, name, args)
	case catalog.ToSQL:
		c.toSQL(args)
	case catalog.PutAbsent, catalog.Put, catalog.Get, catalog.Del, catalog.Incr:
		c.keyValue(row, name, args)
	case catalog.Effect, catalog.Send:
		c.external(row, name, args)
	case catalog.Request:
		c.request(row, args)
	case catalog.Header:
		c.header(row, args)
	case catalog.ParseID:
		v, err := derived(args...), nilValue
		if (m.world == Duplicate || m.world == Any) && v.Org.FromAnyRecord() {
			// An id that cannot be read is no reason to do the work.
			err = &Value{Type: "error", Org: v.Org}
		}
		c.val = c.shape(v, err)
	case catalog.Body:
		if k := c.lockOf(arg(row.Key), 2); k != nil {
			c.lock(args[0], k)
		}
		c.val = args[0]
	case catalog.SetKey:
		c.lock(args[0], arg(row.Text))
		c.val = c.resultOf(c.typ, 0, 0, nil)
	case catalog.KeyPairs:
		c.keyPairs(row, args)
	case catalog.EventID:
		c.f.assign(c.at, &Assign{Owner: args[0].Type, Field: "id", Event: true, Made: arg(row.Text).made()})
		c.val = c.resultOf(c.typ, 0, 0, nil)
	case catalog.Outlet:
		o := c.f.object(c.at, c.typ)
		o.Outlet, o.Path = row, args[0].Path
		c.val = &Value{Kind: Ref, Obj: o, Type: c.typ}
	case catalog.Compose:
		o := c.f.object(c.at, strings.TrimPrefix(firstType(c.typ), "*"))
		c.st.reset(o)
		for k, field := range strings.Split(row.Field, ",") {
			if field != "" && k < len(args) {
				c.st.set(o, field, args[k])
			}
		}
		c.val = c.shape(&Value{Kind: Ref, Obj: o, Type: firstType(c.typ)}, nilValue)
	case catalog.Generate:
		if from := arg(row.Key); from != nil && from.Path != row.Const {
			c.opaque(name, args, false)
			break
		}
		org := map[catalog.Gen]Origin{catalog.UUID: FromUUID, catalog.UUIDv7: FromUUIDv7, catalog.Random: FromRandom, catalog.Clock: FromClock}[row.Gen]
		made := &Value{Org: org, Path: name, Made: &Made{row, c.f, c.at}}
		c.val = c.shape(made, nilValue)
		if buf := arg(row.Dest); buf != nil && (buf.Kind == Ref || buf.Kind == Addr) {
			c.f.store(&Value{Kind: Addr, Obj: buf.Obj, Field: "[]"}, made, c.st)
			c.val = c.resultOf(c.typ, 0, 0, nil)
		}
	case catalog.CtxWith:
		o := c.f.object(c.at, "context")
		o.Parent, o.Key, o.Val = args[0], arg(row.Key), arg(row.Vals)
		c.val = &Value{Kind: Ref, Obj: o, Type: "context.Context"}
	case catalog.CtxValue:
		c.val = c.contextValue(args[0], arg(row.Key), 0)
	default:
		c.val = c.resultOf(c.typ, derived(args...).Org, 0, args)
	}
}

// rebound returns a prepared statement on another handle (a transaction's Stmt);
// other values as they are.
func rebound(v, handle *Value) *Value {
	if v.Kind != Stmt || v == handle {
		return v
	}
	s := *v.Stmt
	s.Handle = handle
	return &Value{Kind: Stmt, Stmt: &s, Type: v.Type, Org: v.Org, Ctl: v.Ctl}
}

// contextValue looks a key up in a context. What the listener's own context
// carries is not known to the program: it is taken to carry nothing, except where
// the program could not go on without it (see frame.decide).
func (c *call) contextValue(ctx, key *Value, depth int) *Value {
	if depth > 16 {
		return unknown
	}
	var out *Value
	for _, a := range ctx.alternatives() {
		var v *Value
		if a.Kind == Ref && a.Obj.Type == "context" && (a.Obj.Parent != nil || a.Obj.Val != nil) {
			o := a.Obj
			switch {
			case o.Key == nil || key == nil || sameKey(o.Key, key):
				v = o.Val
			case o.Parent != nil:
				v = c.contextValue(o.Parent, key, depth+1)
			}
		}
		if v == nil {
			v = nilValue.mark(a.Org&^FromConfig|FromAbsence, a.Ctl)
		}
		out = join(out, v, 0)
	}
	if out == nil {
		return nilValue.mark(FromAbsence, 0)
	}
	return out
}

// sameKey compares context keys: by type for struct keys, by value too for
// others.
func sameKey(a, b *Value) bool {
	if a.Type != b.Type {
		return false
	}
	if a.Kind == Ref && b.Kind == Ref && a.Obj.Symbolic && b.Obj.Symbolic {
		return a.Obj == b.Obj
	}
	if (a.Kind == Str || a.Kind == Int) && a.Kind == b.Kind {
		return a.Text == b.Text && a.Int == b.Int
	}
	if a.Path != "" && b.Path != "" {
		return a.Path == b.Path
	}
	return true
}

// shape arranges a value and an error as the call's result type says.
func (c *call) shape(v, err *Value) *Value {
	if !strings.HasPrefix(c.typ, "(") {
		if c.typ == "error" {
			return err
		}
		return v
	}
	parts := splitTypes(strings.TrimSuffix(c.typ[1:], ")"))
	elems := make([]*Value, len(parts))
	for i, p := range parts {
		switch {
		case p == "error":
			elems[i] = err
		case i == 0:
			elems[i] = v
		default:
			elems[i] = v.mark(0, 0)
			if v.Kind == Answer {
				elems[i] = unknown
			}
		}
	}
	return tuple(elems...)
}

func firstType(t string) string {
	if inner, ok := strings.CutPrefix(t, "("); ok && t != "" {
		return splitTypes(strings.TrimSuffix(inner, ")"))[0]
	}
	return t
}

// statement interprets a call that carries SQL text or a table's name.
func (c *call) statement(row *catalog.Row, name string, args []*Value) {
	handle := c.operand(row, args, row.Handle)
	vals := c.values(row, args, row.Vals)
	var opened []*Value
	for _, v := range vals {
		v = c.unwrapped(v)
		// Named parameters come as a struct or a map.
		if v != nil && v.Kind == Ref && !v.Obj.Record {
			opened = append(opened, c.fields(v)...)
		} else {
			opened = append(opened, v)
		}
	}
	t := c.operand(row, args, row.Text)
	var s *Statement
	if row.Verb == catalog.Copy {
		s = &Statement{Statement: sqltext.Statement{Verb: sqltext.Insert}, Values: opened}
		if t != nil {
			for _, text := range append(t.texts(), c.elementTexts(t)...) {
				s.Table = strings.ToLower(text)
			}
		}
	} else {
		s = c.parsed(t, opened)
	}
	if row.Verb == catalog.Queue {
		c.queue(args[0], s)
		c.val = c.resultOf(c.typ, 0, 0, nil)
		return
	}
	o := c.execute(s, handle, name, row)
	c.answer(row, args, o)
}

func (c *call) elementTexts(v *Value) []string {
	if v.Kind != Ref {
		return nil
	}
	var out []string
	for _, e := range c.open(v) {
		out = append(out, e.texts()...)
	}
	return out
}
