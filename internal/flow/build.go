package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
)

// builder returns the statement under construction that a builder call works
// on: a copy of the receiver's, or a new one.
func (c *call) builder(v *Value) *Statement {
	s := &Statement{}
	if v == nil {
		return s
	}
	for _, a := range v.alternatives() {
		if a.Kind == Stmt {
			*s = *a.Stmt
			s.Values = slices.Clone(s.Values)
			return s
		}
		if a.Kind == Answer && a.Op.Stmt != nil {
			// A gorm chain goes on after a finisher: a new statement, the same handle.
			return &Statement{Handle: &Value{Kind: Answer, Op: a.Op}}
		}
	}
	s.Handle = v
	return s
}

// build interprets a call that adds a part to a statement.
func (c *call) build(row *catalog.Row, args []*Value) {
	s := c.builder(c.operand(row, args, catalog.Recv))
	if h := c.operand(row, args, row.Handle); h != nil && row.Handle != catalog.Recv {
		s.Handle = h
	}
	if row.Kind == "scopes" {
		c.scopes(s, args)
		return
	}
	c.part(s, row, args)
	c.val = c.shape(&Value{Kind: Stmt, Stmt: s, Type: firstType(c.typ)}, nilValue)
}

// scopes applies functions from statement to statement.
func (c *call) scopes(s *Statement, args []*Value) {
	cur := &Value{Kind: Stmt, Stmt: s, Type: firstType(c.typ)}
	for _, a := range args[1:] {
		for _, fn := range c.openAll(a) {
			c.val = nil
			c.value(fn, []*Value{cur})
			if c.val != nil && c.val.Kind == Stmt {
				cur = c.val
			} else {
				next := *cur.Stmt
				next.Conflict = sqltext.ConflictUnknown
				cur = &Value{Kind: Stmt, Stmt: &next, Type: cur.Type}
			}
		}
	}
	c.val = cur
}

// text gives a statement the shape of the text operand.
func (c *call) text(s *Statement, t *Value, vals []*Value) {
	p := c.parsed(t, append(s.Values, vals...))
	p.Handle = s.Handle
	*s = *p
}

func (c *call) part(s *Statement, row *catalog.Row, args []*Value) {
	t := c.operand(row, args, row.Text)
	model := c.operand(row, args, row.Model)
	switch row.Kind {
	case "text", "prepare":
		var vals []*Value
		for _, v := range c.values(row, args, row.Vals) {
			vals = append(vals, c.fields(c.unwrapped(v))...)
		}
		c.text(s, t, vals)
		return
	case "one row":
		s.Verb, s.OneRow = sqltext.Select, true
	case "relative":
		s.Relative = true
	case "select first":
		s.SelectFirst, s.Guarded = true, true
	case "table":
		if row.Part == catalog.PartTable {
			s.Verb = sqltext.Select
		}
	}
	if row.Verb == catalog.Build && row.Const != "" && row.Part != catalog.PartRaw {
		s.Table = SnakePlural(row.Const)
	}
	switch row.Part {
	case catalog.PartInsert, catalog.PartSave:
		s.Verb = sqltext.Insert
		if row.Part == catalog.PartSave {
			s.Conflict = sqltext.Overwrites
		}
	case catalog.PartUpdate:
		s.Verb = sqltext.Update
	case catalog.PartDelete:
		s.Verb = sqltext.Delete
	case catalog.PartSelect:
		if s.Verb == sqltext.Other {
			s.Verb = sqltext.Select
		}
	case catalog.PartClear:
		s.Conflict = sqltext.Fails
	case catalog.PartNothing:
		s.Conflict = sqltext.Nothing
	case catalog.PartDoUpdate:
		s.Conflict = sqltext.Overwrites
	case catalog.PartConflict:
		c.conflict(s, args)
	case catalog.PartRaw:
		prefix := row.Const
		if row.Kind == "options" {
			t = c.firstOf(t)
		}
		c.raw(s, t, prefix)
		return
	case catalog.PartWhere:
		c.where(s, args)
		return
	case catalog.PartSet:
		if t != nil && !strings.HasPrefix(row.Name, "(") {
			s.Relative = slices.ContainsFunc(t.texts(), changesItself)
			return
		}
		c.set(s, args)
		return
	case catalog.PartColumns:
		for _, v := range c.values(row, args, row.Text) {
			for _, name := range v.texts() {
				s.Columns = append(s.Columns, strings.ToLower(name))
				s.Params = append(s.Params, len(s.Columns))
			}
		}
		return
	case catalog.PartReturn:
		s.Returning = true
		return
	case catalog.PartLock:
		s.Locks = true
		return
	case catalog.PartRunner:
		return
	case catalog.PartMerge:
		for _, a := range args[1:] {
			for _, v := range c.openAll(a) {
				if v.Kind == Stmt {
					c.mergeStmt(s, v.Stmt)
				} else if isNil(v) != 1 {
					s.Conflict = sqltext.ConflictUnknown
				}
			}
		}
		return
	}
	if t != nil {
		c.setTable(s, c.firstOf(t))
	}
	if model != nil {
		c.setModel(s, model)
	}
	if row.Vals != catalog.None {
		for _, v := range c.values(row, args, row.Vals) {
			s.Values = append(s.Values, c.fields(c.unwrapped(v))...)
		}
	}
}

