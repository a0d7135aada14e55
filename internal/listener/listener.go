// Package listener finds the functions that get records from Kafka, and
// follows what one record leads to.
package listener

import (
	"cmp"
	"go/token"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/program"
	"github.com/idemlint/idemlint/internal/settings"
	"github.com/idemlint/idemlint/internal/summary"
)

// Analyzer finds the listeners whose journeys are judged in this package: its
// own, and those of imported packages whose handlers are bound here. Its result
// is a *Result.
var Analyzer = &analysis.Analyzer{
	Name:             "idemlisteners",
	Doc:              "find Kafka listeners and follow their records (a stage of idemlint)",
	URL:              "https://github.com/idemlint/idemlint/blob/main/docs/architecture.md",
	Requires:         []*analysis.Analyzer{settings.Analyzer, program.Analyzer},
	ResultType:       reflect.TypeFor[*Result](),
	RunDespiteErrors: true,
	Run:              run,
}

// FactsOnly makes the analyzer find nothing: set by a driver that needs a
// package's facts alone and will drop its diagnostics.
var FactsOnly bool

// Programs makes the analyzer list, for a main package, all listeners of its module that
// the program can come to run, whatever other package judges them: set by a driver that
// takes an inventory.
var Programs bool

// Result is what the rules ask.
type Result struct {
	Settings  *settings.Loaded
	Universe  *flow.Universe
	Own       *summary.Package
	Listeners []*Listener
}

// Listener is a function that gets records, and the journeys of a record from it.
type Listener struct {
	Func     *summary.Func
	Journeys []*flow.Journey
	own      *summary.Package
	unseen   func() string
}

// Client returns the import path of the client library that the records come from, ""
// when it cannot be told.
func (l *Listener) Client(cat *catalog.Catalog, u *flow.Universe) string {
	for _, j := range l.Journeys {
		for _, o := range j.First.Ops {
			if o.Kind == flow.Consume && o.Row != nil {
				return ImportPath(o.Row.Name)
			}
		}
	}
	for i := range l.Func.Instrs {
		if row := u.RowOf(l.Func, &l.Func.Instrs[i]); row != nil && (row.Verb == catalog.Source || row.Verb == catalog.Callback || row.Verb == catalog.Processor) {
			return ImportPath(row.Name)
		}
	}
	for _, p := range l.Func.Params {
		if typ := strings.TrimLeft(l.Func.Pkg.TypeName(p), "[]*"); cat.Record(typ) != nil {
			return ImportPath(typ)
		}
	}
	return ""
}

// ImportPath returns the import path in the full name of a function, method or type.
func ImportPath(full string) string {
	name := strings.TrimLeft(full, "(*")
	if i := strings.IndexByte(name, ')'); i >= 0 {
		name = name[:i]
	}
	return packageOf(name)
}

// Names returns what a finding about the listener is about.
func (l *Listener) Names() []string { return []string{l.Func.Name} }

// Release forgets what was found, when nobody will ask any more: a driver keeps the
// results of all packages until the end.
func (r *Result) Release() { r.Universe, r.Listeners = nil, nil }

func run(pass *analysis.Pass) (result any, err error) {
	defer program.Guard(pass, &err)
	cfg := pass.ResultOf[settings.Analyzer].(*settings.Loaded)
	prog := pass.ResultOf[program.Analyzer].(*program.Program)
	res := &Result{Settings: cfg}
	if prog.Own == nil || FactsOnly {
		return res, nil
	}
	res.Own = prog.Own
	pkgs := prog.Packages()
	u := flow.NewUniverse(pkgs, cfg.Catalog, cfg.Settings)
	u.Kafka = importsKafka(pass, cfg.Catalog, pkgs)
	res.Universe = u
	finder := &finder{u: u, cat: cfg.Catalog, cfg: cfg.Settings, own: prog.Own, pass: pass}
	res.Listeners = finder.find()
	return res, nil
}

