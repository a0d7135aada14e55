package summary

import (
	"bytes"
	"compress/flate"
	"io"
	"math"
	"math/rand"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
)

// equal compares what the encoding carries.
func equal(t *testing.T, got, want *Package) {
	t.Helper()
	strip := func(p *Package) *Package {
		c := Package{Path: p.Path, Strings: p.Strings, Types: p.Types, Structs: p.Structs, Brokers: p.Brokers, Kafka: p.Kafka}
		for _, f := range p.Funcs {
			g := &Func{
				Name: f.Name, Parent: f.Parent, File: f.File, Line: f.Line, Params: f.Params, Free: f.Free, Result: f.Result,
				HasRcv: f.HasRcv, Test: f.Test, Listener: f.Listener,
				Consts: f.Consts, Funcs: f.Funcs, Globals: f.Globals, Blocks: f.Blocks,
			}
			g.Instrs = append([]Instr(nil), f.Instrs...)
			for i := range g.Instrs {
				g.Instrs[i].Pos = 0
			}
			c.Funcs = append(c.Funcs, g)
		}
		return &c
	}
	g, w := strip(got), strip(want)
	if len(g.Funcs) != len(w.Funcs) {
		t.Fatalf("%d functions, want %d", len(g.Funcs), len(w.Funcs))
	}
	for i := range g.Funcs {
		if !reflect.DeepEqual(g.Funcs[i], w.Funcs[i]) {
			t.Errorf("function %d:\n got %+v\nwant %+v", i, g.Funcs[i], w.Funcs[i])
		}
	}
	g.Funcs, w.Funcs = nil, nil
	if !reflect.DeepEqual(g, w) {
		t.Errorf("package:\n got %+v\nwant %+v", g, w)
	}
}

func roundTrip(t *testing.T, p *Package) *Package {
	t.Helper()
	got, err := Decode(p.Encode())
	if err != nil {
		t.Fatalf("Decode: %v", err)
	}
	equal(t, got, p)
	for _, f := range got.Funcs {
		if f.Pkg != got {
			t.Errorf("%s: Pkg does not point to the decoded package", f.Name)
		}
	}
	return got
}

// full returns a package in which no encoded field is zero.
func full() *Package {
	p := &Package{
		Path:    "example.com/a",
		Strings: []string{"", "example.com/a.F", "example.com/a.g", "Field", "(*database/sql.DB).Exec", "ключ"},
		Types:   []string{"", "*example.com/a.T", "error"},
		Brokers: []string{"AMQP", "NATS"},
		Kafka:   true,
		Structs: []TypeInfo{
			{Name: "example.com/a.T", Fields: []Field{{Name: "ID", Type: "string", Tag: `json:"event_id"`, Embedded: true}}},
			{Name: "example.com/a.Empty"},
		},
	}
	f := &Func{
		Name: "(*example.com/a.T).M$1", Parent: "(*example.com/a.T).M", File: "a.go", Line: 40,
		Params: []uint32{1}, Free: []uint32{2}, Result: []uint32{2, 1}, HasRcv: true, Test: true, Listener: true,
		Consts: []Const{{Kind: ConstString, Int: 1, Str: "text", Type: 1}}, Funcs: []uint32{1}, Globals: []uint32{2},
		Instrs: []Instr{
			{Op: OpCall, Flags: Go | GRPC, Type: 1, Aux: 2, Str: 4, N: 7, Line: 41, Args: []Ref{
				MakeRef(RefInstr, 1), MakeRef(RefParam, 0), MakeRef(RefFree, 0), MakeRef(RefConst, 0), MakeRef(RefFunc, 0), MakeRef(RefGlobal, 0), 0,
			}},
			{Op: OpReturn, Flags: FromEmbed, Type: 1, Aux: 1, Str: 3, N: 1, Line: 39, Args: []Ref{MakeRef(RefInstr, 0)}}, // lines may go back
		},
		Blocks: []Block{{First: 0, Last: 1, Preds: []int{1}, Succs: []int{1, 1}}, {First: 1, Last: 2, Preds: []int{0, 0}, Succs: []int{0}}},
		Pkg:    p,
	}
	p.Funcs = []*Func{f}
	return p
}

