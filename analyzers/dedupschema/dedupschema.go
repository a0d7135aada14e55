// Package dedupschema enforces the second half of R-KFK-IDEM-2: the table behind
// the gate has a unique event id for each consumer group, and a TTL.
package dedupschema

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/gosql"
	"github.com/idemlint/idemlint/internal/inputs"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
	"github.com/idemlint/idemlint/internal/schema"
	"github.com/idemlint/idemlint/internal/settings"
	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-2", Name: "dedupschema"}

// Analyzer reports dedup tables whose key or lifetime is wrong.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	sql, err := p.SQL()
	if err != nil {
		return err
	}
	own, texts := sql.Schema, sql.Texts
	for _, name := range slices.Sorted(maps.Keys(own.Tables)) {
		if t := own.Tables[name]; t.Dedup(p.Settings) {
			faults := t.Judge(p.Settings)
			if len(faults) == 0 && t.Whole() {
				p.Sound(aboutKey(name))
			}
			for _, f := range faults {
				p.Report(report.Finding{Pos: texts.Pos(f.Place), Message: texts.In(f.Place, f.Message), About: []string{report.AboutTable(name)}})
			}
		}
	}
	entSchemas(p)
	if p.Own == nil {
		return nil
	}
	gates := inserts(p.Result)
	if err := atGates(p, own, gates); err != nil {
		return err
	}
	keys(p)
	return lifetime(p, texts)
}

// gate is an insert into a dedup table.
type gate struct {
	table string
	model string // the model's type, of an ORM
	pos   token.Pos
}

// inserts returns the package's inserts into dedup tables, one a table.
func inserts(res *listener.Result) []gate {
	var out []gate
	seen := make(map[string]bool)
	for _, fn := range res.Own.Funcs {
		if fn.Test || !res.Universe.Records(fn) {
			continue
		}
		for _, o := range res.Universe.Alone(fn).Ops {
			if o.Stmt == nil || o.Stmt.Verb != sqltext.Insert || seen[o.Table] || !res.Settings.DedupTable(o.Table) && !res.Settings.DedupRow(o.Stmt.Columns) {
				continue
			}
			if pos := listener.Deepest(o.Steps(), res.Own); pos.IsValid() && o.In(fn) {
				seen[o.Table] = true
				out = append(out, gate{o.Table, o.ModelType(), pos})
			}
		}
	}
	return out
}

// atGates judges the tables that neither the package's literals nor its embedded
// files make: their SQL is found on disk, or their model is migrated.
func atGates(p *rule.Pass, own *schema.Schema, gates []gate) error {
	for _, g := range gates {
		if own.Tables[g.table] != nil {
			continue
		}
		t, tags, err := elsewhere(p, g)
		if err != nil {
			return err
		}
		if t == nil {
			continue
		}
		for _, f := range t.Judge(p.Settings) {
			message := fmt.Sprintf("by the tags of %s, %s", listener.ShortName(g.model), f.Message)
			if !tags {
				message = fmt.Sprintf("%s:%d: %s", f.Place.Source.Name, f.Place.Line(), f.Message)
			}
			p.Report(report.Finding{Pos: g.pos, Message: message})
		}
	}
	return nil
}

// elsewhere returns the definition of a gate's table that is not in the package's own SQL:
// on disk or, as tags says, made from the tags of its model; nil when there is none.
func elsewhere(p *rule.Pass, g gate) (t *schema.Table, tags bool, err error) {
	s, err := onDisk(p.Pass, p.Settings, g.table)
	if err != nil {
		return nil, false, err
	}
	if s != nil && s.Tables[g.table] != nil {
		return s.Tables[g.table], false, nil
	}
	return p.Universe.Migrated(g.model), true, nil
}