// importsKafka reports whether the visible program imports a Kafka client.
func importsKafka(pass *analysis.Pass, cat *catalog.Catalog, pkgs map[string]*summary.Package) bool {
	for _, imp := range pass.Pkg.Imports() {
		if cat.Library(program.StripVendor(imp.Path())) == catalog.Records {
			return true
		}
	}
	for _, p := range pkgs {
		if p.Kafka {
			return true
		}
	}
	return false
}

type finder struct {
	u   *flow.Universe
	cat *catalog.Catalog
	cfg *settings.Settings
	own *summary.Package

	pass *analysis.Pass
	live map[*summary.Func]bool // see runs
}

func (f *finder) find() []*Listener {
	var out []*Listener
	seen := make(map[*summary.Func]bool)
	var todo []*summary.Func
	paths := make([]string, 0, len(f.u.Packages))
	for path := range f.u.Packages {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		p := f.u.Packages[path]
		list := p.Memo(getsKey{f.cat, f.u.Kafka}, func() any {
			var out []*summary.Func
			for _, fn := range p.Funcs {
				if !fn.Test && f.gets(fn) {
					out = append(out, fn)
				}
			}
			return out
		})
		todo = append(todo, list.([]*summary.Func)...)
	}
	for len(todo) > 0 {
		fn := todo[0]
		todo = todo[1:]
		if seen[fn] {
			continue
		}
		seen[fn] = true
		run := f.u.Peek(fn)
		if run.Returned {
			// It only fetches: who calls it is the listener.
			if callers := f.u.Callers(fn); len(callers) > 0 {
				todo = append(todo, callers...)
				continue
			}
			if !strings.Contains(fn.Name, "$") {
				continue
			}
		}
		if fn.Pkg != f.own && !f.runs(fn) && (!f.touches(run) || f.settled(fn, run)) {
			continue
		}
		l := &Listener{Func: fn, own: f.own, Journeys: f.u.Follow(fn)}
		l.unseen = sync.OnceValue(l.lookUnseen)
		out = append(out, l)
	}
	return out
}

// getsKey is what gets depends on beside the function: a catalogue comes from one
// configuration.
type getsKey struct {
	cat   *catalog.Catalog
	kafka bool
}

// runs reports whether the package is a program whose inventory is taken, and the
// listener, of its module, one that it can come to run.
func (f *finder) runs(fn *summary.Func) bool {
	if !Programs || f.pass.Pkg.Name() != "main" || !f.inModule(fn.Pkg.Path) {
		return false
	}
	if f.live == nil {
		f.live = f.u.Live(f.own)
	}
	return f.live[fn]
}

// inModule reports whether a package is of the module under analysis.
func (f *finder) inModule(path string) bool {
	mod := f.pass.Module
	return mod != nil && mod.Path != "" && (path == mod.Path || strings.HasPrefix(path, mod.Path+"/"))
}

// touches reports whether a run of another package's listener leads into, or
// was wired in, the package under analysis: then it could not be judged below.
func (f *finder) touches(run *flow.Run) bool {
	for _, o := range slices.Concat(run.Ops, run.Open) {
		if contributes(o.Steps(), f.own) {
			return true
		}
	}
	return false
}

// settled reports whether the listener's own package, or one that hands something
// over on the way, sees all that the listener leads to, and has judged it: this
// package only wires what that one knows.
func (f *finder) settled(fn *summary.Func, run *flow.Run) bool {
	var judged []*flow.Op
	ends := map[string]bool{fn.Pkg.Path: true}
	for _, o := range run.Ops {
		switch o.Kind {
		case flow.Write, flow.External, flow.Gate, flow.Check, flow.Mark:
		default:
			continue
		}
		judged = append(judged, o)
		for _, s := range o.Steps() {
			for _, h := range s.Via {
				ends[h.Fn.Pkg.Path] = true
			}
		}
	}
	delete(ends, f.own.Path)
	for path := range ends {
		if f.knows(path, fn, judged) {
			return true
		}
	}
	return false
}

