// Package inventory gathers what one package knows of its listeners, for the command
// idemlint inventory.
package inventory

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/analyzers/listenerdedup"
	"github.com/idemlint/idemlint/analyzers/moneykey"
	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/inventory"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/program"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/summary"
)

// Analyzer reports, in one diagnostic for each package that has something to say, the
// JSON of an inventory.View. It wants rule.Inventory and listener.Programs set.
var Analyzer = &analysis.Analyzer{
	Name:             "ideminventory",
	Doc:              "list the listeners (a stage of idemlint inventory)",
	URL:              "https://github.com/idemlint/idemlint/blob/main/docs/inventory.md",
	Requires:         directives.Requires(),
	RunDespiteErrors: true,
	Run:              run,
}

func run(pass *analysis.Pass) (_ any, err error) {
	defer program.Guard(pass, &err)
	res := pass.ResultOf[listener.Analyzer].(*listener.Result)
	defer res.Release()
	if listener.FactsOnly || len(pass.Files) == 0 || report.Once && hasTests(pass) {
		return nil, nil // with its tests, a package is seen by go vet alone, and then only so
	}
	v := inventory.View{Package: pass.Pkg.Path(), Dir: filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)}
	v.Program = pass.Pkg.Name() == "main"
	if v.Program && res.Universe != nil {
		v.Sees = slices.Sorted(maps.Keys(res.Universe.Packages))
	}
	g := &gatherer{pass: pass, res: res}
	for i, l := range res.Listeners {
		v.Listeners = append(v.Listeners, g.listener(i, l))
	}
	for _, r := range directives.Rules {
		used := pass.ResultOf[r.Analyzer].(*report.Used)
		v.Sound = append(v.Sound, used.Sound...)
		for _, t := range used.Told {
			v.Told = append(v.Told, inventory.Told{Rule: r.Name, Message: t.Message, Exempt: t.Exempt, About: t.About, At: g.place(t.Pos)})
		}
	}
	if res.Own == nil && len(v.Told) == 0 && len(v.Sound) == 0 {
		return nil, nil
	}
	data, err := json.Marshal(v)
	if err != nil {
		return nil, err
	}
	pass.Report(analysis.Diagnostic{Pos: pass.Files[0].Package, Message: string(data)})
	return nil, nil
}

// hasTests reports whether the package is seen with its tests.
func hasTests(pass *analysis.Pass) bool {
	return slices.ContainsFunc(pass.Files, func(f *ast.File) bool {
		return strings.HasSuffix(pass.Fset.Position(f.Package).Filename, "_test.go")
	})
}

type gatherer struct {
	pass    *analysis.Pass
	res     *listener.Result
	wirings []*flow.Wiring
}

func (g *gatherer) listener(i int, l *listener.Listener) inventory.Listener {
	out := inventory.Listener{
		ID: l.Func.Name, Name: listener.Name(l.Func), Package: l.Func.Pkg.Path, At: at(l.Func, l.Func.Line), Client: l.Client(g.res.Settings.Catalog, g.res.Universe),
		Topics: []string{}, Groups: []string{},
	}
	if l.Func.Pkg != g.res.Own {
		out.Bound = g.res.Own.Path
	}
	if g.wirings == nil {
		g.wirings = g.res.Universe.Wirings()
	}
	for _, j := range l.Journeys {
		out.Ways = append(out.Ways, g.way(l, j))
		for _, w := range g.res.Universe.WiringOf(j, g.wirings) {
			out.Topics = union(out.Topics, w.Topics)
			out.Groups = union(out.Groups, w.Group)
		}
		for _, fn := range j.Any.Entered() {
			out.Reaches = union(out.Reaches, []string{fn.Name})
		}
		for _, o := range j.First.Ops {
			if listener.IsEffect(o) || listener.IsGate(o) {
				out.Handlers = union(out.Handlers, []string{handler(o)})
			}
		}
	}
	for _, r := range directives.Rules {
		rule := inventory.Rule{ID: r.ID, Name: r.Name, State: report.Unknown, Why: "the rule is switched off"}
		if proofs := g.pass.ResultOf[r.Analyzer].(*report.Used).Proofs; i < len(proofs) {
			rule.State, rule.Why, rule.If = proofs[i].State, proofs[i].Why, proofs[i].If
		}
		out.Rules = append(out.Rules, rule)
	}
	return out
}

