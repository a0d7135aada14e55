package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// keyValue interprets the calls of key-value and document stores.
func (c *call) keyValue(row *catalog.Row, name string, args []*Value) {
	if row.Kind == "command" {
		row, args = c.command(row, args)
	}
	key := c.operand(row, args, row.Key)
	if key == nil {
		key = derived(args...)
	}
	if hash := c.operand(row, args, row.Text); hash != nil && row.Verb == catalog.PutAbsent && hash.Origin().OnlyGenerated() {
		key = hash // a field of another hash each time
	}
	if key.Kind == Ref || key.Kind == Unknown && key.Org == 0 {
		key = &Value{Org: c.originIn(key) | key.Origin(), Path: key.Path}
	}
	cell := row.Store.String()
	o := &Op{Store: row.Store, Name: name, Key: key, Row: row, Cell: cell, Acked: c.f.acked(c.st), Dedup: true}
	o.Texts = c.textsOf(key, 0)
	if row.Handle != catalog.None {
		o.Handle = c.f.session(c.operand(row, args, row.Handle), c.st)
	}
	o.What = name[strings.LastIndexByte(name, '.')+1:] + " in " + row.Store.String()
	switch row.Verb {
	case catalog.Derive:
		c.val = c.resultOf(c.typ, 0, 0, nil)
	case catalog.PutAbsent:
		o.Kind = Gate
		if life := c.operand(row, args, row.Life); life != nil {
			o.Endless = life.Kind == Zero || life.Kind == Int && life.Int == 0
		}
		switch {
		case row.Store != catalog.SQL:
		case row.Handle == catalog.None:
			o.Handle = c.handleAmong(args)
		default:
			o.Handle = c.f.handle(c.operand(row, args, row.Handle), c.st)
		}
		o.Cell = cell + " " + strings.Join(o.Texts, " ")
		if row.Field != "" && !c.hasField(args, row.Field) {
			o.Kind, o.Dedup = Mark, false
		}
		if looksLikeLock(o.Texts) {
			o.Kind, o.Dedup = NoOp, false
		}
		switch {
		case row.Store == catalog.Mongo || row.Store == catalog.DynamoDB:
			// A document put under a key: an insert whose duplicate is an error.
			o.Kind, o.Write, o.Dedup = Write, Repeats, false
			o.What = "an insert into " + row.Store.String()
			switch {
			case row.Field != "" && c.hasField(args, row.Field):
				o.Write = Guarded
			case row.Field != "":
				o.Write = Overwriter // a put without a condition replaces the item
			}
			o.Stmt = &Statement{}
			o = c.f.op(c.at, o)
			c.document(o)
			return
		case row.Field != "" && o.Kind == Mark:
			o = c.f.op(c.at, o)
			c.val = &Value{Kind: Answer, Op: o, Type: firstType(c.typ)}
			return
		}
		if o.Kind == NoOp {
			c.val = &Value{Kind: Answer, Op: &Op{Kind: NoOp, Row: row}, Type: firstType(c.typ)}
			c.kvResult(c.val.Op)
			return
		}
		o = c.f.op(c.at, o)
		c.kvResult(o)
	case catalog.Put:
		o.Kind = Mark
		o.Write = Overwriter
		o = c.f.op(c.at, o)
		c.val = c.shape(&Value{Kind: Answer, Op: o, Type: firstType(c.typ)}, nilValue)
	case catalog.Get:
		if row.Store == catalog.Mongo || row.Store == catalog.DynamoDB {
			o.Kind, o.Dedup, o.Stmt = Read, false, &Statement{}
			o = c.f.op(c.at, o)
			c.val = c.shape(&Value{Kind: Answer, Op: o, Type: firstType(c.typ)}, nilValue)
			return
		}
		o.Kind = Check
		o = c.f.op(c.at, o)
		c.kvResult(o)
	case catalog.Del:
		o.Kind = Release
		c.f.op(c.at, o)
		c.val = c.resultOf(c.typ, 0, 0, nil)
	case catalog.Incr:
		o.Kind, o.Write, o.Dedup = Write, Repeats, false
		if row.Kind != "" {
			o.What = row.Kind
		}
		switch row.Const {
		case "guarded":
			o.Write = Guarded
		case "overwrites":
			o.Write = Overwriter
		default:
			o.Write = c.change(row, args)
		}
		o = c.f.op(c.at, o)
		c.val = c.shape(&Value{Kind: Answer, Op: o, Type: firstType(c.typ)}, nilValue)
	}
}

