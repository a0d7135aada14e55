package summary

import (
	"bytes"
	"compress/flate"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// The encoding is a plain sequence of unsigned varints and length-prefixed
// strings, compressed with DEFLATE. It has no maps, so equal packages encode
// to equal bytes.
const codecVersion = 1

var errCorrupt = errors.New("summary: corrupt encoding")

type writer struct{ buf []byte }

func (w *writer) uint(v uint64) { w.buf = binary.AppendUvarint(w.buf, v) }
func (w *writer) int(v int64)   { w.buf = binary.AppendVarint(w.buf, v) }
func (w *writer) bool(b bool) {
	if b {
		w.uint(1)
	} else {
		w.uint(0)
	}
}
func (w *writer) str(s string) {
	w.uint(uint64(len(s)))
	w.buf = append(w.buf, s...)
}
func (w *writer) strs(ss []string) {
	w.uint(uint64(len(ss)))
	for _, s := range ss {
		w.str(s)
	}
}
func (w *writer) u32s(vs []uint32) {
	w.uint(uint64(len(vs)))
	for _, v := range vs {
		w.uint(uint64(v))
	}
}
func (w *writer) ints(vs []int) {
	w.uint(uint64(len(vs)))
	for _, v := range vs {
		w.uint(uint64(v))
	}
}

// Encode returns the compact form of p. Positions that only the package's own
// analysis knows are left out.
func (p *Package) Encode() []byte {
	w := &writer{}
	w.uint(codecVersion)
	w.str(p.Path)
	w.strs(p.Strings)
	w.strs(p.Types)
	w.strs(p.Brokers)
	w.bool(p.Kafka)
	w.uint(uint64(len(p.Structs)))
	for _, t := range p.Structs {
		w.str(t.Name)
		w.uint(uint64(len(t.Fields)))
		for _, f := range t.Fields {
			w.str(f.Name)
			w.str(f.Type)
			w.str(f.Tag)
			w.bool(f.Embedded)
		}
	}
	w.uint(uint64(len(p.Funcs)))
	for _, f := range p.Funcs {
		f.encode(w)
	}
	var out bytes.Buffer
	z, err := flate.NewWriter(&out, flate.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	_, _ = z.Write(w.buf) // a bytes.Buffer takes every write
	_ = z.Close()
	return out.Bytes()
}

func (f *Func) encode(w *writer) {
	w.str(f.Name)
	w.str(f.Parent)
	w.str(f.File)
	w.uint(uint64(f.Line))
	w.u32s(f.Params)
	w.u32s(f.Free)
	w.u32s(f.Result)
	w.bool(f.HasRcv)
	w.bool(f.Test)
	w.bool(f.Listener)
	w.uint(uint64(len(f.Consts)))
	for _, c := range f.Consts {
		w.uint(uint64(c.Kind))
		w.int(c.Int)
		w.str(c.Str)
		w.uint(uint64(c.Type))
	}
	w.u32s(f.Funcs)
	w.u32s(f.Globals)
	w.uint(uint64(len(f.Instrs)))
	line := int64(f.Line)
	for i := range f.Instrs {
		in := &f.Instrs[i]
		w.uint(uint64(in.Op))
		w.uint(uint64(in.Flags))
		w.uint(uint64(in.Type))
		w.uint(uint64(in.Aux))
		w.uint(uint64(in.Str))
		w.uint(uint64(in.N))
		w.int(int64(in.Line) - line)
		line = int64(in.Line)
		w.uint(uint64(len(in.Args)))
		for _, a := range in.Args {
			w.uint(uint64(a.Index())<<3 | uint64(a.Kind()))
		}
	}
	w.uint(uint64(len(f.Blocks)))
	for _, b := range f.Blocks {
		w.uint(uint64(b.First))
		w.uint(uint64(b.Last))
		w.ints(b.Preds)
		w.ints(b.Succs)
	}
}

type reader struct {
	buf []byte
	bad bool
}

func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.buf)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

func (r *reader) int() int64 {
	v, n := binary.Varint(r.buf)
	if n <= 0 {
		r.bad = true
		return 0
	}
	r.buf = r.buf[n:]
	return v
}

func (r *reader) bool() bool { return r.uint() != 0 }

func (r *reader) str() string {
	n := r.count()
	s := string(r.buf[:n])
	r.buf = r.buf[n:]
	return s
}

// count reads a length; every element takes at least one byte, so a length
// beyond the rest of the buffer is corrupt.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.buf)) {
		r.bad = true
		return 0
	}
	return int(n)
}

func (r *reader) strs() []string {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]string, n)
	for i := range out {
		out[i] = r.str()
	}
	return out
}