// keys reports the listeners' gates whose keys are kept for ever.
func keys(p *rule.Pass) {
	for _, l := range p.Listeners {
		for _, j := range l.Journeys {
			for _, o := range j.First.Ops {
				if listener.IsGate(o) && o.Store == catalog.Memory && !p.Universe.Forgets(o) {
					p.Report(report.Finding{
						Pos:     l.Place(o.Steps()).Pos,
						Message: fmt.Sprintf("the gate of the listener %s, %s, keeps its ids for ever: the process grows with the stream until it is killed, and then it has forgotten them all; keep them in a table with a TTL, in the transaction with the work", listener.Name(l.Func), o.What),
						Related: l.Start(),
						About:   l.Names(),
					})
				}
				if listener.IsGate(o) && o.Endless && !p.Universe.Expires() {
					p.Report(report.Finding{
						Pos:     l.Place(o.Steps()).Pos,
						Message: fmt.Sprintf("the gate of the listener %s, %s, keeps its keys for ever: the store grows with the stream until it evicts what it still needs; give the key a lifetime that is longer than the topic's retention", listener.Name(l.Func), o.What),
						Related: l.Start(),
						About:   l.Names(),
					})
				}
			}
		}
	}
}

// onDisk returns the schema that holds the table: from the configured places, or
// from the nearest usual one. One that a Go package embeds is judged there.
func onDisk(pass *analysis.Pass, s *settings.Loaded, table string) (*schema.Schema, error) {
	dir := filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
	if len(s.Migrations) > 0 {
		return schema.ReadAll(inputs.Base(s, dir), s.Migrations)
	}
	return schema.Near(dir, schema.ModuleRoot(dir), table)
}

// lifetime reports, in package main, the dedup tables whose rows nothing removes.
func lifetime(p *rule.Pass, texts gosql.Texts) error {
	pos := mainFunc(p.Pass)
	if !pos.IsValid() {
		return nil
	}
	u := p.Universe
	live := u.Live(p.Own)
	var tables []string
	for fn := range live {
		if u.Upkeep(fn) {
			p.Sound(ownTable)
		}
		if !u.Records(fn) {
			continue
		}
		for _, o := range u.Alone(fn).Ops {
			if o.Stmt != nil && o.Stmt.Verb == sqltext.Insert && p.Settings.DedupTable(o.Table) && !slices.Contains(tables, o.Table) {
				tables = append(tables, o.Table)
			}
		}
	}
	slices.Sort(tables)
	// A DELETE in Go code counts where something calls it.
	files := schema.Read(texts.Files())
	var endless []string
	for _, t := range tables {
		ends := files.Ends(t) || cleaned(u.Cleans, live, t)
		if !ends {
			var err error
			if ends, err = endsOnDisk(p.Pass, p.Settings, t); err != nil {
				return err
			}
		}
		if ends {
			p.Sound(report.AboutTable(t))
		} else {
			endless = append(endless, t)
		}
	}
	if len(endless) > 0 {
		about := make([]string, len(endless))
		for i, t := range endless {
			about[i] = report.AboutTable(t)
		}
		p.Report(report.Finding{Pos: pos, About: about, Message: fmt.Sprintf("nothing that this program runs removes old rows of %s: the table grows with the stream for ever, and its index with it; partition it by range of a UUID v7 event id and drop old partitions, or call a job that deletes what is older than the topic's retention", strings.Join(endless, ", "))})
	}
	return nil
}

// endsOnDisk reports whether any SQL file of the module, or of the configured
// places, ends the life of the table's rows.
func endsOnDisk(pass *analysis.Pass, s *settings.Loaded, table string) (bool, error) {
	dir := filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
	for root, places := range map[string][]string{inputs.Base(s, dir): s.Migrations, schema.ModuleRoot(dir): {"."}} {
		all, err := schema.ReadAll(root, places)
		if errors.Is(err, schema.ErrTooMany) {
			return true, nil // who can say
		}
		if err != nil {
			return false, err
		}
		if all.Ends(table) {
			return true, nil
		}
	}
	return false, nil
}

func cleaned(cleans func(*summary.Func, string) bool, live map[*summary.Func]bool, table string) bool {
	for fn := range live {
		if cleans(fn, table) {
			return true
		}
	}
	return false
}

// mainFunc returns the position of the program's main function, NoPos when the
// package is none.
func mainFunc(pass *analysis.Pass) token.Pos {
	if pass.Pkg.Name() != "main" {
		return token.NoPos
	}
	for _, f := range pass.Files {
		for _, d := range f.Decls {
			if fd, ok := d.(*ast.FuncDecl); ok && fd.Recv == nil && fd.Name.Name == "main" {
				return fd.Name.Pos()
			}
		}
	}
	return token.NoPos
}