// handler names the function that the record is dispatched to on the way to an
// operation: by way of an interface or a function value, else the first that the
// listener calls.
func handler(o *flow.Op) string {
	steps := o.Steps()
	for _, s := range steps[1:] {
		if len(s.Via) > 0 {
			return listener.Name(s.Func)
		}
	}
	return listener.Name(steps[min(1, len(steps)-1)].Func)
}

func (g *gatherer) way(l *listener.Listener, j *flow.Journey) inventory.Way {
	w := inventory.Way{From: listener.Name(j.Root), Ops: []inventory.Op{}}
	txs := make(map[*flow.Object]int)
	for _, o := range listener.ByPosition(j.First.Ops) {
		op := inventory.Op{Kind: kind(o), What: o.What, Path: path(o)}
		if op.Kind == "" {
			continue
		}
		if op.What == "" {
			op.What = listener.ShortName(o.Name)
		}
		if t := o.Handle.Tx; t != nil {
			if txs[t] == 0 {
				txs[t] = len(txs) + 1
			}
			op.Tx = txs[t]
		}
		switch op.Kind {
		case inventory.Gate, inventory.Mark:
			op.Where, op.Key = where(o), origin(o.Key)
		case inventory.Effect:
			if o.Kind == flow.Write {
				op.Where = where(o)
			}
			op.Second, op.Why = listenerdedup.Held(g.res, l, j, o)
			if op.Money = moneykey.MovesMoney(o); op.Money {
				op.Lock = "none"
				if o.Lock != nil && !o.Lock.Empty() {
					op.Lock = origin(o.Lock)
				}
			}
		}
		w.Ops = append(w.Ops, op)
	}
	for _, o := range j.First.Open {
		w.Ops = append(w.Ops, inventory.Op{Kind: inventory.HandedOn, What: listener.ShortName(o.Name), Path: path(o)})
	}
	return w
}

func kind(o *flow.Op) string {
	switch {
	case listener.IsGate(o):
		return inventory.Gate
	case listener.IsEffect(o):
		return inventory.Effect
	}
	switch o.Kind {
	case flow.Consume:
		return inventory.Consume
	case flow.Mark:
		return inventory.Mark
	case flow.Begin:
		return inventory.Begin
	case flow.Commit:
		return inventory.Commit
	case flow.Rollback:
		return inventory.Rollback
	case flow.Ack:
		return inventory.Ack
	case flow.Write, flow.External:
		if !o.Early {
			return inventory.Aside
		}
	}
	return ""
}

func where(o *flow.Op) string {
	switch o.Handle.State {
	case flow.OnPool:
		return "on the pool"
	case flow.InOpenTx:
		return "in a transaction"
	case flow.InDoneTx:
		return "after the commit"
	}
	if o.Store != catalog.SQL && o.Store != catalog.NoStore {
		return "in " + o.Store.String()
	}
	return "unknown"
}

// origin says what a key is computed from.
func origin(v *flow.Value) string {
	if v == nil {
		return "unknown"
	}
	names := v.Origin().Words()
	if len(names) == 0 {
		return "unknown"
	}
	return strings.Join(names, ", ")
}

func path(o *flow.Op) []inventory.Place {
	var out []inventory.Place
	for _, s := range o.Steps() {
		out = append(out, at(s.Func, s.Line))
	}
	return out
}

func at(fn *summary.Func, line uint32) inventory.Place {
	return inventory.Place{Func: listener.Name(fn), Package: fn.Pkg.Path, File: fn.File, Line: int(line)}
}

// place returns a position in the package, with the function around it by its full name.
func (g *gatherer) place(pos token.Pos) inventory.Place {
	p := g.pass.Fset.Position(pos)
	out := inventory.Place{Package: g.pass.Pkg.Path(), File: filepath.Base(p.Filename), Line: p.Line}
	if g.res.Own != nil {
		var best *summary.Func
		for _, fn := range g.res.Own.Funcs {
			if fn.File == out.File && int(fn.Line) <= p.Line && (best == nil || fn.Line > best.Line) {
				best = fn
			}
		}
		if best != nil {
			out.Func = best.Name
		}
	}
	return out
}

func union(all, more []string) []string {
	for _, s := range more {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