func (r *reader) u32s() []uint32 {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]uint32, n)
	for i := range out {
		out[i] = uint32(r.uint())
	}
	return out
}

func (r *reader) ints() []int {
	n := r.count()
	if n == 0 {
		return nil
	}
	out := make([]int, n)
	for i := range out {
		out[i] = int(r.uint())
	}
	return out
}

// Decode restores a package from its encoded form. It returns an error when
// the bytes are not a whole encoding of this version.
func Decode(data []byte) (*Package, error) {
	raw, err := io.ReadAll(flate.NewReader(bytes.NewReader(data)))
	if err != nil {
		return nil, fmt.Errorf("summary: %w", err)
	}
	r := &reader{buf: raw}
	if v := r.uint(); v != codecVersion {
		return nil, fmt.Errorf("summary: encoding version %d, want %d", v, codecVersion)
	}
	p := &Package{Path: r.str(), Strings: r.strs(), Types: r.strs(), Brokers: r.strs(), Kafka: r.bool()}
	for range r.count() {
		t := TypeInfo{Name: r.str()}
		for range r.count() {
			t.Fields = append(t.Fields, Field{Name: r.str(), Type: r.str(), Tag: r.str(), Embedded: r.bool()})
		}
		p.Structs = append(p.Structs, t)
	}
	for range r.count() {
		f := decodeFunc(r)
		f.Pkg = p
		if r.bad || !f.valid(p) {
			return nil, errCorrupt
		}
		p.Funcs = append(p.Funcs, f)
	}
	if r.bad || len(r.buf) != 0 {
		return nil, errCorrupt
	}
	return p, nil
}

func decodeFunc(r *reader) *Func {
	f := &Func{
		Name: r.str(), Parent: r.str(), File: r.str(), Line: uint32(r.uint()),
		Params: r.u32s(), Free: r.u32s(), Result: r.u32s(), HasRcv: r.bool(), Test: r.bool(), Listener: r.bool(),
	}
	for range r.count() {
		f.Consts = append(f.Consts, Const{
			Kind: ConstKind(r.uint()), Int: r.int(), Str: r.str(), Type: uint32(r.uint()),
		})
	}
	f.Funcs, f.Globals = r.u32s(), r.u32s()
	line := int64(f.Line)
	for range r.count() {
		in := Instr{
			Op: Op(r.uint()), Flags: Flag(r.uint()), Type: uint32(r.uint()), Aux: uint32(r.uint()),
			Str: uint32(r.uint()), N: uint32(r.uint()),
		}
		line += r.int()
		in.Line = uint32(line)
		if n := r.count(); n > 0 {
			in.Args = make([]Ref, n)
			for i := range in.Args {
				v := r.uint()
				in.Args[i] = MakeRef(RefKind(v&7), int(v>>3))
			}
		}
		f.Instrs = append(f.Instrs, in)
	}
	for range r.count() {
		f.Blocks = append(f.Blocks, Block{
			First: int(r.uint()), Last: int(r.uint()), Preds: r.ints(), Succs: r.ints(),
		})
	}
	return f
}

// valid reports whether every index in f points into its table, so that a
// damaged fact cannot make the engine panic.
func (f *Func) valid(p *Package) bool {
	str := func(i uint32) bool { return int(i) < len(p.Strings) }
	typ := func(i uint32) bool { return int(i) < len(p.Types) }
	for _, list := range [][]uint32{f.Params, f.Free, f.Result} {
		for _, t := range list {
			if !typ(t) {
				return false
			}
		}
	}
	for _, list := range [][]uint32{f.Funcs, f.Globals} {
		for _, s := range list {
			if !str(s) {
				return false
			}
		}
	}
	size := map[RefKind]int{
		RefInstr: len(f.Instrs), RefParam: len(f.Params), RefFree: len(f.Free),
		RefConst: len(f.Consts), RefFunc: len(f.Funcs), RefGlobal: len(f.Globals),
	}
	for _, c := range f.Consts {
		if !typ(c.Type) {
			return false
		}
	}
	for i := range f.Instrs {
		in := &f.Instrs[i]
		if !str(in.Str) || !typ(in.Type) || !typ(in.Aux) {
			return false
		}
		for _, a := range in.Args {
			if a != 0 && a.Index() >= size[a.Kind()] {
				return false
			}
		}
	}
	for _, b := range f.Blocks {
		if b.First < 0 || b.First > b.Last || b.Last > len(f.Instrs) {
			return false
		}
		for _, list := range [][]int{b.Preds, b.Succs} {
			for _, n := range list {
				if n < 0 || n >= len(f.Blocks) {
					return false
				}
			}
		}
	}
	return true
}
