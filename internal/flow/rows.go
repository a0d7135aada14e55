package flow

import (
	"fmt"
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
		c.register(row, name, args)
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
		c.val = arg(row.Handle).withType(firstType(c.typ))
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
	case catalog.Generate:
		org := map[catalog.Gen]Origin{catalog.UUID: FromUUID, catalog.UUIDv7: FromUUIDv7, catalog.Random: FromRandom, catalog.Clock: FromClock}[row.Gen]
		c.val = c.shape(&Value{Org: org, Path: name}, nilValue)
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

// contextValue looks a key up in a context. What the listener's own context
// carries is not known to the program: it is taken to carry nothing.
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
			v = nilValue.mark(a.Org&^FromConfig, a.Ctl)
		}
		out = join(out, v, 0)
	}
	if out == nil {
		return nilValue
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
			grouped = !(v.Kind == Str && v.Text == "")
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
	for _, a := range args {
		if a.Obj != nil && a.Obj.Method == noGroup {
			m.noGroup = true
		}
	}
	c.st.set(m.ack, "$acked", boolean(row.Auto))
	c.f.op(c.at, &Op{Kind: Consume, Name: name, Row: row})
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
func (c *call) register(row *catalog.Row, name string, args []*Value) {
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
	for _, a := range args {
		if a.Type != "" && c.f.m.cat.OtherBroker(packageOf(a.Type)) != "" {
			return
		}
	}
	if row.Field != "" {
		c.handlers(row, fn, record, args)
		return
	}
	c.callback(fn, record, args)
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
				for k, p := range body.Params[1:] {
					args = append(args, c.parameter(body, k, body.Pkg.TypeName(p), record, outer))
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

// statement interprets a call that carries SQL text or a table's name.
func (c *call) statement(row *catalog.Row, name string, args []*Value) {
	handle := c.operand(row, args, row.Handle)
	vals := c.values(row, args, row.Vals)
	var opened []*Value
	for _, v := range vals {
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
		if o.Row != nil && (o.Row.Verb == catalog.QueryRow || o.Row.Verb == catalog.Get) && err == nilValue {
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

// external records an effect outside a database.
func (c *call) external(row *catalog.Row, name string, args []*Value) {
	o := &Op{Kind: External, Name: name, Row: row, What: row.Kind, Acked: c.f.acked(c.st)}
	for _, a := range args {
		o.Texts = append(o.Texts, c.textsOf(a, 0)...)
	}
	method := row.Const
	if row.Method != catalog.None {
		method = strings.Join(c.operand(row, args, row.Method).texts(), " ")
	}
	if row.Verb == catalog.Send {
		var req *Value
		if row.Key != catalog.None {
			req = c.operand(row, args, row.Key)
		}
		if req != nil && req.Kind == Ref && req.Obj.Method != "" {
			method = req.Obj.Method
		}
		switch strings.ToUpper(method) {
		case "GET", "HEAD", "OPTIONS", "TRACE":
			c.val = c.resultOf(c.typ, FromRead, 0, nil)
			return
		case "":
			if req != nil {
				o.Write = Undecided
			}
			o.What = "an HTTP request"
		default:
			o.What = "an HTTP " + strings.ToUpper(method)
		}
	}
	if row.Read {
		c.val = c.resultOf(c.typ, FromRead, 0, nil)
		return
	}
	if o.What == "" {
		o.What = name
	}
	c.f.op(c.at, o)
	c.val = c.resultOf(c.typ, 0, 0, nil)
}

// textsOf collects the known texts and names in a value, three levels down: a
// topic in a message in a slice.
func (c *call) textsOf(v *Value, depth int) []string {
	var out []string
	for _, a := range v.alternatives() {
		if a.Kind == Str {
			out = append(out, a.Text)
		}
		if a.Path != "" {
			out = append(out, a.Path)
		}
		if a.Obj != nil {
			if a.Obj.Path != "" {
				out = append(out, a.Obj.Path)
			}
			if fs := c.st.objs[a.Obj]; fs != nil && depth < 4 && !a.Obj.Record {
				for _, k := range sortedKeys(fs.m) {
					out = append(out, c.textsOf(fs.m[k], depth+1)...)
				}
			}
		}
	}
	return out
}

// request interprets the making of an HTTP request.
func (c *call) request(row *catalog.Row, args []*Value) {
	o := c.f.object(c.at, "net/http.Request")
	o.Org = 0
	if m := c.operand(row, args, row.Method); m != nil {
		if ts := m.texts(); len(ts) == 1 {
			o.Method = ts[0]
			if o.Method == "" {
				o.Method = "GET"
			}
		}
	}
	c.st.reset(o)
	c.val = c.shape(&Value{Kind: Ref, Obj: o, Type: firstType(c.typ)}, nilValue)
}

// header interprets the setting of a request's header: an idempotency key is an
// operation of its own.
func (c *call) header(row *catalog.Row, args []*Value) {
	c.val = args[0]
	name, val := c.operand(row, args, row.Key), c.operand(row, args, row.Text)
	if row.Kind == "map" && name != nil && name.Kind == Ref {
		fs := fieldsOf(c.st, name.Obj)
		for _, k := range sortedKeys(fs) {
			c.setHeader(text(strings.Trim(k, "[]")), fs[k])
		}
		return
	}
	if name == nil || val == nil {
		return
	}
	c.setHeader(name, val)
}

func (c *call) setHeader(name, val *Value) {
	for _, t := range name.texts() {
		if c.f.m.u.Settings.IdempotencyHeader(t) {
			c.f.op(c.at, &Op{Kind: Mark, Name: t, Key: val, What: fmt.Sprintf("the header %s", t), Cell: "header " + t})
		}
	}
}

// grpc records a gRPC client call through an interface whose implementation is
// not seen; its name tells reads from changes.
func (c *call) grpc(name, method string, args []*Value) {
	for _, p := range []string{"Get", "List", "Find", "Search", "Fetch", "Query", "Describe", "Lookup", "Check", "Validate", "Verify", "Watch", "Read", "Count", "Has", "Is", "Exists", "Ping", "Health"} {
		if strings.HasPrefix(method, p) {
			c.val = c.resultOf(c.typ, FromRead, 0, nil)
			return
		}
	}
	c.f.op(c.at, &Op{Kind: External, Name: name, What: "a gRPC call of " + method, Acked: c.f.acked(c.st)})
	c.val = c.resultOf(c.typ, 0, 0, nil)
}

// packageOf is the import path of a type's name.
func packageOf(typ string) string {
	typ = strings.TrimPrefix(typ, "*")
	if i := strings.LastIndexByte(typ, '.'); i >= 0 {
		return typ[:i]
	}
	return ""
}
