package flow

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// operand returns the argument that a row's position names: for methods
// args[0] is the receiver.
func (c *call) operand(row *catalog.Row, args []*Value, a catalog.Arg) *Value {
	i := c.index(row, a)
	if i < 0 || i >= len(args) {
		return nil
	}
	return args[i]
}

func (c *call) index(row *catalog.Row, a catalog.Arg) int {
	if a == catalog.None {
		return -1
	}
	if strings.HasPrefix(row.Name, "(") {
		if a == catalog.Recv {
			return 0
		}
		return int(a-catalog.A0) + 1
	}
	return int(a - catalog.A0)
}

// values returns the bind values from position a on, the variadic slice opened.
func (c *call) values(row *catalog.Row, args []*Value, a catalog.Arg) []*Value {
	i := c.index(row, a)
	if i < 0 || i >= len(args) {
		return nil
	}
	rest := args[i:]
	if len(rest) == 1 && (rest[0].Kind == Nil || rest[0].Kind == Zero) && c.in.Flags&summary.Variadic != 0 {
		return nil
	}
	if len(rest) == 1 && rest[0].Kind == Ref && (c.in.Flags&summary.Variadic != 0 || strings.HasPrefix(rest[0].Type, "[]") || strings.HasPrefix(rest[0].Type, "*[")) {
		return c.open(rest[0])
	}
	return rest
}

// open lists the elements of a slice that was built here, at most 32.
func (c *call) open(v *Value) []*Value {
	var out []*Value
	for i := range 32 {
		e := c.st.get(v.Obj, elemField(integer(int64(i))))
		if e == nil {
			break
		}
		out = append(out, e)
	}
	if len(out) == 0 {
		if e := c.f.elements(v, c.st); e != unknown {
			out = append(out, e)
		}
	}
	return out
}

// unwrapped returns the value in a wrapper for what may be NULL, which pgtype.UUID,
// sql.NullString and their like are: a struct of it and of a flag, Valid.
func (c *call) unwrapped(v *Value) *Value {
	if v == nil || v.Kind != Ref || v.Obj.Record {
		return v
	}
	fs := fieldsOf(c.st, c.f.content(v.Obj, c.st))
	if fs["Valid"] == nil || len(fs) != 2 {
		return v
	}
	for name, w := range fs {
		if name != "Valid" {
			return w
		}
	}
	return v
}

// fields opens a struct or map argument (named parameters, a model): its values.
func (c *call) fields(v *Value) []*Value {
	if v == nil || v.Kind != Ref {
		return []*Value{v}
	}
	out := []*Value{v}
	o := c.f.content(v.Obj, c.st)
	if fs := c.st.of(o); fs != nil {
		for _, k := range sortedKeys(fs.m) {
			if !strings.HasPrefix(k, "$") {
				out = append(out, fs.m[k])
			}
		}
	}
	return out
}

// parsed returns the shape of the statement that the text operand holds.
func (c *call) parsed(t *Value, vals []*Value) *Statement {
	s := &Statement{Values: vals}
	if t == nil {
		return s
	}
	if t.Kind == Stmt {
		// What a builder's ToSql returned.
		cp := *t.Stmt
		cp.Raw = false
		return &cp
	}
	texts := t.texts()
	if len(texts) == 0 || len(texts) < len(t.alternatives()) {
		s.Partial, s.Conflict = true, sqltext.ConflictUnknown
		if len(texts) == 0 {
			return s
		}
	}
	s.Statement = sqltext.Parse(texts[0])
	s.Text, s.Raw = texts[0], true
	if len(texts) < len(t.alternatives()) {
		s.Conflict = sqltext.ConflictUnknown
	}
	if len(texts) > 1 || len(texts) < len(t.alternatives()) {
		// A text chosen at run time: what differs is unknown.
		for _, other := range texts[1:] {
			o := sqltext.Parse(other)
			if o.Conflict != s.Conflict {
				s.Conflict = sqltext.ConflictUnknown
			}
			if o.Table != s.Table {
				s.Table = ""
			}
			s.Guarded = s.Guarded && o.Guarded
		}
		s.Partial = true
		s.Raw = false
	}
	return s
}

