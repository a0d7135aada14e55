// Package program decides whether a package can matter to the engine, builds
// its SSA form if so, and reduces that to a summary for its importers.
package program

import (
	"fmt"
	"go/build"
	"go/types"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"sort"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/ssa"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/settings"
	"github.com/idemlint/idemlint/internal/summary"
)

// Analyzer builds the package's summary and exports it, with those of the
// packages beneath it, as a package fact. Its result is a *Program.
var Analyzer = &analysis.Analyzer{
	Name:       "idemprogram",
	Doc:        "reduce each function to what matters to idempotency (a stage of idemlint)",
	URL:        "https://github.com/idemlint/idemlint/blob/main/docs/architecture.md",
	Requires:   []*analysis.Analyzer{settings.Analyzer},
	FactTypes:  []analysis.Fact{new(summary.Fact)},
	ResultType: reflect.TypeFor[*Program](),
	// A package that does not compile is unknown to its importers, but it does
	// not take them with it.
	RunDespiteErrors: true,
	Run:              run,
}

// Program is what the engine sees from one package: its own summary and those
// of everything beneath it.
type Program struct {
	Own     *summary.Package // nil when the package cannot matter
	Catalog *catalog.Catalog

	fact  *summary.Fact
	once  sync.Once
	below map[string]*summary.Package
}

// decoded caches decoded sections across the packages of one process, by
// content: the standalone driver and golangci-lint visit hundreds of packages
// that see the same sections.
var decoded sync.Map // string(data) -> *summary.Package

// Packages returns the own summary and the imported ones, by import path.
// Sections that cannot be decoded are left out: what they held is unknown.
func (p *Program) Packages() map[string]*summary.Package {
	p.once.Do(func() {
		p.below = make(map[string]*summary.Package)
		if p.fact != nil {
			for _, s := range p.fact.Sections {
				if p.Own != nil && s.Path == p.Own.Path {
					continue
				}
				if v, ok := decoded.Load(string(s.Data)); ok {
					p.below[s.Path] = v.(*summary.Package)
				} else if pkg, err := summary.Decode(s.Data); err == nil {
					decoded.Store(string(s.Data), pkg)
					p.below[s.Path] = pkg
				}
			}
		}
		if p.Own != nil {
			p.below[p.Own.Path] = p.Own
		}
	})
	return p.below
}

// OnPackage is told the path of each package before it is analysed: set by a command that
// shows its progress.
var OnPackage = func(path string) {}

func run(pass *analysis.Pass) (result any, err error) {
	defer Guard(pass, &err)
	OnPackage(pass.Pkg.Path())
	cfg := pass.ResultOf[settings.Analyzer].(*settings.Loaded)
	prog := &Program{Catalog: cfg.Catalog}
	if cfg.Err != nil || skipPackage(pass, cfg.Catalog) || len(pass.TypeErrors) > 0 {
		return prog, nil
	}
	var facts []*summary.Fact
	direct := make(map[string]*summary.Fact)
	for _, pf := range pass.AllPackageFacts() {
		if f, ok := pf.Fact.(*summary.Fact); ok && pf.Package != pass.Pkg {
			facts = append(facts, f)
			direct[StripVendor(pf.Package.Path())] = f
		}
	}
	if !relevant(pass, cfg, direct) {
		// An empty fact says "seen, and nothing there", which a missing one does not.
		pass.ExportPackageFact(&summary.Fact{})
		return prog, nil
	}
	own := reduce(pass, cfg.Catalog, direct)
	var section *summary.Section
	if len(own.Funcs) > 0 || len(own.Structs) > 0 {
		section = &summary.Section{Path: own.Path, Data: own.Encode()}
	}
	prog.Own = own
	prog.fact = summary.Merge(section, facts)
	pass.ExportPackageFact(prog.fact)
	return prog, nil
}

// Guard turns a panic into an error that names the package, so that one
// package's trouble is not the end of the run. Use it deferred.
func Guard(pass *analysis.Pass, err *error) {
	if r := recover(); r != nil {
		*err = fmt.Errorf("%s: internal error on package %s: %v (please report it)\n%s",
			pass.Analyzer.Name, pass.Pkg.Path(), r, debug.Stack())
	}
	if *err != nil && OnError != nil {
		OnError(*err)
	}
}

// OnError is called, when a driver sets it, with an analyzer's error before the
// analyzer returns it.
var OnError func(error)

// skipPackage reports whether the package is one that the catalogue speaks for.
func skipPackage(pass *analysis.Pass, cat *catalog.Catalog) bool {
	if len(pass.Files) == 0 || IsStd(pass) {
		return true
	}
	kind := cat.Library(StripVendor(pass.Pkg.Path()))
	return kind != catalog.NotLibrary && kind != catalog.Runtime
}

var goroot = sync.OnceValue(func() string { return filepath.Join(build.Default.GOROOT, "src") + string(filepath.Separator) })

// IsStd reports whether the package belongs to the standard library.
func IsStd(pass *analysis.Pass) bool {
	if pass.Module != nil && pass.Module.Path != "" && pass.Module.Path != "std" {
		return false
	}
	path := pass.Pkg.Path()
	if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") {
		return false
	}
	if len(pass.Files) == 0 {
		return true
	}
	name := pass.Fset.Position(pass.Files[0].Package).Filename
	return goroot() == string(filepath.Separator) || strings.HasPrefix(name, goroot()) || strings.HasPrefix(name, "$GOROOT")
}