// originIn returns what a value, and everything that it holds, is computed from.
func (c *call) originIn(v *Value) Origin {
	var org Origin
	for _, a := range v.alternatives() {
		org |= a.Origin()
		if a.Kind == Ref && !a.Obj.Record {
			org |= c.inside(a.Obj)
			for _, w := range fieldsOf(c.st, a.Obj) {
				if w.Obj != nil {
					org |= c.inside(w.Obj)
				}
			}
		}
	}
	return org
}

// command reads a call that carries the store's command as text: redigo's Do.
func (c *call) command(row *catalog.Row, args []*Value) (*catalog.Row, []*Value) {
	out := &catalog.Row{Name: "(command)." + row.Name, Store: row.Store, Verb: catalog.Put, Key: catalog.Recv}
	name := ""
	rest := args
	for i, a := range args {
		if ts := a.texts(); len(ts) == 1 {
			name, rest = strings.ToUpper(ts[0]), args[i+1:]
			break
		}
	}
	var ops []*Value
	for _, r := range rest {
		if r.Kind == Ref {
			ops = append(ops, c.open(r)...)
		}
	}
	key := unknown
	if len(ops) > 0 {
		key = ops[0]
	}
	absent := name == "SETNX" || name == "HSETNX" || name == "SADD"
	for _, o := range ops {
		for _, t := range o.texts() {
			absent = absent || name == "SET" && strings.EqualFold(t, "NX")
		}
	}
	switch {
	case absent:
		out.Verb = catalog.PutAbsent
		if name != "SET" {
			out.Const = "number"
		}
	case name == "GET" || name == "EXISTS" || name == "SISMEMBER":
		out.Verb = catalog.Get
		if name != "GET" {
			out.Const = "number"
		}
	case name == "DEL":
		out.Verb = catalog.Del
	case strings.Contains(name, "INCR") || strings.HasSuffix(name, "PUSH"):
		out.Verb, out.Kind = catalog.Incr, "a Redis "+name
	case name != "SET" && name != "SETEX" && name != "HSET" && name != "PSETEX":
		out.Verb = catalog.Derive
	}
	return out, []*Value{key}
}

// hasField reports whether one of the arguments is a struct whose named field
// was set to something.
func (c *call) hasField(args []*Value, field string) bool {
	name, want, _ := strings.Cut(field, "=")
	for _, a := range args {
		for _, alt := range a.alternatives() {
			if alt.Kind != Ref {
				continue
			}
			o := c.f.content(alt.Obj, c.st)
			if v := c.st.get(o, name); v != nil && isNil(v) != 1 && (want == "" || len(v.texts()) == 1 && strings.EqualFold(v.texts()[0], want)) {
				return true
			}
		}
	}
	return false
}

// change says what doing an update of a document or a counter twice does.
func (c *call) change(row *catalog.Row, args []*Value) WriteKind {
	switch row.Store {
	case catalog.DynamoDB:
		if c.hasField(args, "ConditionExpression") {
			return Guarded
		}
		for _, a := range args {
			for _, t := range c.textsOf(a, 0) {
				up := strings.ToUpper(t)
				if strings.Contains(up, "ADD ") || strings.Contains(up, " + ") || strings.Contains(up, " - ") || strings.Contains(up, "LIST_APPEND") {
					return Repeats
				}
			}
		}
		return Overwriter
	case catalog.Mongo:
		if len(args) < 4 {
			return Undecided
		}
		filter, update := c.keysOf(args[2], 0), c.keysOf(args[3], 0)
		conditions := 0
		for _, k := range filter {
			if strings.HasPrefix(k, "$") && k != "$set" && k != "$eq" || stateColumn(k) {
				return Guarded
			}
			conditions++
		}
		kind := Overwriter
		seen := false
		for _, k := range update {
			switch k {
			case "$inc", "$push", "$mul":
				return Repeats
			case "$set", "$unset", "$currentDate":
				seen = true
			case "$setOnInsert", "$addToSet", "$max", "$min", "$pull":
				if !seen {
					kind = Guarded
				}
				seen = true
			}
		}
		if !seen {
			return Undecided
		}
		for _, k := range update {
			if k == "$set" {
				kind = Overwriter
			}
		}
		return kind
	}
	return Repeats
}