// column returns the value that an INSERT binds to a column, nil when it binds none.
func (s *Statement) column(name string) *Value {
	i := slices.Index(s.Columns, name)
	if i < 0 || i >= len(s.Params) || s.Params[i] == 0 || s.Params[i] > len(s.Values) {
		return nil
	}
	return s.Values[s.Params[i]-1]
}

// keyOf returns the value that names the event in an INSERT: that of the
// conflict target, else of the column called like an event id, else of the
// first column.
func (c *call) keyOf(s *Statement) *Value {
	if s.Key != nil {
		return s.Key
	}
	if s.RandomKey {
		return &Value{Org: FromUUID}
	}
	var key *Value
	for _, col := range s.Target {
		if v := s.column(col); v != nil {
			key = joinKey(key, v)
		}
	}
	if key != nil {
		return key
	}
	for _, col := range s.Columns {
		if c.f.m.u.Settings.EventID(col) {
			if v := s.column(col); v != nil {
				return v
			}
		}
	}
	if s.Verb == sqltext.Insert && len(s.Columns) > 0 {
		if v := s.column(s.Columns[0]); v != nil {
			return v
		}
	}
	return derived(s.Values...)
}

// joinKey composes the values of a key of several columns.
func joinKey(a, b *Value) *Value {
	if a == nil {
		return b
	}
	return derived(a, b)
}

// execute records what a statement does and returns the operation.
func (c *call) execute(s *Statement, handle *Value, name string, row *catalog.Row) *Op {
	f := c.f
	o := &Op{
		Store: catalog.SQL, Name: name, Table: s.Table, Stmt: s, Row: row,
		Handle: f.handle(handle, c.st), Acked: f.acked(c.st),
	}
	o.Dedup = f.m.u.Settings.DedupTable(s.Table) || s.Conflict == sqltext.Nothing && f.m.u.Settings.DedupRow(s.Columns)
	o.Key = c.keyOf(s)
	o.Texts = []string{s.Table}
	table := s.Table
	if table == "" || strings.Contains(table, sqltext.Hole) {
		table = "a table"
	}
	switch s.Verb {
	case sqltext.Insert:
		o.What = "an INSERT into " + table
		o.Cell = "table " + s.Table
		switch {
		case o.Dedup:
			o.Kind = Gate
			if s.Conflict == sqltext.Overwrites && !s.SaysInserted && !s.Guarded {
				o.Kind = Mark
			}
		default:
			o.Kind = Write
			switch s.Conflict {
			case sqltext.Nothing:
				o.Write = Guarded
				if o.Key.Origin().OnlyGenerated() {
					o.Write = Repeats
				}
			case sqltext.Overwrites:
				o.Write = Overwriter
				if s.Relative {
					o.Write = Repeats
				}
				if s.Guarded {
					o.Write = Guarded
				}
			case sqltext.ConflictUnknown:
				o.Write = Undecided
			default:
				if s.Guarded {
					o.Write = Guarded
				}
			}
		}
	case sqltext.Update:
		o.What = "an UPDATE of " + table
		o.Kind = Write
		o.Write = Overwriter
		if s.Relative {
			o.Write = Repeats
		}
		if s.Guarded {
			o.Write = Guarded
		} else if s.Partial {
			o.Write = Undecided
		}
		if o.Dedup {
			o.Kind = Mark
			o.Cell = "table " + s.Table
		}
	case sqltext.Delete:
		o.What = "a DELETE from " + table
		o.Kind, o.Write = Write, Guarded
		if o.Dedup {
			o.Kind = Release
			o.Cell = "table " + s.Table
		}
	case sqltext.Select:
		o.What = "a SELECT from " + table
		o.Kind = Read
		if o.Dedup {
			o.Kind = Check
			o.Cell = "table " + s.Table
		}
	default:
		o.Kind = Read
		if s.Partial || s.Text == "" {
			o.Kind = NoOp
			o.Write = Undecided
		}
	}
	for k := range s.With {
		w := s.With[k]
		if f.m.u.Settings.DedupTable(w.Table) && w.Verb == sqltext.Insert {
			f.op(c.at, &Op{
				Kind: Gate, Store: catalog.SQL, Dedup: true, Name: name, Table: w.Table, Cell: "table " + w.Table,
				Stmt: &Statement{Statement: w, Values: s.Values}, Handle: o.Handle, Key: c.keyOf(&Statement{Statement: w, Values: s.Values}),
				What: "an INSERT into " + w.Table, asked: true,
			})
		}
	}
	return f.op(c.at, o)
}