// knows reports whether a package of the module, which is judged by itself, sees
// all that there is to judge of a listener.
func (f *finder) knows(path string, fn *summary.Func, ops []*flow.Op) bool {
	if !f.inModule(path) {
		return false // its findings may be shown to nobody
	}
	visible := make(map[string]bool)
	f.beneath(path, visible)
	pkgs := make(map[string]*summary.Package)
	for path, p := range f.u.Packages {
		if visible[path] {
			pkgs[path] = p
		}
	}
	if pkgs[fn.Pkg.Path] == nil || pkgs[path] == nil || pkgs[f.own.Path] != nil {
		return false
	}
	u := flow.NewUniverse(pkgs, f.cat, f.cfg)
	u.Kafka = f.u.Kafka
	there := u.Peek(fn)
	for _, o := range ops {
		if !slices.ContainsFunc(there.Ops, func(p *flow.Op) bool { return p.Kind == o.Kind && p.At(o) }) {
			return false
		}
	}
	return true
}

// beneath gathers the paths of a package and of what its bodies call and name,
// directly or not: export data does not list all that a package imports.
func (f *finder) beneath(path string, out map[string]bool) {
	p := f.u.Packages[path]
	if p == nil || out[path] {
		return
	}
	out[path] = true
	for _, t := range p.Types {
		f.beneath(packageOf(strings.TrimLeft(t, "*[]")), out)
	}
	for _, fn := range p.Funcs {
		for i := range fn.Instrs {
			if in := &fn.Instrs[i]; in.Op == summary.OpCall {
				if callee := f.u.Func(fn.Text(in)); callee != nil {
					f.beneath(callee.Pkg.Path, out)
				}
			}
		}
	}
}

// contributes reports whether a step or a hand-over stands in the package.
func contributes(steps []flow.Step, own *summary.Package) bool {
	for _, s := range steps {
		if s.Func.Pkg == own {
			return true
		}
		for _, h := range s.Via {
			if h.Fn.Pkg == own {
				return true
			}
		}
	}
	return false
}

// gets reports whether the function itself gets records from a client, is
// called with them by a client, or is declared a listener.
func (f *finder) gets(fn *summary.Func) bool {
	if _, declared := f.cfg.Listener(fn.Name); declared || fn.Listener {
		return true
	}
	for i := range fn.Instrs {
		in := &fn.Instrs[i]
		switch in.Op {
		case summary.OpCall, summary.OpInvoke:
			row := f.u.RowOf(fn, in)
			if row != nil && row.Verb == catalog.Processor {
				return true
			}
			if row != nil && (row.Verb == catalog.Source || row.Verb == catalog.Callback) {
				if row.Verb == catalog.Callback && row.Key != catalog.None {
					continue // EachRecord on fetches that were polled elsewhere
				}
				if row.Group && !f.u.Kafka {
					continue // watermill on a broker that is not Kafka
				}
				if row.Group && f.otherBroker(fn, in) {
					continue
				}
				return true
			}
			if row == nil && in.Op == summary.OpInvoke && f.holdsRecord(fn.ResultType(in)) {
				return true
			}
		case summary.OpRecv:
			if f.cat.Record(fn.ResultType(in)) != nil || f.holdsRecord(fn.ResultType(in)) {
				return true
			}
		case summary.OpSelect:
			if f.holdsRecord(fn.ResultType(in)) {
				return true
			}
		}
	}
	return false
}

// otherBroker reports whether a watermill registration names a subscriber of
// another broker, or the package knows only others.
func (f *finder) otherBroker(fn *summary.Func, in *summary.Instr) bool {
	if len(fn.Pkg.Brokers) > 0 {
		return !fn.Pkg.Kafka
	}
	for _, a := range in.Args {
		if a.Kind() == summary.RefInstr {
			arg := &fn.Instrs[a.Index()]
			if arg.Op == summary.OpMakeIface && f.cat.OtherBroker(packageOf(fn.AuxType(arg))) != "" {
				return true
			}
		}
	}
	return false
}