// notEncoded are the fields that only a package's own analysis knows.
var notEncoded = map[string]bool{"Func.Pkg": true, "Func.Pos": true, "Func.flow": true, "Package.memo": true, "Instr.Pos": true}

// TestFullSetsEveryField fails for a field that is added to the model and not
// to full, and thereby to the test of the codec.
func TestFullSetsEveryField(t *testing.T) {
	p := full()
	set := make(map[string]bool)
	var walk func(v reflect.Value)
	walk = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			walk(v.Elem())
		case reflect.Slice:
			for i := range v.Len() {
				walk(v.Index(i))
			}
		case reflect.Struct:
			for i := range v.NumField() {
				name := v.Type().Name() + "." + v.Type().Field(i).Name
				if notEncoded[name] {
					continue
				}
				set[name] = set[name] || !v.Field(i).IsZero()
				walk(v.Field(i))
			}
		}
	}
	walk(reflect.ValueOf(p))
	if len(set) < 35 {
		t.Fatalf("only %d fields found", len(set))
	}
	for name, ok := range set {
		if !ok {
			t.Errorf("full() leaves %s zero", name)
		}
	}
}

func TestRoundTrip(t *testing.T) {
	got := roundTrip(t, full())
	f := find(got, "(*example.com/a.T).M$1")
	if f == nil {
		t.Fatal("Func does not find the decoded function")
	}
	if find(got, "example.com/a.F") != nil {
		t.Error("Func finds a function that is not there")
	}
	in := &f.Instrs[0]
	if f.Text(in) != "(*database/sql.DB).Exec" || f.ResultType(in) != "*example.com/a.T" || f.AuxType(in) != "error" {
		t.Errorf("operands: %q %q %q", f.Text(in), f.ResultType(in), f.AuxType(in))
	}
	if n := f.FuncName(MakeRef(RefFunc, 0)); n != "example.com/a.F" {
		t.Errorf("FuncName(func) = %q", n)
	}
	if n := f.FuncName(MakeRef(RefGlobal, 0)); n != "example.com/a.g" {
		t.Errorf("FuncName(global) = %q", n)
	}
	roundTrip(t, &Package{})
	roundTrip(t, &Package{Path: "example.com/empty", Strings: []string{""}})
}

func TestRoundTripPositionsAreDropped(t *testing.T) {
	p := full()
	p.Funcs[0].Pos, p.Funcs[0].Instrs[0].Pos = 12, 34
	got := roundTrip(t, p)
	if got.Funcs[0].Pos != 0 || got.Funcs[0].Instrs[0].Pos != 0 {
		t.Error("a position of one process's file set survived the encoding")
	}
}

func TestRoundTripEveryKind(t *testing.T) {
	one := func(f *Func) *Package {
		p := &Package{Path: "p", Strings: []string{""}, Types: []string{""}, Funcs: []*Func{f}}
		f.Pkg = p
		return p
	}
	for op := OpInvalid; op <= OpRunDefers; op++ {
		roundTrip(t, one(&Func{Name: "f", Instrs: []Instr{{Op: op}}}))
	}
	for flag := Flag(1); flag != 0; flag <<= 1 {
		roundTrip(t, one(&Func{Name: "f", Instrs: []Instr{{Op: OpCall, Flags: flag}}}))
	}
	for k := ConstNil; k <= ConstOther; k++ {
		for _, n := range []int64{0, 1, -1, math.MaxInt64, math.MinInt64} {
			roundTrip(t, one(&Func{Name: "f", Consts: []Const{{Kind: k, Int: n, Str: "s"}}}))
		}
	}
	for k := RefInstr; k <= RefGlobal; k++ {
		f := &Func{
			Name: "f", Params: []uint32{0, 0}, Free: []uint32{0, 0}, Consts: make([]Const, 2), Funcs: []uint32{0, 0}, Globals: []uint32{0, 0},
			Instrs: []Instr{{Op: OpCopy, Args: []Ref{MakeRef(k, 0), MakeRef(k, 1)}}, {Op: OpJump}},
		}
		roundTrip(t, one(f))
	}
	for _, s := range []string{"", "\x00", "a\nb", "日本語", "\xff\xfe", strings.Repeat("x", 70000)} {
		p := one(&Func{Name: s, Consts: []Const{{Kind: ConstString, Str: s}}})
		p.Strings = append(p.Strings, s)
		roundTrip(t, p)
	}
	for _, lines := range [][]uint32{{0, 0}, {5, 3}, {0, math.MaxUint32}, {math.MaxUint32, 0}} {
		roundTrip(t, one(&Func{Name: "f", Line: lines[1], Instrs: []Instr{{Line: lines[0]}, {Line: lines[1]}, {Line: lines[0]}}}))
	}
}