// firstOf is the first element of a variadic operand.
func (c *call) firstOf(v *Value) *Value {
	if v != nil && v.Kind == Ref {
		if vs := c.open(v); len(vs) > 0 {
			return vs[0]
		}
	}
	return v
}

func (c *call) openAll(v *Value) []*Value {
	if v.Kind == Ref && (strings.HasPrefix(v.Type, "[]") || strings.HasPrefix(v.Type, "*[")) {
		return c.open(v)
	}
	return []*Value{v}
}

func (c *call) mergeStmt(s, part *Statement) {
	if part.Conflict != sqltext.Fails {
		s.Conflict = part.Conflict
	}
	s.Locks = s.Locks || part.Locks
	s.Guarded = s.Guarded || part.Guarded
	s.Where = s.Where || part.Where
	s.Values = append(s.Values, part.Values...)
}

// setTable names the statement's table by text.
func (c *call) setTable(s *Statement, t *Value) {
	if ts := t.texts(); len(ts) > 0 {
		name := strings.ToLower(ts[0])
		if i := strings.IndexByte(name, ' '); i > 0 {
			name = name[:i] // "processed_events AS pe"
		}
		if i := strings.LastIndexByte(name, '.'); i >= 0 {
			name = name[i+1:]
		}
		s.Table = strings.Trim(name, "\"`")
		return
	}
	if t.Kind == Stmt && t.Stmt.Table != "" {
		s.Table = t.Stmt.Table
		return
	}
	s.Partial = true
}

// setModel names the statement's table by a model's type.
func (c *call) setModel(s *Statement, model *Value) {
	s.Model = model
	for _, a := range model.alternatives() {
		typ := a.Type
		if a.Kind == Ref && (typ == "" || strings.HasPrefix(typ, "**")) {
			typ = a.Obj.Type
		}
		if name := c.f.m.u.TableOf(typ); name != "" {
			if s.Table == "" {
				s.Table = name
			}
		}
	}
	s.Values = append(s.Values, c.fields(model)...)
	if s.Key == nil && s.Verb == sqltext.Insert {
		s.Key = c.modelKey(model)
	}
}

// modelKey returns the field of a model that holds the event id.
func (c *call) modelKey(model *Value) *Value {
	for _, a := range model.alternatives() {
		if a.Kind != Ref {
			continue
		}
		o := c.f.content(a.Obj, c.st)
		fs := fieldsOf(c.st, o)
		for _, k := range sortedKeys(fs) {
			if c.f.m.u.Settings.EventID(k) {
				return fs[k]
			}
		}
		for _, k := range sortedKeys(fs) {
			if k == "ID" || k == "Id" || k == "Key" {
				return fs[k]
			}
		}
		var all []*Value
		for _, k := range sortedKeys(fs) {
			if !strings.HasPrefix(k, "$") {
				all = append(all, fs[k])
			}
		}
		if len(all) > 0 {
			return derived(all...)
		}
	}
	return nil
}

// conflict reads an ON CONFLICT clause that is given as a value: gorm's
// clause.OnConflict among the arguments, or a statement part.
func (c *call) conflict(s *Statement, args []*Value) {
	for _, a := range args[1:] {
		for _, v := range c.openAll(a) {
			if v.Kind == Stmt {
				c.mergeStmt(s, v.Stmt)
				continue
			}
			switch strings.TrimPrefix(v.Type, "*") {
			case "gorm.io/gorm/clause.OnConflict":
				s.Conflict = sqltext.ConflictUnknown
				if v.Kind == Ref && !v.Obj.Symbolic && v.Obj.static == nil {
					o := c.f.content(v.Obj, c.st)
					fs := fieldsOf(c.st, o)
					switch {
					case fs["DoNothing"] != nil:
						if t := truth(fs["DoNothing"]); t == 1 {
							s.Conflict = sqltext.Nothing
						} else if t == 0 {
							s.Conflict = sqltext.Fails
						}
					case fs["DoUpdates"] != nil || fs["UpdateAll"] != nil:
						s.Conflict = sqltext.Overwrites
						if set := fs["DoUpdates"]; set != nil {
							c.each(set, 3, func(v *Value) { s.Relative = s.Relative || v.Kind == Stmt && v.Stmt.Relative })
						}
						if fs["Where"] != nil {
							s.Guarded = true
						}
					}
				}
			case "gorm.io/gorm/clause.Locking":
				s.Locks = true
			case "gorm.io/gorm/clause.Returning":
				s.Returning = true
			case "gorm.io/gorm/clause.Insert":
				s.Conflict = sqltext.ConflictUnknown
			default:
				if v.Kind != Nil {
					s.Conflict = sqltext.ConflictUnknown
				}
			}
		}
	}
}

