package catalog

import (
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/idemlint/idemlint/internal/linttest"
)

// notChecked are the packages that the catalogue names and that the testdata
// module does not require.
var notChecked = map[string]string{
	"github.com/Shopify/sarama":                             "the old path of IBM/sarama",
	"github.com/ThreeDotsLabs/watermill-kafka/v2/pkg/kafka": "the same names as in v3",
	"github.com/confluentinc/confluent-kafka-go/kafka":      "the same names as in v2",
	"github.com/go-redis/redis/v8":                          "the old path of redis/go-redis",
	"github.com/go-redis/redis/v8/internal/proto":           "the old path of redis/go-redis",
	"github.com/go-redis/redis/v9":                          "the old path of redis/go-redis",
	"github.com/jackc/pgconn":                               "a part of pgx v4",
	"github.com/lithammer/shortuuid":                        "the same names as in v3",
	"github.com/lithammer/shortuuid/v4":                     "the same names as in v3",
	"github.com/matoous/go-nanoid":                          "by hand, as v1.5.1 has it",
	"github.com/jackc/pgx/v4":                               "by hand, as v4.18.3 has it",
	"github.com/jackc/pgx/v4/pgxpool":                       "by hand, as v4.18.3 has it",
	"github.com/mattn/go-sqlite3":                           "not required",
	"github.com/zeromicro/go-queue/kq":                      "not required",
	"go.mongodb.org/mongo-driver/mongo":                     "the same names as in v2",
	"resty.dev/v3":                                          "the same names as in go-resty/resty/v2",
	"uuid":                                                  "in the standard library from Go 1.27",
}

// otherStripe reports whether the package belongs to a major version of Stripe's
// library that the testdata module does not require.
func otherStripe(path string) bool {
	return strings.HasPrefix(path, "github.com/stripe/stripe-go/v") && !strings.HasPrefix(path, "github.com/stripe/stripe-go/v82")
}

// name is a catalogued name, taken apart.
type name struct {
	full, path, typ, fn string
	ptr                 bool
}

func parse(full string) name {
	n := name{full: full}
	rest, isMethod := strings.CutPrefix(full, "(")
	if !isMethod {
		i := strings.LastIndexByte(full, '.')
		n.path, n.fn = full[:i], full[i+1:]
		return n
	}
	recv, fn, _ := strings.Cut(rest, ").")
	recv, n.ptr = strings.CutPrefix(recv, "*")
	i := strings.LastIndexByte(recv, '.')
	n.path, n.typ, n.fn = recv[:i], recv[i+1:], fn
	return n
}

func object(full string) (path, obj string) {
	n := parse(full)
	return n.path, n.fn
}

// paths returns the import paths of all packages that the catalogue names.
func paths(c *Catalog) []string {
	set := make(map[string]bool)
	for n := range c.table() {
		set[parse(n).path] = true
	}
	for n := range c.records {
		set[parse(n).path] = true
	}
	for n := range c.handles {
		set[parse(n).path] = true
	}
	for n := range c.errs {
		set[parse(n).path] = true
	}
	for n := range c.builds {
		set[parse(n).path] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// libraries are the catalogued packages, type-checked at the versions of the
// testdata module.
var libraries = sync.OnceValues(func() (map[string]*types.Package, error) {
	wanted := slices.DeleteFunc(paths(New(nil)), func(path string) bool { return notChecked[path] != "" || otherStripe(path) })
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: linttest.Testdata()}, wanted...)
	if err != nil {
		return nil, err
	}
	out := make(map[string]*types.Package)
	for _, p := range pkgs {
		if len(p.Syntax) > 0 && p.Types != nil {
			out[p.PkgPath] = p.Types
		}
	}
	return out, nil
})

func load(t *testing.T) map[string]*types.Package {
	t.Helper()
	if testing.Short() {
		t.Skip("loads the catalogued libraries from source")
	}
	libs, err := libraries()
	if err != nil {
		t.Fatal(err)
	}
	return libs
}