func packageOf(typ string) string {
	typ = strings.TrimPrefix(typ, "*")
	if i := strings.LastIndexByte(typ, '.'); i >= 0 {
		return typ[:i]
	}
	return ""
}

// holdsRecord reports whether a result type is or contains a record type.
func (f *finder) holdsRecord(typ string) bool {
	for _, t := range strings.FieldsFunc(typ, func(r rune) bool { return r == '(' || r == ')' || r == ',' || r == ' ' }) {
		if f.cat.Record(strings.TrimLeft(t, "[]*")) != nil {
			return true
		}
	}
	return false
}

// Name returns a short name of a function: "orders.Handle", "(*Consumer).Run",
// "orders.Start (a function literal)".
func Name(fn *summary.Func) string {
	outer, _, literal := strings.Cut(fn.Name, "$")
	if literal {
		return ShortName(outer) + " (a function literal)"
	}
	return ShortName(outer)
}

// ShortName cuts the import paths of a full name to the package's own name: the
// last element, or the one before it when that is a major version.
func ShortName(full string) string {
	star := ""
	if rest, ok := strings.CutPrefix(full, "("); ok {
		typ, method, _ := strings.Cut(rest, ").")
		if t, ok := strings.CutPrefix(typ, "*"); ok {
			star, typ = "*", t
		}
		return "(" + star + ShortName(typ) + ")." + method
	}
	i := strings.LastIndexByte(full, '/')
	if i >= 0 && majorVersion.MatchString(full[i+1:]) {
		_, name, _ := strings.Cut(full[i+1:], ".")
		pkg := full[:i]
		return pkg[strings.LastIndexByte(pkg, '/')+1:] + "." + name
	}
	return full[i+1:]
}

var majorVersion = regexp.MustCompile(`^v\d+\.`)

// Place is where a finding stands in the package under analysis.
type Place struct {
	Pos token.Pos
	// Bound: the listener stands in another package, and Pos is where its
	// handler was handed over.
	Bound bool
}

// Place returns where a finding about steps of a listener's journey belongs, or
// a zero Place when it does not belong to this package.
func (l *Listener) Place(steps []flow.Step) Place {
	if l.Func.Pkg == l.own {
		return Place{Pos: Deepest(steps, l.own)}
	}
	for i := range steps {
		for _, h := range steps[i].Via {
			if h.Fn.Pkg == l.own {
				if pos := h.Fn.Instrs[h.Instr].Pos; pos.IsValid() {
					return Place{Pos: pos, Bound: true}
				}
			}
		}
	}
	if pos := Deepest(steps, l.own); pos.IsValid() {
		return Place{Pos: pos, Bound: true}
	}
	return Place{}
}

// Deepest returns the position of the last step that stands in the package.
func Deepest(steps []flow.Step, own *summary.Package) token.Pos {
	for i := len(steps) - 1; i >= 0; i-- {
		if steps[i].Func.Pkg == own && steps[i].Pos.IsValid() {
			return steps[i].Pos
		}
	}
	for _, s := range steps {
		if s.Func.Pkg == own && s.Func.Pos.IsValid() {
			return s.Func.Pos
		}
	}
	return token.NoPos
}

// Way describes the calls from the listener to an operation: "via a → b".
func Way(steps []flow.Step) string {
	var names []string
	for _, s := range steps[min(1, len(steps)):] {
		if strings.Contains(s.Func.Name, "$") {
			continue
		}
		n := Name(s.Func)
		if len(names) == 0 || names[len(names)-1] != n {
			names = append(names, n)
		}
	}
	if len(names) > 4 {
		names = append(append(names[:2:2], "…"), names[len(names)-2:]...)
	}
	return strings.Join(names, " → ")
}

// ByPosition sorts operations in the order in which the record reaches them.
func ByPosition(ops []*flow.Op) []*flow.Op {
	out := slices.Clone(ops)
	slices.SortStableFunc(out, func(a, b *flow.Op) int { return cmp.Compare(a.Seq, b.Seq) })
	return out
}
