// Package inventory is the list of a program's listeners, with what the rules know of
// each: gathered package by package, joined, and written as a table, JSON or a page.
package inventory

import (
	"cmp"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/report"
)

// View is what is seen from one package: its own listeners, and those of imported
// packages whose handlers are bound in it.
type View struct {
	Package   string     `json:"package"`
	Dir       string     `json:"dir"`
	Listeners []Listener `json:"listeners"`
	Told      []Told     `json:"told"`
	Sound     []string   `json:"sound"`
	Program   bool       `json:"program"` // a main package
	Sees      []string   `json:"sees"`    // the packages beneath it, as far as they matter
}

// Listener is one row of the inventory.
type Listener struct {
	ID      string `json:"id"` // the function's full name
	Name    string `json:"name"`
	Package string `json:"package"`
	At      Place  `json:"at"`
	// Bound is the program that runs it or, where none was seen, the package that binds
	// its handler; "" when that is its own.
	Bound    string   `json:"bound,omitempty"`
	Client   string   `json:"client"` // the client library's import path
	Topics   []string `json:"topics"` // as far as seen; "from PATH" for a setting
	Groups   []string `json:"groups"`
	Handlers []string `json:"handlers"`
	Ways     []Way    `json:"ways"`
	Rules    []Rule   `json:"rules"`

	Reaches []string `json:"-"` // the functions that a record reaches, by full name
}

// Way is one record's way: from the listener, or on from a channel.
type Way struct {
	From string `json:"from"` // the function that it begins in
	Ops  []Op   `json:"operations"`
}

// The kinds of operations.
const (
	Consume  = "consume"
	Gate     = "gate"
	Mark     = "mark"
	Effect   = "effect"
	Begin    = "begin"
	Commit   = "commit"
	Rollback = "rollback"
	Ack      = "acknowledge"
	Aside    = "put aside" // a failed record, or telemetry
	HandedOn = "handed on" // to a function that cannot be seen
)

// Op is one operation on a record's way, in the order in which they are reached.
type Op struct {
	Kind string  `json:"kind"`
	What string  `json:"what"`
	Path []Place `json:"path"` // the calls from the listener; the last is the operation
	// Tx numbers the transaction that it is in, from 1; 0 when it is in none, or that
	// cannot be seen, as Where says.
	Tx    int    `json:"transaction,omitempty"`
	Where string `json:"where,omitempty"` // "in a transaction", "after the commit", "on the pool", "unknown"
	Key   string `json:"key,omitempty"`   // of a gate: what its key is computed from
	// Of an effect: what a second delivery does to it, and why.
	Second report.State `json:"second,omitempty"`
	Why    string       `json:"why,omitempty"`
	Money  bool         `json:"money,omitempty"`
	Lock   string       `json:"idempotency_key,omitempty"` // of a money call: what its key comes from
}

// At returns the place of the operation itself.
func (o *Op) At() Place {
	if len(o.Path) == 0 {
		return Place{}
	}
	return o.Path[len(o.Path)-1]
}

// Place is a line in a function.
type Place struct {
	Func    string `json:"func"`
	Package string `json:"package"`
	File    string `json:"file"` // its name, of an analysed package the path from the working directory
	Line    int    `json:"line"`
	Source  string `json:"source,omitempty"` // the line without its indentation, of an analysed package
}

// Rule is what one rule says of a listener.
type Rule struct {
	ID    string       `json:"id"`
	Name  string       `json:"name"`
	State report.State `json:"state"`
	Why   string       `json:"why"`
	// If names what another package must have seen; empty after Join.
	If []report.Condition `json:"if,omitempty"`
	// Exempt is the reason of the directive that accepts a violation.
	Exempt string `json:"exempt,omitempty"`
}

// Told is a finding, shown or exempted.
type Told struct {
	Rule    string   `json:"rule"` // its name
	Message string   `json:"message"`
	Exempt  string   `json:"exempt,omitempty"`
	About   []string `json:"about,omitempty"`
	At      Place    `json:"at"`

	taken bool // it concerns a listener
}