// raw reads raw text that is appended to the statement.
func (c *call) raw(s *Statement, t *Value, prefix string) {
	ts := t.texts()
	if len(ts) == 0 {
		s.Conflict, s.Partial = sqltext.ConflictUnknown, true
		return
	}
	p := sqltext.Parse("insert into t (a) values (1) " + prefix + " " + ts[0])
	up := strings.ToUpper(prefix + " " + ts[0])
	switch {
	case len(ts) > 1 || strings.Contains(ts[0], sqltext.Hole):
		s.Conflict = sqltext.ConflictUnknown
	case strings.Contains(up, "CONFLICT") || strings.Contains(up, "DUPLICATE KEY"):
		s.Conflict = p.Conflict
		s.Relative = s.Relative || p.Relative
		s.Guarded = s.Guarded || p.Guarded
	case strings.Contains(up, "IGNORE"):
		s.Conflict = sqltext.Nothing
	}
	s.Returning = s.Returning || p.Returning
	s.SaysInserted = s.SaysInserted || p.SaysInserted
	if strings.Contains(up, "FOR UPDATE") {
		s.Locks = true
	}
}

// runStmt interprets the call that executes a built statement.
func (c *call) runStmt(row *catalog.Row, name string, args []*Value) {
	s := c.builder(c.operand(row, args, catalog.Recv))
	c.part(s, row, args)
	handle := s.Handle
	if h := c.operand(row, args, row.Handle); h != nil && row.Handle != catalog.Recv {
		handle = h
	}
	if s.Verb == sqltext.Insert && s.Conflict == sqltext.Fails && s.Partial && s.Table == "" {
		s.Conflict = sqltext.ConflictUnknown
	}
	s.Raw = false
	o := c.execute(s, handle, name, row)
	c.answerRun(row, args, o)
}

// answerRun gives an executed builder's result: the ORM's own answer struct,
// rows, a row or an error.
func (c *call) answerRun(row *catalog.Row, args []*Value, o *Op) {
	dest := c.operand(row, args, row.Dest)
	err := c.failure(o)
	if dest != nil {
		dests := []*Value{dest}
		if i := c.index(row, row.Dest); i < len(args) {
			dests = c.values(row, args, row.Dest)
		}
		c.fill(o, dests)
		if o.Kind != Read || row.Const == "must find" {
			if err == nilValue && o.Stmt.Verb == sqltext.Select {
				switch c.found(o) {
				case 0:
					err = noRows(o)
				case -1:
					err = &Value{Type: "error", Org: readOrigin(o)}
				}
			}
		}
	}
	if row.Const == "no rows" && err == nilValue && o.Stmt.Conflict == sqltext.Nothing {
		switch c.f.m.says(o) {
		case saysDuplicate:
			err = noRows(o)
		case either:
			err = &Value{Type: "error", Org: readOrigin(o)}
		}
	}
	v := &Value{Kind: Answer, Op: o, Type: firstType(c.typ)}
	if b := firstType(c.typ); b == "bool" {
		v = zeroOf(c.content(o), "bool")
		if v.Kind == NonNil {
			v = trueVal
		}
	} else if b == "int" || b == "int64" {
		v = c.rowsAffected(o)
	}
	c.val = c.shape(v, err)
	if c.typ == "error" {
		c.val = err
		o.asked = true // the error is all the answer there is
	}
}

// toSQL turns a built statement into text and values, which an Exec takes.
func (c *call) toSQL(args []*Value) {
	s := c.builder(args[0])
	t := &Value{Kind: Stmt, Stmt: s}
	vals := &Value{Kind: Unknown, Org: derived(s.Values...).Org}
	if parts := splitTypes(strings.TrimSuffix(strings.TrimPrefix(c.typ, "("), ")")); len(parts) >= 2 {
		elems := []*Value{t, vals, nilValue}
		c.val = tuple(elems[:min(len(parts), 3)]...)
		return
	}
	c.val = t
}

// queue adds a statement to a batch.
func (c *call) queue(batch *Value, s *Statement) {
	for _, a := range batch.alternatives() {
		if a.Kind == Ref {
			n := len(fieldsOf(c.st, a.Obj))
			s.queued = &call{f: c.f, at: c.at, in: c.in}
			c.st.set(a.Obj, elemField(integer(int64(n))), &Value{Kind: Stmt, Stmt: s})
		}
	}
}

// runBatch sends a batch: each of its statements is executed.
func (c *call) runBatch(row *catalog.Row, name string, args []*Value) {
	handle := c.operand(row, args, row.Handle)
	batch := c.operand(row, args, row.Key)
	var first *Op
	if batch != nil {
		for _, a := range batch.alternatives() {
			if a.Kind != Ref {
				continue
			}
			fs := fieldsOf(c.st, a.Obj)
			for _, k := range sortedKeys(fs) {
				if fs[k].Kind == Stmt {
					// It stands where it was queued.
					q := *c
					q.f, q.at = fs[k].Stmt.queued.f, fs[k].Stmt.queued.at
					o := q.execute(fs[k].Stmt, handle, name, row)
					if first == nil || first.Kind != Gate {
						first = o
					}
				}
			}
		}
	}
	if first == nil {
		c.val = c.resultOf(c.typ, 0, 0, nil)
		return
	}
	c.val = c.shape(&Value{Kind: Answer, Op: first, Type: firstType(c.typ)}, nilValue)
}