func TestPackages(t *testing.T) {
	libs := load(t)
	c := New(nil)
	gomod, err := os.ReadFile(filepath.Join(linttest.Testdata(), "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	checked := 0
	for _, path := range paths(c) {
		switch {
		case libs[path] != nil:
			checked++
		case notChecked[path] == "" && !otherStripe(path):
			t.Errorf("there is no package %s in the libraries of the testdata module: require it there, or name it in notChecked", path)
		}
	}
	for path := range notChecked {
		if !slices.Contains(paths(c), path) {
			t.Errorf("notChecked names %s, which the catalogue does not", path)
		}
		for line := range strings.Lines(string(gomod)) {
			mod, _, _ := strings.Cut(strings.TrimSpace(line), " ")
			if !strings.Contains(line, "// indirect") && strings.Contains(mod, "/") && (path == mod || strings.HasPrefix(path, mod+"/")) {
				t.Errorf("notChecked names %s, but the testdata module requires %s", path, mod)
			}
		}
	}
	t.Logf("%d packages checked, %d not", checked, len(notChecked))
	if len(notChecked) != 17 || checked < 40 {
		t.Errorf("%d packages checked, %d not; want at least 40, and 17", checked, len(notChecked))
	}
}

// find returns the function of that name in a package, nil when there is none.
func find(pkg *types.Package, n name) *types.Func {
	if pkg == nil {
		return nil
	}
	if n.typ == "" {
		fn, _ := pkg.Scope().Lookup(n.fn).(*types.Func)
		return fn
	}
	tn, ok := pkg.Scope().Lookup(n.typ).(*types.TypeName)
	if !ok {
		return nil
	}
	// The look-ups try the pointer and the value form.
	obj, _, _ := types.LookupFieldOrMethod(tn.Type(), true, pkg, n.fn)
	fn, _ := obj.(*types.Func)
	return fn
}

// TestNames: each function, type and method of the rows is there. Rows that are
// made for several receivers at once may have some that lack the method, but
// each method is on one of them at least, and each type has one of the methods.
func TestNames(t *testing.T) {
	libs := load(t)
	c := New(nil)
	methods := make(map[string]bool) // path.method: on some receiver
	kinds := make(map[string]bool)   // path.type: with some method
	checked := 0
	for full := range c.table() {
		n := parse(full)
		if find(libs[n.path], n) != nil {
			methods[n.path+"."+n.fn], kinds[n.path+"."+n.typ] = true, true
		}
	}
	for _, full := range c.Names() {
		n := parse(full)
		if libs[n.path] == nil {
			continue
		}
		checked++
		if find(libs[n.path], n) != nil {
			continue
		}
		switch {
		case n.typ == "":
			t.Errorf("%s: %s has no function %s", full, n.path, n.fn)
		case libs[n.path].Scope().Lookup(n.typ) == nil:
			t.Errorf("%s: %s has no type %s", full, n.path, n.typ)
		case !methods[n.path+"."+n.fn]:
			t.Errorf("%s: no catalogued type of %s has a method %s", full, n.path, n.fn)
		case !kinds[n.path+"."+n.typ]:
			t.Errorf("%s: %s has none of the methods that the catalogue names", full, n.typ)
		}
	}
	t.Logf("%d names checked", checked)
	if checked < 1000 {
		t.Errorf("only %d names checked", checked)
	}
}

// TestPromoted: a static call of a promoted method bears the name of the type
// that declares it, so that type must be in the catalogue too.
func TestPromoted(t *testing.T) {
	libs := load(t)
	c := New(nil)
	promoted := 0
	for full := range c.table() {
		n := parse(full)
		fn := find(libs[n.path], n)
		if fn == nil || n.typ == "" {
			continue
		}
		recv := fn.Signature().Recv().Type()
		if p, ok := types.Unalias(recv).(*types.Pointer); ok {
			recv = p.Elem()
		}
		named, ok := types.Unalias(recv).(*types.Named)
		if !ok || types.IsInterface(named) || named.Obj().Name() == n.typ {
			continue
		}
		promoted++
		declared := named.Obj().Pkg().Path() + "." + named.Obj().Name()
		if c.Method(declared, n.fn) == nil {
			t.Errorf("%s is declared by %s, which the catalogue does not name: a call is not recognised", full, declared)
		}
	}
	if promoted < 10 {
		t.Errorf("only %d promoted methods", promoted)
	}
}

// positions are the operands of a row.
func positions(r *Row) map[string]Arg {
	return map[string]Arg{
		"Handle": r.Handle, "Text": r.Text, "Vals": r.Vals, "Dest": r.Dest, "Key": r.Key,
		"Fn": r.Fn, "Model": r.Model, "Method": r.Method, "URL": r.URL, "Life": r.Life,
	}
}

// TestPositions: the operands of each row are in the signature, and of a type
// that they can have.
func TestPositions(t *testing.T) {
	libs := load(t)
	c := New(nil)
	checked := 0
	for full, r := range c.table() {
		fn := find(libs[parse(full).path], parse(full))
		if fn == nil {
			continue
		}
		sig := fn.Signature()
		for what, at := range positions(r) {
			if at == None {
				continue
			}
			checked++
			complain := func(format string, args ...any) {
				t.Errorf("%s: %s: %s (the signature is %s)", full, what, fmt.Sprintf(format, args...), sig)
			}
			if at == Recv {
				if sig.Recv() == nil {
					complain("a function has no receiver")
				}
				continue
			}
			i := int(at - A0)
			if i >= sig.Params().Len() {
				complain("there is no argument %d", i)
				continue
			}
			typ := sig.Params().At(i).Type()
			if !fits(what, r, typ) {
				complain("argument %d is a %s", i, typ)
			}
			// The values end the call, perhaps as "value, values...".
			if last := sig.Params().Len() - 1; what == "Vals" && i != last && !(sig.Variadic() && i == last-1) {
				complain("argument %d is not the last", i)
			}
		}
	}
	t.Logf("%d positions checked", checked)
	if checked < 1000 {
		t.Errorf("only %d positions checked", checked)
	}
}

// fits reports whether a parameter of that type can be the operand.
func fits(what string, r *Row, typ types.Type) bool {
	under := typ.Underlying()
	elem := under
	if s, ok := under.(*types.Slice); ok {
		elem = s.Elem().Underlying()
	}
	_, iface := under.(*types.Interface)
	_, pointer := under.(*types.Pointer)
	_, slice := under.(*types.Slice)
	text := types.Identical(under, types.Typ[types.String])
	switch what {
	case "Method", "URL":
		return text
	case "Text":
		switch r.Verb {
		case Build: // a table's name, an expression, or the generated table
			return text || iface || slice
		case Copy: // the parts of a table's name
			return types.Identical(elem, types.Typ[types.String])
		}
		return text
	case "Vals", "Dest":
		return iface || slice || pointer
	case "Handle":
		return iface || pointer
	case "Model":
		return iface || pointer
	case "Fn":
		if _, ok := under.(*types.Signature); ok {
			return r.Field == "" || r.Verb == Once
		}
		return has(typ, r.Field)
	case "Key":
		switch r.Verb {
		case PutAbsent, Put, Get, Del, Incr:
			return text || iface || slice || pointer
		case Send:
			_, headers := under.(*types.Map)
			return pointer || headers
		}
	}
	return true
}

// has reports whether the type, or that of its elements, has a field or method.
func has(typ types.Type, field string) bool {
	if s, ok := typ.Underlying().(*types.Slice); ok {
		typ = s.Elem()
	}
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = p.Elem()
	}
	var pkg *types.Package
	if n, ok := types.Unalias(typ).(*types.Named); ok {
		pkg = n.Obj().Pkg()
	}
	obj, _, _ := types.LookupFieldOrMethod(typ, true, pkg, field)
	return obj != nil && field != ""
}

// hasPath reports whether the type has the fields of a path, each in the one before.
func hasPath(typ types.Type, path string) bool {
	field, rest, more := strings.Cut(path, ".")
	if !has(typ, field) {
		return false
	}
	if !more {
		return true
	}
	if p, ok := types.Unalias(typ).(*types.Pointer); ok {
		typ = p.Elem()
	}
	obj, _, _ := types.LookupFieldOrMethod(typ, true, nil, field)
	return obj != nil && hasPath(obj.Type(), rest)
}

// TestFields: the field that a row speaks of is in one of the arguments.
func TestFields(t *testing.T) {
	libs := load(t)
	checked := 0
	for full, r := range New(nil).table() {
		field, _, _ := strings.Cut(r.Field, "=")
		fn := find(libs[parse(full).path], parse(full))
		if r.Verb == Compose && fn != nil {
			for _, field := range strings.Split(r.Field, ",") {
				if field != "" && !has(fn.Signature().Results().At(0).Type(), field) {
					t.Errorf("%s: the result has no field %s (the signature is %s)", full, field, fn.Signature())
				}
			}
			continue
		}
		if fn == nil || field == "" || field == "update" { // an update document is a map
			continue
		}
		checked++
		parts := []string{field}
		if r.Verb == Processor {
			parts = strings.Fields(field)
		}
		for _, field := range parts {
			found := false
			for v := range fn.Signature().Params().Variables() {
				found = found || hasPath(v.Type(), field)
			}
			if !found {
				t.Errorf("%s: no argument has a field or method %s (the signature is %s)", full, field, fn.Signature())
			}
		}
	}
	if checked < 10 {
		t.Errorf("only %d fields checked", checked)
	}
}

// TestHandles: what opens a pool or begins a transaction returns a type that
// the catalogue knows as such.
func TestHandles(t *testing.T) {
	libs := load(t)
	c := New(nil)
	for full, kind := range c.handles {
		path, obj := object(full)
		if pkg := libs[path]; pkg != nil {
			if _, ok := pkg.Scope().Lookup(obj).(*types.TypeName); !ok {
				t.Errorf("%s has no type %s", path, obj)
			}
		}
		if kind == NotHandle {
			t.Errorf("%s is listed as no handle", full)
		}
	}
	checked := 0
	for full, r := range c.table() {
		fn := find(libs[parse(full).path], parse(full))
		if fn == nil || r.Verb != Begin && r.Verb != Open {
			continue
		}
		checked++
		res := fn.Signature().Results()
		if res.Len() == 0 {
			t.Errorf("%s returns nothing", full)
			continue
		}
		typ := res.At(0).Type()
		if p, ok := types.Unalias(typ).(*types.Pointer); ok {
			typ = p.Elem()
		}
		got := c.Handle(types.TypeString(typ, nil))
		if want := map[Verb]HandleKind{Begin: Tx, Open: Pool}[r.Verb]; got != want && got != Either {
			t.Errorf("%s returns a %s, which the catalogue takes for %d, want %d or %d", full, typ, got, want, Either)
		}
	}
	if checked < 25 {
		t.Errorf("only %d openers checked", checked)
	}
}

func TestErrorsAndBuilders(t *testing.T) {
	libs := load(t)
	c := New(nil)
	for full, class := range c.errs {
		path, obj := object(full)
		if pkg := libs[path]; pkg != nil {
			switch pkg.Scope().Lookup(obj).(type) {
			case *types.Var, *types.TypeName, *types.Const:
			default:
				t.Errorf("%s has no error %s", path, obj)
			}
		}
		if class == NoClass {
			t.Errorf("%s has no class", full)
		}
	}
	for full := range c.builds {
		path, obj := object(full)
		if pkg := libs[path]; pkg != nil {
			if _, ok := pkg.Scope().Lookup(obj).(*types.TypeName); !ok {
				t.Errorf("%s has no type %s", path, obj)
			}
		}
	}
}

func TestRecords(t *testing.T) {
	libs := load(t)
	checked := 0
	for full, r := range New(nil).records {
		path, obj := object(full)
		if libs[path] == nil {
			continue
		}
		tn, ok := libs[path].Scope().Lookup(obj).(*types.TypeName)
		if !ok {
			t.Errorf("%s has no type %s", path, obj)
			continue
		}
		// A part may stand inside a nested struct.
		where := []types.Type{tn.Type()}
		for field, part := range r.Fields {
			if v, _, _ := types.LookupFieldOrMethod(tn.Type(), true, libs[path], field); v != nil && part == Nested {
				where = append(where, v.Type())
			}
		}
		parts := make(map[RecordPart]bool)
		for field, part := range r.Fields {
			parts[part] = true
			if !slices.ContainsFunc(where, func(typ types.Type) bool { return has(typ, field) }) {
				t.Errorf("%s has no %s", full, field)
			}
		}
		if !parts[Payload] || !parts[Headers] {
			t.Errorf("%s: neither payload nor headers may be missing", full)
		}
		checked++
	}
	if checked != 5 {
		t.Errorf("%d record types checked, want one of each of five clients", checked)
	}
}

// TestLibraries: each package that has rows is a library of the catalogue, and
// each Kafka client has rows that give records.
func TestLibraries(t *testing.T) {
	c := New(nil)
	std := map[string]bool{"context": true, "crypto/rand": true, "io": true, "net/url": true, "net/http": true, "net/smtp": true, "sync": true, "time": true, "uuid": true}
	sources := make(map[string]bool)
	for full, r := range c.table() {
		n := parse(full)
		if c.Library(n.path) == NotLibrary && !std[n.path] {
			t.Errorf("%s: the package is no library of the catalogue", full)
		}
		if r.Verb == Source || r.Verb == Callback || r.Verb == RecordOf || r.Verb == Processor {
			for path := n.path; ; {
				sources[path] = true
				i := strings.LastIndexByte(path, '/')
				if i < 0 {
					break
				}
				path = path[:i]
			}
		}
		if r.Verb == NoVerb || r.Name != full {
			t.Errorf("%s: verb %d, name %q", full, r.Verb, r.Name)
		}
	}
	clients := 0
	for path, kind := range c.libs {
		if kind != Records {
			continue
		}
		clients++
		if !sources[path] {
			t.Errorf("%s is a Kafka client of which no row gives a record", path)
		}
	}
	if clients < 8 {
		t.Errorf("only %d Kafka clients", clients)
	}
}

func TestLibrary(t *testing.T) {
	c := New(nil)
	for path, want := range map[string]LibraryKind{
		"github.com/IBM/sarama":                                 Records,
		"github.com/IBM/sarama/mocks":                           Records,
		"github.com/IBM/sarama-tools":                           NotLibrary,
		"github.com/IBM":                                        NotLibrary,
		"github.com/twmb/franz-go/pkg/kgo":                      Records,
		"github.com/ThreeDotsLabs/watermill":                    Support,
		"github.com/ThreeDotsLabs/watermill/message":            Support,
		"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka": Records,
		"github.com/aws/aws-sdk-go-v2/service/dynamodb":         Stores,
		"github.com/aws/aws-sdk-go-v2/service/sqs":              Effects,
		"github.com/aws/aws-sdk-go-v2/service/s3":               Support,
		"database/sql":                                          Stores,
		"database":                                              NotLibrary,
		"net/http":                                              NotLibrary,
		"gorm.io/gorm/clause":                                   Stores,
		"gorm.io/driver/postgres":                               NotLibrary,
		"":                                                      NotLibrary,
	} {
		if got := c.Library(path); got != want {
			t.Errorf("Library(%q) = %d, want %d", path, got, want)
		}
	}
	for path, want := range map[string]string{
		"github.com/ThreeDotsLabs/watermill/pubsub/gochannel":   "an in-process channel",
		"github.com/ThreeDotsLabs/watermill-amqp/v3/pkg/amqp":   "AMQP",
		"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka": "",
		"github.com/ThreeDotsLabs/watermill":                    "",
		"github.com/ThreeDotsLabs/watermill-amqplike":           "",
	} {
		if got := c.OtherBroker(path); got != want {
			t.Errorf("OtherBroker(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestLookups(t *testing.T) {
	extra := []Row{
		{Name: "(*database/sql.DB).Ping", Verb: Effect, Kind: "a ping"},
		{Name: "(*database/sql.DB).Exec", Verb: Derive},
		{Name: "(example.com/p.I).Do", Verb: Effect},
	}
	c := New(extra)
	if r := c.Row("(*database/sql.DB).Ping"); r == nil || r.Kind != "a ping" {
		t.Errorf("a row of the configuration is not found: %+v", r)
	}
	if r := c.Row("(*database/sql.DB).Exec"); r == nil || r.Verb != Derive {
		t.Errorf("a row of the configuration does not replace the built-in one: %+v", r)
	}
	if r := New(nil).Row("(*database/sql.DB).Exec"); r.Verb != Exec {
		t.Errorf("the configuration changed the built-in row: %+v", r)
	}
	if c.Row("(*database/sql.DB).Nosuch") != nil || c.Row("") != nil || c.Row("(") != nil {
		t.Error("a row for a name that is not there")
	}
	for _, typ := range []string{"database/sql.DB", "*database/sql.DB"} {
		if r := c.Method(typ, "Query"); r == nil || r.Verb != Query {
			t.Errorf("Method(%s, Query) = %+v", typ, r)
		}
		if c.Handle(typ) != Pool {
			t.Errorf("Handle(%s) = %d", typ, c.Handle(typ))
		}
	}
	if r := c.Method("example.com/p.I", "Do"); r == nil {
		t.Error("the interface form is not found")
	}
	if c.Method("database/sql.DB", "Nosuch") != nil {
		t.Error("a row for a method that is not there")
	}
	if r := c.Money(paypal, "CreatePayout"); r == nil || !r.Money {
		t.Errorf("Money(paypal, CreatePayout) = %+v", r)
	}
	if c.Money(paypal, "NewRequest") != nil || c.Money("github.com/stripe/stripe-go/v82", "Create") != nil || c.Money("", "") != nil {
		t.Error("a money call for a name that moves none, or that several have")
	}
	if c.Record("*github.com/IBM/sarama.ConsumerMessage") == nil || c.Record("github.com/IBM/sarama.ProducerMessage") != nil {
		t.Error("Record")
	}
	if c.Error("*github.com/lib/pq.Error") != Violation || c.Error("database/sql.ErrNoRows") != NoRows || c.Error("io.EOF") != NoClass {
		t.Error("Error")
	}
	if !c.Builder("*gorm.io/gorm.DB") || c.Builder("database/sql.DB") {
		t.Error("Builder")
	}
	if !slices.IsSorted(c.Names()) || len(c.Names()) != len(c.table()) {
		t.Error("Names")
	}
	if ArgAt(0) != A0 || ArgAt(5) != A5 {
		t.Error("ArgAt")
	}
	for s := NoStore; s <= DynamoDB; s++ {
		if s.String() == "" {
			t.Errorf("store %d has no name", s)
		}
	}
}

// TestEnt: the forms of names that stand for ent's generated code are those of
// a client that ent has generated.
func TestEnt(t *testing.T) {
	if testing.Short() {
		t.Skip("loads ent from source")
	}
	const path = "example.com/cases/onconflict/entcase/ent"
	pkgs, err := packages.Load(&packages.Config{Mode: packages.LoadAllSyntax, Dir: linttest.Testdata()}, path)
	if err != nil || len(pkgs) != 1 || pkgs[0].Types == nil {
		t.Fatal(err)
	}
	const schema = "ProcessedEvent"
	c := New(nil)
	for _, w := range []struct {
		typ     string
		methods []string
		want    Row
	}{
		{"Client", []string{"Tx", "BeginTx"}, Row{Verb: Begin, Handle: Recv}},
		{"Tx", []string{"Commit"}, Row{Verb: Commit, Handle: Recv}},
		{"Tx", []string{"Rollback"}, Row{Verb: Rollback, Handle: Recv}},
		{"Tx", []string{"Client"}, Row{Verb: Rebind, Handle: Recv}},
		{schema + "Client", []string{"Create", "CreateBulk", "MapCreateBulk"}, Row{Verb: Build, Handle: Recv, Const: schema, Part: PartInsert}},
		{schema + "Client", []string{"Update", "UpdateOne", "UpdateOneID"}, Row{Verb: Build, Handle: Recv, Const: schema, Part: PartUpdate}},
		{schema + "Client", []string{"Delete", "DeleteOne", "DeleteOneID"}, Row{Verb: Build, Handle: Recv, Const: schema, Part: PartDelete}},
		{schema + "Client", []string{"Query"}, Row{Verb: Build, Handle: Recv, Const: schema, Part: PartSelect}},
		{schema + "Create", []string{"OnConflict", "OnConflictColumns"}, Row{Verb: Build, Part: PartConflict, Vals: A0}},
		{schema + "Create", []string{"Save", "SaveX", "Exec", "ExecX"}, Row{Verb: Run}},
		{schema + "Create", []string{"SetConsumerGroup"}, Row{Verb: Build, Part: PartValues, Vals: A0}},
		{schema + "CreateBulk", []string{"OnConflict", "OnConflictColumns"}, Row{Verb: Build, Part: PartConflict, Vals: A0}},
		{schema + "CreateBulk", []string{"Save", "SaveX", "Exec", "ExecX"}, Row{Verb: Run}},
		{schema + "UpsertOne", []string{"DoNothing"}, Row{Verb: Build, Part: PartNothing, Vals: A0}},
		{schema + "UpsertBulk", []string{"DoNothing"}, Row{Verb: Build, Part: PartNothing, Vals: A0}},
		{schema + "UpsertOne", []string{"UpdateNewValues", "Update", "Ignore"}, Row{Verb: Build, Part: PartDoUpdate, Vals: A0}},
		{schema + "UpsertBulk", []string{"UpdateNewValues", "Update", "Ignore"}, Row{Verb: Build, Part: PartDoUpdate, Vals: A0}},
		{schema + "UpsertOne", []string{"Exec", "ExecX"}, Row{Verb: Run, Const: "no rows"}},
		{schema + "Update", []string{"Where"}, Row{Verb: Build, Part: PartWhere}},
		{schema + "UpdateOne", []string{"Where"}, Row{Verb: Build, Part: PartWhere}},
		{schema + "Update", []string{"Save", "SaveX", "Exec", "ExecX"}, Row{Verb: Run}},
		{schema + "Delete", []string{"Where"}, Row{Verb: Build, Part: PartWhere}},
		{schema + "Delete", []string{"Exec", "ExecX"}, Row{Verb: Run}},
		{schema + "Query", []string{"Where"}, Row{Verb: Build, Part: PartWhere}},
		{schema + "Query", []string{"Exist", "ExistX", "Count", "CountX"}, Row{Verb: Run, Kind: "one row"}},
		{schema + "Query", []string{"First", "Only", "FirstX", "OnlyX", "FirstID", "OnlyID"}, Row{Verb: Run, Const: "must find"}},
		{schema + "Query", []string{"All", "AllX", "IDs"}, Row{Verb: Run}},
	} {
		for _, m := range w.methods {
			n := name{path: path, typ: w.typ, fn: m}
			if find(pkgs[0].Types, n) == nil {
				t.Errorf("ent generates no method %s of %s", m, w.typ)
			}
			full := "(*" + path + "." + w.typ + ")." + m
			w.want.Name = full
			if got := c.Row(full); got == nil || *got != w.want {
				t.Errorf("Row(%s) = %+v, want %+v", full, got, w.want)
			}
			if got := c.Method(path+"."+w.typ, m); got == nil || *got != w.want {
				t.Errorf("Method(%s, %s) = %+v, want %+v", w.typ, m, got, w.want)
			}
		}
	}
	for _, full := range []string{
		"(*example.com/app/entity.OrderClient).Create", "(*example.com/app/ent.Order).Update", "(*example.com/app/ent.Client).Close", "(*ent.Create).Save",
	} {
		if r := c.Row(full); r != nil {
			t.Errorf("Row(%s) = %+v", full, r)
		}
	}
}