// relevant reports whether the package can matter: it imports a client or a
// store of the catalogue, or a package that does, or the configuration or a
// directive speaks of it, or it belongs to a module that requires a Kafka client
// (where the layers between consumer and repository import neither).
func relevant(pass *analysis.Pass, cfg *settings.Loaded, direct map[string]*summary.Fact) bool {
	cat := cfg.Catalog
	if cfg.Names(StripVendor(pass.Pkg.Path())) || len(listenerDirectives(pass)) > 0 {
		return true
	}
	ids := false
	for _, imp := range pass.Pkg.Imports() {
		path := StripVendor(imp.Path())
		ids = ids || cat.Generates(path)
		switch cat.Library(path) {
		case catalog.Records, catalog.Stores, catalog.Runtime:
			return true
		}
		if cfg.Names(path) {
			return true
		}
		if f := direct[path]; f != nil && len(f.Sections) > 0 {
			return true
		}
	}
	if ids && declaresEvent(pass.Pkg, cfg.Settings) {
		return true
	}
	dir := filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)
	return consumesKafka(dir, cat)
}

// declaresEvent reports whether the package declares a struct with an event id.
func declaresEvent(pkg *types.Package, s *settings.Settings) bool {
	for _, name := range pkg.Scope().Names() {
		tn, ok := pkg.Scope().Lookup(name).(*types.TypeName)
		if !ok {
			continue
		}
		st, ok := tn.Type().Underlying().(*types.Struct)
		if !ok {
			continue
		}
		for f := range st.Fields() {
			if s.EventName(f.Name()) {
				return true
			}
		}
	}
	return false
}

var (
	modulesMu sync.Mutex
	modules   = make(map[string]bool) // by directory of the Go file
)

// consumesKafka reports whether the go.mod above dir requires a Kafka client
// directly.
func consumesKafka(dir string, cat *catalog.Catalog) bool {
	modulesMu.Lock()
	defer modulesMu.Unlock()
	var visited []string
	answer := false
	for d := dir; ; {
		if v, ok := modules[d]; ok {
			answer = v
			break
		}
		visited = append(visited, d)
		if data, err := os.ReadFile(filepath.Join(d, "go.mod")); err == nil {
			answer = requiresClient(string(data), cat)
			break
		}
		up := filepath.Dir(d)
		if up == d {
			break
		}
		d = up
	}
	for _, d := range visited {
		modules[d] = answer
	}
	return answer
}

func requiresClient(gomod string, cat *catalog.Catalog) bool {
	for line := range strings.Lines(gomod) {
		if strings.Contains(line, "// indirect") {
			continue
		}
		fields := strings.Fields(strings.TrimPrefix(strings.TrimSpace(line), "require "))
		if len(fields) >= 2 && strings.HasPrefix(fields[1], "v") && cat.Library(fields[0]) == catalog.Records {
			return true
		}
	}
	return false
}

// reduce builds the package's SSA form and summarises its functions.
func reduce(pass *analysis.Pass, cat *catalog.Catalog, direct map[string]*summary.Fact) *summary.Package {
	prog := ssa.NewProgram(pass.Fset, 0)
	prog.SetNoReturn(noReturn)
	for _, p := range pass.Pkg.Imports() {
		prog.CreatePackage(p, nil, nil, true)
	}
	pkg := prog.CreatePackage(pass.Pkg, pass.Files, pass.TypesInfo, false)
	pkg.Build()

	path := StripVendor(pass.Pkg.Path())
	b := &builder{
		fset: pass.Fset, pkg: pass.Pkg,
		out:     &summary.Package{Path: path},
		strings: make(map[string]uint32), types: make(map[string]uint32),
		structs: make(map[string]bool),
		stores: func(p *types.Package) bool {
			path := StripVendor(p.Path())
			switch cat.Library(path) {
			case catalog.Stores:
				return true
			case catalog.NotLibrary, catalog.Runtime:
			default:
				return false
			}
			if p == pass.Pkg {
				return true
			}
			if first, _, _ := strings.Cut(path, "/"); !strings.Contains(first, ".") && isStdPath(path) {
				return false
			}
			f := direct[path]
			return f == nil || len(f.Sections) > 0
		},
	}
	for _, imp := range pass.Pkg.Imports() {
		if name := cat.OtherBroker(StripVendor(imp.Path())); name != "" {
			b.out.Brokers = append(b.out.Brokers, name)
		} else if cat.Library(StripVendor(imp.Path())) == catalog.Records {
			b.out.Kafka = true
		}
	}
	sort.Strings(b.out.Brokers)
	marked := listenerDirectives(pass)
	for _, fn := range sourceFunctions(pass, pkg) {
		if f := b.function(fn); f != nil {
			f.Listener = marked[fn.Object()]
			b.out.Funcs = append(b.out.Funcs, f)
		}
	}
	sortFuncs(b.out.Funcs)
	sort.Slice(b.out.Structs, func(i, j int) bool { return b.out.Structs[i].Name < b.out.Structs[j].Name })
	return b.out
}

// isStdPath reports whether the standard library has a package of that path.
func isStdPath(path string) bool {
	if _, err := os.Stat(filepath.Join(build.Default.GOROOT, "src", filepath.FromSlash(path))); err == nil {
		return true
	}
	return false
}

// noReturn names the functions that end the program or the goroutine.
func noReturn(fn *types.Func) bool {
	switch FuncName(fn) {
	case "os.Exit", "runtime.Goexit", "syscall.Exit",
		"log.Fatal", "log.Fatalf", "log.Fatalln", "log.Panic", "log.Panicf", "log.Panicln",
		"(*log.Logger).Fatal", "(*log.Logger).Fatalf", "(*log.Logger).Fatalln",
		"(*log.Logger).Panic", "(*log.Logger).Panicf", "(*log.Logger).Panicln":
		return true
	}
	return false
}