func TestRefs(t *testing.T) {
	for k := RefNone; k <= RefGlobal; k++ {
		for _, i := range []int{0, 1, 6000, 1<<refShift - 1} {
			if r := MakeRef(k, i); r.Kind() != k || r.Index() != i {
				t.Errorf("MakeRef(%d, %d) = kind %d, index %d", k, i, r.Kind(), r.Index())
			}
		}
	}
	if MakeRef(RefInstr, 0) == 0 || Ref(0).Kind() != RefNone {
		t.Error("the zero Ref must name nothing")
	}
}

// random returns a valid package of arbitrary content.
func random(r *rand.Rand) *Package {
	str := func() string {
		b := make([]byte, r.Intn(12))
		r.Read(b)
		return string(b)
	}
	some := func(n int, make func()) {
		for range r.Intn(n) {
			make()
		}
	}
	p := &Package{Path: str(), Strings: []string{str()}, Types: []string{str()}, Kafka: r.Intn(2) == 0}
	some(20, func() { p.Strings = append(p.Strings, str()) })
	some(20, func() { p.Types = append(p.Types, str()) })
	some(3, func() { p.Brokers = append(p.Brokers, str()) })
	some(4, func() {
		t := TypeInfo{Name: str()}
		some(4, func() {
			t.Fields = append(t.Fields, Field{Name: str(), Type: str(), Tag: str(), Embedded: r.Intn(2) == 0})
		})
		p.Structs = append(p.Structs, t)
	})
	strAt := func() uint32 { return uint32(r.Intn(len(p.Strings))) }
	typAt := func() uint32 { return uint32(r.Intn(len(p.Types))) }
	some(5, func() {
		f := &Func{
			Name: str(), Parent: str(), File: str(), Line: r.Uint32(), Pkg: p,
			HasRcv: r.Intn(2) == 0, Test: r.Intn(2) == 0, Listener: r.Intn(2) == 0,
		}
		some(4, func() { f.Params = append(f.Params, typAt()) })
		some(4, func() { f.Free = append(f.Free, typAt()) })
		some(4, func() { f.Result = append(f.Result, typAt()) })
		some(4, func() { f.Funcs = append(f.Funcs, strAt()) })
		some(4, func() { f.Globals = append(f.Globals, strAt()) })
		some(4, func() {
			f.Consts = append(f.Consts, Const{Kind: ConstKind(r.Intn(int(ConstOther) + 1)), Int: int64(r.Uint64()), Str: str(), Type: typAt()})
		})
		n := r.Intn(30)
		size := map[RefKind]int{
			RefInstr: n, RefParam: len(f.Params), RefFree: len(f.Free), RefConst: len(f.Consts), RefFunc: len(f.Funcs), RefGlobal: len(f.Globals),
		}
		for range n {
			in := Instr{
				Op: Op(r.Intn(int(OpRunDefers) + 1)), Flags: Flag(r.Intn(256)), Type: typAt(), Aux: typAt(), Str: strAt(), N: r.Uint32(), Line: r.Uint32(),
			}
			some(5, func() {
				k := RefKind(r.Intn(int(RefGlobal) + 1))
				if size[k] == 0 {
					in.Args = append(in.Args, 0)
				} else {
					in.Args = append(in.Args, MakeRef(k, r.Intn(size[k])))
				}
			})
			f.Instrs = append(f.Instrs, in)
		}
		blocks := r.Intn(8)
		for i := range blocks {
			b := Block{First: n * i / blocks, Last: n * (i + 1) / blocks}
			some(3, func() { b.Preds = append(b.Preds, r.Intn(blocks)) })
			some(3, func() { b.Succs = append(b.Succs, r.Intn(blocks)) })
			f.Blocks = append(f.Blocks, b)
		}
		p.Funcs = append(p.Funcs, f)
	})
	return p
}