// Join makes one list of what the packages saw. A listener is listed once for each
// program that runs it or, where none was seen, as the packages see it that bind its
// handler, for they see more than its own. Where a finding of any package concerns it,
// it is violated. The views are changed.
//
// others are the findings that concern no listener: of code that a worker or a server
// runs.
func Join(views []View) (listeners []Listener, others []Told) {
	rank := make(map[string]int) // the best view of each listener
	of := func(v *View, l *Listener) int {
		switch {
		case v.Program:
			return 3
		case l.Bound != "":
			return 2
		}
		return 1
	}
	for i := range views {
		for k := range views[i].Listeners {
			l := &views[i].Listeners[k]
			rank[l.ID] = max(rank[l.ID], of(&views[i], l))
		}
	}
	var all []Listener
	for i := range views {
		for _, l := range views[i].Listeners {
			if of(&views[i], &l) == rank[l.ID] {
				for k := range l.Rules {
					l.Rules[k].settle(&l, views)
				}
				all = append(all, l)
			}
		}
	}
	slices.SortFunc(all, func(a, b Listener) int {
		return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.At.File, b.At.File), a.At.Line-b.At.Line, strings.Compare(a.ID, b.ID), strings.Compare(a.Bound, b.Bound))
	})
	type finding struct {
		rule, message, exempt string
		at                    Place
	}
	listed := make(map[finding]bool) // several functions lead to one place
	for i := range views {
		for _, t := range views[i].Told {
			if f := (finding{t.Rule, t.Message, t.Exempt, t.At}); !t.taken && !listed[f] {
				listed[f] = true
				others = append(others, t)
			}
		}
	}
	return all, others
}

// settle takes the findings and what was seen elsewhere into the verdict.
func (r *Rule) settle(l *Listener, views []View) {
	shown := false
	sound := make(map[string]bool)
	for i := range views {
		v := &views[i]
		if !v.concerns(l) {
			continue
		}
		for _, s := range v.Sound {
			sound[s] = true
		}
		for k := range v.Told {
			t := &v.Told[k]
			if t.Rule != r.Name || !t.concerns(l) {
				continue
			}
			t.taken = true
			if !shown {
				r.State, r.Why, r.Exempt = report.Violated, t.Message, t.Exempt
				shown = t.Exempt == "" // one that is not exempted outweighs one that is
			}
		}
	}
	if r.State == report.Proven {
		for _, c := range r.If {
			if !sound[c.About] {
				r.State, r.Why = report.Unknown, c.Else
			}
		}
	}
	r.If = nil
}

// concerns reports whether the view and the listener are of one program: what another
// program does with a table of the same name says nothing.
func (v *View) concerns(l *Listener) bool {
	if v.Program && l.Bound != "" {
		return v.Package == l.Bound
	}
	if !v.Program {
		return true
	}
	return v.Package == l.Package || slices.Contains(v.Sees, l.Package)
}

// concerns reports whether the finding is about the listener, a table that its gates
// use, or a line or a function on its record's way.
func (t *Told) concerns(l *Listener) bool {
	if len(t.About) > 0 {
		return slices.Contains(t.About, l.ID) || slices.ContainsFunc(t.About, l.uses)
	}
	for _, w := range l.Ways {
		for _, o := range w.Ops {
			if slices.ContainsFunc(o.Path, func(p Place) bool {
				return p.Package == t.At.Package && p.File == t.At.File && p.Line == t.At.Line
			}) {
				return true
			}
		}
	}
	return t.At.Func != "" && (t.At.Func == l.ID || slices.Contains(l.Reaches, t.At.Func)) && byFunction[t.Rule]
}

// byFunction are the rules whose findings stand where a value is made, beside the
// operations.
var byFunction = map[string]bool{"eventidv7": true}

// uses reports whether a gate's table, or the condition of a verdict, is meant.
func (l *Listener) uses(about string) bool {
	return slices.ContainsFunc(l.Rules, func(r Rule) bool {
		return slices.ContainsFunc(r.If, func(c report.Condition) bool { return c.About == about })
	})
}
