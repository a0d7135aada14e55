package flow

import (
	"slices"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Statements interprets a function of the package for itself and returns the
// operations that stand in it: what it does to a database, whoever calls it.
func (u *Universe) Statements(fn *summary.Func) []*Op {
	defer u.begin()()
	var recv *Value
	if rs := u.receivers(fn); len(rs) > 0 {
		recv = rs[0]
	}
	first := u.machine(First).interpret(fn, recv)
	if first.Over {
		return nil
	}
	probe := u.machine(Duplicate)
	probe.probe = true
	for _, o := range probe.interpret(fn, recv).Ops {
		if mine := first.Find(o); mine != nil && o.tested {
			mine.tested = true
		}
	}
	var out []*Op
	for _, o := range first.Ops {
		if o.In(fn) || o.Stmt != nil && o.Stmt.Raw && holds(fn, o.Stmt.Text) {
			out = append(out, o)
		}
	}
	return out
}

// holds reports whether the text is a constant of the function: then it is the
// function's statement, though a helper executes it.
func holds(fn *summary.Func, text string) bool {
	return slices.ContainsFunc(fn.Consts, func(c summary.Const) bool {
		return c.Kind == summary.ConstString && c.Str == text
	})
}

// CallsStore reports whether the function itself calls something that the
// catalogue knows as a statement.
func (u *Universe) CallsStore(fn *summary.Func) bool {
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		var row *catalog.Row
		switch in.Op {
		case summary.OpCall:
			row = u.Catalog.Row(fn.Text(in))
		case summary.OpInvoke:
			row = u.Catalog.Method(fn.AuxType(in), fn.Text(in))
			if row == nil && u.ifaceStatement(fn.Text(in)) {
				return true
			}
		}
		if row == nil {
			continue
		}
		switch row.Verb {
		case catalog.Exec, catalog.Query, catalog.QueryRow, catalog.GetInto, catalog.Select, catalog.Copy, catalog.RunBatch, catalog.Run:
			return true
		}
	}
	return false
}

// ifaceStatement reports whether a method of a project's own handle interface
// (DBTX, Querier) has a statement's name.
func (u *Universe) ifaceStatement(method string) bool {
	switch method {
	case "Exec", "ExecContext", "Query", "QueryContext", "QueryRow", "QueryRowContext", "GetContext", "NamedExecContext", "CopyFrom", "SendBatch":
		return true
	}
	return false
}