func TestRoundTripRandom(t *testing.T) {
	check := func(seed int64) bool {
		p := random(rand.New(rand.NewSource(seed)))
		roundTrip(t, p)
		again := random(rand.New(rand.NewSource(seed)))
		if !bytes.Equal(p.Encode(), again.Encode()) {
			t.Error("equal packages encode to different bytes")
		}
		return !t.Failed()
	}
	if err := quick.Check(check, &quick.Config{MaxCount: 300}); err != nil {
		t.Error(err)
	}
}

func deflate(raw []byte) []byte {
	var out bytes.Buffer
	z, _ := flate.NewWriter(&out, flate.NoCompression)
	_, _ = z.Write(raw)
	_ = z.Close()
	return out.Bytes()
}

func inflate(t testing.TB, data []byte) []byte {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// use reads everything that a decoded package hands out; an index that points
// outside its table makes it panic.
func use(p *Package) {
	for _, f := range p.Funcs {
		for _, list := range [][]uint32{f.Params, f.Free, f.Result} {
			for _, i := range list {
				_ = p.TypeName(i)
			}
		}
		for i := range f.Funcs {
			_ = f.FuncName(MakeRef(RefFunc, i))
		}
		for i := range f.Globals {
			_ = f.FuncName(MakeRef(RefGlobal, i))
		}
		for _, c := range f.Consts {
			_ = p.TypeName(c.Type)
		}
		for bi, b := range f.Blocks {
			for i := range f.Instrs[b.First:b.Last] {
				in := &f.Instrs[b.First+i]
				_, _, _ = f.Text(in), f.ResultType(in), f.AuxType(in)
				for _, a := range in.Args {
					switch i := a.Index(); a.Kind() {
					case RefInstr:
						_ = f.Instrs[i]
					case RefParam:
						_ = f.Params[i]
					case RefFree:
						_ = f.Free[i]
					case RefConst:
						_ = f.Consts[i]
					case RefFunc, RefGlobal:
						_ = f.FuncName(a)
					}
				}
			}
			for _, s := range b.Succs {
				_ = f.BackEdge(bi, s)
			}
			_, _ = f.ControlledBy(bi), f.InLoop(bi)
		}
		_ = f.ReversePostOrder()
	}
}

func TestDecodeTruncated(t *testing.T) {
	data := full().Encode()
	for n := range data {
		if _, err := Decode(data[:n]); err == nil {
			t.Errorf("the first %d of %d bytes decode without an error", n, len(data))
		}
	}
	raw := inflate(t, data)
	if _, err := Decode(deflate(raw)); err != nil {
		t.Fatal(err)
	}
	for n := range raw {
		if _, err := Decode(deflate(raw[:n])); err == nil {
			t.Errorf("the first %d of %d uncompressed bytes decode without an error", n, len(raw))
		}
	}
	if _, err := Decode(deflate(append(raw, 0))); err == nil {
		t.Error("a byte too many decodes without an error")
	}
}

func TestDecodeCorrupted(t *testing.T) {
	raw := inflate(t, full().Encode())
	data := full().Encode()
	decode := func(b []byte) {
		if p, err := Decode(b); err == nil {
			use(p)
		}
	}
	for i := range raw {
		for bit := range 8 {
			b := bytes.Clone(raw)
			b[i] ^= 1 << bit
			decode(deflate(b))
		}
		for _, v := range []byte{0, 0x7f, 0x80, 0xff} {
			b := bytes.Clone(raw)
			b[i] = v
			decode(deflate(b))
		}
	}
	for i := range data {
		for bit := range 8 {
			b := bytes.Clone(data)
			b[i] ^= 1 << bit
			decode(b)
		}
	}
	for name, b := range map[string][]byte{"nothing": nil, "text": []byte("not a summary"), "an empty stream": deflate(nil)} {
		if _, err := Decode(b); err == nil {
			t.Errorf("%s decodes without an error", name)
		}
	}
}

func TestDecodeVersion(t *testing.T) {
	raw := inflate(t, full().Encode())
	raw[0] = codecVersion + 1
	_, err := Decode(deflate(raw))
	if err == nil || !strings.Contains(err.Error(), "version 2, want 1") {
		t.Errorf("another version: %v", err)
	}
}

// TestDecodeBounds encodes packages whose indices point outside their tables.
func TestDecodeBounds(t *testing.T) {
	for name, change := range map[string]func(f *Func){
		"parameter's type":   func(f *Func) { f.Params[0] = 3 },
		"captured type":      func(f *Func) { f.Free[0] = 3 },
		"result's type":      func(f *Func) { f.Result[0] = 3 },
		"constant's type":    func(f *Func) { f.Consts[0].Type = 3 },
		"function's name":    func(f *Func) { f.Funcs[0] = 6 },
		"global's name":      func(f *Func) { f.Globals[0] = 6 },
		"instruction's type": func(f *Func) { f.Instrs[0].Type = 3 },
		"second type":        func(f *Func) { f.Instrs[0].Aux = 3 },
		"name operand":       func(f *Func) { f.Instrs[0].Str = 6 },
		"largest index":      func(f *Func) { f.Instrs[0].Str = math.MaxUint32 },
		"instruction":        func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefInstr, 2) },
		"parameter":          func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefParam, 1) },
		"captured variable":  func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefFree, 1) },
		"constant":           func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefConst, 1) },
		"function":           func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefFunc, 1) },
		"global":             func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefGlobal, 1) },
		"no table":           func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefNone, 1) },
		"unknown table":      func(f *Func) { f.Instrs[0].Args[0] = MakeRef(RefGlobal+1, 0) },
		"end of a block":     func(f *Func) { f.Blocks[1].Last = 3 },
		"empty block":        func(f *Func) { f.Blocks[0].First = 2 },
		"negative start":     func(f *Func) { f.Blocks[0].First = -1 },
		"negative end":       func(f *Func) { f.Blocks[0].First, f.Blocks[0].Last = -2, -1 },
		"predecessor":        func(f *Func) { f.Blocks[0].Preds[0] = 2 },
		"successor":          func(f *Func) { f.Blocks[0].Succs[1] = 2 },
		"negative successor": func(f *Func) { f.Blocks[0].Succs[1] = -1 },
	} {
		p := full()
		change(p.Funcs[0])
		if _, err := Decode(p.Encode()); err == nil {
			t.Errorf("%s outside its table: no error", name)
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte(nil))
	f.Add(full().Encode())
	f.Add(inflate(f, full().Encode()))
	for seed := range int64(8) {
		data := random(rand.New(rand.NewSource(seed))).Encode()
		f.Add(data)
		raw := inflate(f, data)
		f.Add(raw)
		f.Add(raw[:len(raw)/2])
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		// As a stream, and as what a stream holds: few mutations of a
		// compressed stream are one.
		for _, b := range [][]byte{data, deflate(data)} {
			p, err := Decode(b)
			if err != nil {
				continue
			}
			use(p)
			again, err := Decode(p.Encode())
			if err != nil {
				t.Fatalf("a decoded package encodes to something that does not decode: %v", err)
			}
			equal(t, again, p)
		}
	})
}

// find returns the function of that full name, nil when there is none.
func find(p *Package, name string) *Func {
	for _, f := range p.Funcs {
		if f.Name == name {
			return f
		}
	}
	return nil
}