// keysOf lists the keys of a document that is built here: the constant keys of
// maps, and the Key fields of ordered documents, to a depth.
func (c *call) keysOf(v *Value, depth int) []string {
	var out []string
	if depth > 4 {
		return nil
	}
	for _, a := range v.alternatives() {
		if a.Kind != Ref {
			continue
		}
		o := c.f.content(a.Obj, c.st)
		fs := fieldsOf(c.st, o)
		for _, k := range sortedKeys(fs) {
			if k == "Key" {
				out = append(out, fs[k].texts()...)
			} else if name := strings.Trim(k, "[]"); strings.HasPrefix(k, "[") && name != "" && (name[0] < '0' || name[0] > '9') {
				out = append(out, name)
			}
			out = append(out, c.keysOf(fs[k], depth+1)...)
		}
	}
	return out
}

func looksLikeLock(texts []string) bool {
	for _, t := range texts {
		if strings.Contains(strings.ToLower(t), "lock") || strings.Contains(strings.ToLower(t), "mutex") {
			return true
		}
	}
	return false
}

// kvResult gives a store-if-absent or a look-up its result in the forms of the
// clients: a bool, an error, a value, or a command that is asked later.
func (c *call) kvResult(o *Op) {
	c.val = c.kvAnswer(o, c.typ)
}

func (c *call) kvAnswer(o *Op, typ string) *Value {
	m := c.f.m
	v := m.says(o)
	if o.Kind == NoOp {
		v = saysFirst
		if m.world == Any {
			v = either
		}
	}
	stored := unknown
	err := nilValue
	switch v {
	case saysFirst:
		stored = trueVal
	case saysDuplicate:
		stored = falseVal
	case saysFailure:
		stored = falseVal
		err = &Value{Kind: Err, Text: "store failure", Op: o}
	case either:
		err = &Value{Type: "error"}
	}
	there := stored // for a look-up: whether the key is there
	if o.Kind == Check {
		switch v {
		case saysFirst:
			there = falseVal
		case saysDuplicate:
			there = trueVal
		}
	}
	one := func(t string) *Value {
		switch {
		case t == "error":
			if err == nilValue && o.Row != nil && o.Row.Const == "error tells" {
				if o.Kind == Check && truth(there) == 0 || o.Kind == Gate && truth(stored) == 0 {
					class := "no rows"
					if o.Kind == Gate {
						class = "unique violation"
					}
					if o.Row.Kind != "" {
						class = o.Row.Kind
					}
					return &Value{Kind: Err, Text: class, Op: o}
				}
				if truth(there) < 0 {
					return &Value{Type: "error"}
				}
			}
			return err
		case t == "bool":
			if o.Kind == Check {
				return there
			}
			if o.Row != nil && o.Row.Const == "loaded" {
				if t := truth(stored); t >= 0 {
					return boolean(t == 0)
				}
			}
			return stored
		case t == "int64" || t == "int":
			if o.Kind == Check {
				if t := truth(there); t >= 0 {
					return integer(int64(t))
				}
				return unknown
			}
			if t := truth(stored); t >= 0 {
				return integer(int64(t))
			}
			return unknown
		case (t == "any" || strings.HasPrefix(t, "interface")) && o.Row != nil && o.Row.Const == "number":
			return &Value{Kind: Answer, Op: o}
		case t == "string" || t == "any" || t == "[]byte" || strings.HasPrefix(t, "interface"):
			if o.Kind == Check {
				switch truth(there) {
				case 0:
					if t == "string" {
						return text("")
					}
					return nilValue
				case 1:
					return &Value{Kind: NonNil}
				}
				return unknown
			}
			if truth(stored) == 1 {
				return &Value{Kind: Str, Text: "OK"}
			}
			if truth(stored) == 0 {
				return nilValue
			}
			return unknown
		}
		return &Value{Kind: Answer, Op: o, Type: t}
	}
	if strings.HasPrefix(typ, "(") {
		parts := splitTypes(strings.TrimSuffix(typ[1:], ")"))
		elems := make([]*Value, len(parts))
		for i, p := range parts {
			elems[i] = one(p)
		}
		return tuple(elems...)
	}
	return one(typ)
}

// document gives an insert into a document store its result: an error when the
// key is there and the code looks for that.
func (c *call) document(o *Op) {
	m := c.f.m
	err := nilValue
	if m.world == Duplicate && (o.Write == Guarded || m.unique[o.key] || m.probe) && !o.Key.Origin().OnlyGenerated() {
		err = &Value{Kind: Err, Text: "unique violation", Op: o}
	}
	if m.world == Any {
		err = &Value{Type: "error"}
	}
	c.val = c.shape(&Value{Kind: Answer, Op: o, Type: firstType(c.typ)}, err)
}
