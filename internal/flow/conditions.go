package flow

import (
	"regexp"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/sqltext"
)

// where reads a condition: on a key, or on a state that an UPDATE changes.
func (c *call) where(s *Statement, args []*Value) {
	s.Where = true
	for _, a := range args[1:] {
		for _, v := range c.openAll(a) {
			s.Values = append(s.Values, c.fields(v)...)
			for _, t := range v.texts() {
				s.Guarded = s.Guarded || conditionGuards(t)
			}
			if v.Kind == Ref {
				// squirrel.Eq{"id": id, "status": "pending"}, map conditions.
				for _, k := range sortedKeys(fieldsOf(c.st, v.Obj)) {
					name := strings.Trim(k, "[]")
					if val := fieldsOf(c.st, v.Obj)[k]; strings.HasPrefix(k, "[") && (val.Kind == Str || val.Kind == Bool || val.Kind == Nil || val.Kind == Int || stateColumn(name)) {
						s.Guarded = s.Guarded || !softDelete(name)
					}
				}
			}
			if v.Kind == Stmt && v.Stmt.Guarded {
				s.Guarded = true
			}
		}
	}
}

// conditionGuards reports whether a condition's text compares a state: with a
// literal, or a column named like one.
func conditionGuards(t string) bool {
	lower := strings.ToLower(t)
	for _, cond := range strings.Split(strings.ReplaceAll(lower, " or ", " and "), " and ") {
		col := strings.Fields(cond + " x")[0]
		if softDelete(col) {
			continue
		}
		if stateColumn(col) {
			return true
		}
		if strings.ContainsAny(cond, "'<!") || strings.Contains(cond, " is null") || strings.Contains(cond, "not in") {
			return true
		}
	}
	return false
}

func stateColumn(col string) bool {
	for _, w := range []string{"status", "state", "version", "processed", "completed", "applied", "revision", "sequence"} {
		if strings.Contains(strings.ToLower(col), w) {
			return true
		}
	}
	return false
}

func softDelete(col string) bool { return strings.Contains(strings.ToLower(col), "delete") }

var columnName = regexp.MustCompile(`[A-Za-z_]\w*`)

// changesItself reports whether an expression computes a column's new value from
// its old one: "n + 1".
func changesItself(expr string) bool {
	return slices.ContainsFunc(columnName.FindAllString(expr, -1), func(col string) bool {
		return sqltext.Parse("update t set " + col + " = " + expr).Relative
	})
}

// set reads assignments: an expression over the old value repeats.
func (c *call) set(s *Statement, args []*Value) {
	if s.Verb == sqltext.Other {
		s.Verb = sqltext.Update
	}
	for _, a := range args[1:] {
		for _, v := range c.openAll(a) {
			s.Values = append(s.Values, c.fields(v)...)
			vals := append([]*Value{v}, c.fields(v)...)
			for _, w := range vals {
				if w != nil && w.Kind == Stmt && w.Stmt.Relative {
					s.Relative = true
				}
			}
			for _, t := range v.texts() {
				if p := sqltext.Parse("update t set " + t); p.Relative {
					s.Relative = true
				}
			}
		}
	}
}
