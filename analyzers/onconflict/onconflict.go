// Package onconflict enforces the insert of R-KFK-IDEM-2: the dedup gate's
// INSERT says ON CONFLICT DO NOTHING.
package onconflict

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-2", Name: "onconflict"}

// Analyzer reports inserts into a dedup table that do not leave a conflicting
// row alone.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	if p.Own == nil {
		return nil
	}
	for _, fn := range p.Own.Funcs {
		if fn.Test || !p.Universe.CallsStore(fn) && !insertsText(fn) {
			continue
		}
		ops := p.Universe.Statements(fn)
		for _, o := range ops {
			if msg := mistake(o, ops); msg != "" {
				pos := o.PosIn(fn)
				p.Report(report.Finding{Pos: pos, Message: msg, Fixes: fixes(p.Pass, o, pos)})
			}
		}
	}
	return nil
}

// mistake says what is wrong with an insert into a dedup table, "" when nothing
// is.
func mistake(o *flow.Op, ops []*flow.Op) string {
	if !o.Dedup || o.Stmt == nil || o.Stmt.Verb != sqltext.Insert {
		return ""
	}
	s := o.Stmt
	table := "the dedup table " + o.Table
	const remedy = "say ON CONFLICT (event_id, consumer_group) DO NOTHING (MySQL: INSERT IGNORE) and branch on the number of rows"
	switch {
	case s.SelectFirst:
		return "the insert into " + table + " reads first and inserts after, in two statements: two deliveries at once both read \"not there\" and both do the work; " + remedy
	case s.Raw && !s.Partial && len(s.Values) == 0 && o.Key != nil && o.Key.Origin() == 0:
		return "" // a migration's seed or copy: no event's id is given to it
	case s.Conflict == sqltext.Fails:
		if selectedBefore(o, ops) {
			return "SELECT first and INSERT after into " + table + ": two deliveries at once both read \"not there\", one of them does the work in vain or twice; " + remedy
		}
		if o.Tested() && o.Handle.State == flow.OnPool {
			return "the insert into " + table + " relies on the unique violation: each duplicate is an error in the database's log, and in the transaction with the work, where the gate belongs (R-KFK-IDEM-3), it aborts that transaction in PostgreSQL; " + remedy
		}
		if o.Tested() {
			return "the insert into " + table + " relies on the unique violation: in PostgreSQL the failed statement aborts the transaction, and every later one fails with 25P02; " + remedy
		}
		return "the insert into " + table + " fails when the event was there already, so a redelivery is an error that comes again and again; " + remedy
	case s.Conflict == sqltext.Overwrites && !s.SaysInserted && !s.Guarded && o.Asked():
		return "the insert into " + table + " updates the row on conflict, so its row count says \"first time\" for a duplicate too and the work is done twice; " + remedy
	}
	return ""
}

// insertsText reports whether the function holds the text of an INSERT, which it
// may give to a helper.
func insertsText(fn *summary.Func) bool {
	return slices.ContainsFunc(fn.Consts, func(c summary.Const) bool {
		return c.Kind == summary.ConstString && len(c.Str) > 12 && strings.Contains(strings.ToLower(c.Str), "insert")
	})
}

func selectedBefore(o *flow.Op, ops []*flow.Op) bool {
	for _, p := range ops {
		if p.Kind == flow.Check && p.Table == o.Table && p.Seq < o.Seq {
			return true
		}
	}
	return false
}