// failure is the error of a statement in this world: nil, a unique violation,
// or the failure of the gate's store.
func (c *call) failure(o *Op) *Value {
	m := c.f.m
	switch m.says(o) {
	case saysFailure:
		return &Value{Kind: Err, Text: "store failure", Op: o}
	case either:
		return &Value{Type: "error"}
	case saysDuplicate:
		if o.Stmt != nil && o.Stmt.Verb == sqltext.Insert && o.Stmt.Conflict == sqltext.Fails && !o.Stmt.Guarded {
			return &Value{Kind: Err, Text: "unique violation", Op: o}
		}
	}
	return nilValue
}

// rowsAffected is the row count of a statement in this world.
func (c *call) rowsAffected(o *Op) *Value {
	o.asked = true
	m := c.f.m
	switch m.says(o) {
	case saysFirst:
		if o.Kind == Read {
			return &Value{Org: FromRead}
		}
		return integer(1)
	case saysDuplicate:
		if o.Stmt != nil && o.Stmt.Conflict == sqltext.Overwrites && !o.Stmt.Guarded {
			return integer(1)
		}
		if o.Kind == Check {
			return integer(1)
		}
		if o.Kind == Read {
			return &Value{Org: FromRead}
		}
		return integer(0)
	case saysFailure:
		return integer(0)
	}
	return &Value{}
}

// found is what a row of the answer says in this world: 1 there is one, 0 there
// is none, -1 either.
func (c *call) found(o *Op) int {
	o.asked = true
	m := c.f.m
	v := m.says(o)
	switch o.Kind {
	case Check:
		switch v {
		case saysFirst:
			if o.Stmt != nil && o.Stmt.OneRow {
				return 1
			}
			return 0
		case saysDuplicate:
			return 1
		case saysFailure:
			return 0
		}
		return -1
	case Read:
		if o.Stmt != nil && o.Stmt.OneRow || m.world == Duplicate && !o.Key.Origin().OnlyGenerated() {
			return 1
		}
		if o.Key != nil && o.Key.Origin().OnlyGenerated() && m.world != Any {
			return 0
		}
		return -1
	}
	// RETURNING: a row when something was written.
	switch v {
	case saysFirst:
		return 1
	case saysDuplicate:
		if o.Stmt != nil && (o.Stmt.Conflict == sqltext.Overwrites && !o.Stmt.Guarded) {
			return 1
		}
		return 0
	case saysFailure:
		return 0
	}
	return -1
}

// fill sets what the destinations of a scan hold.
func (c *call) fill(o *Op, dests []*Value) {
	for _, d := range dests {
		v := c.content(o)
		switch d.Kind {
		case Ref:
			if d.Obj.Record {
				continue
			}
			if t := d.Obj.Type; strings.Contains(t, ".") || strings.HasPrefix(t, "[]") || strings.HasPrefix(t, "map[") {
				d.Obj.Org |= v.Org | FromRead
				c.st.reset(d.Obj)
				if strings.HasPrefix(t, "[]") && v.Kind == Unknown {
					continue
				}
				continue
			}
			c.st.set(d.Obj, "", v)
		case Addr:
			if d.Obj != nil {
				c.st.set(d.Obj, d.Field, v)
			}
		}
	}
}

// content is the value of a column of the answer in this world.
func (c *call) content(o *Op) *Value {
	m := c.f.m
	if o.Kind == Check && m.world != Any {
		seen := m.says(o) == saysDuplicate
		if o.Stmt != nil && o.Stmt.OneRow {
			return &Value{Kind: presence(seen)}
		}
		if seen {
			return &Value{Org: 0, Kind: NonNil}
		}
		return zero
	}
	if o.Stmt != nil && o.Stmt.SaysInserted && m.world != Any {
		return &Value{Kind: presence(m.says(o) == saysFirst)}
	}
	org := FromRead
	if o.Key != nil && o.Key.Origin().OnlyGenerated() {
		org = 0
	}
	if o.Kind == Gate || o.Kind == Write {
		org = 0
	}
	return &Value{Org: org}
}

// presence is the kind of a value that a query says is there (one, true) or not.
func presence(there bool) Kind {
	if there {
		return One
	}
	return Zero
}
