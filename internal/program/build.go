package program

import (
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/idemlint/idemlint/internal/summary"
)

// builder reduces the SSA form of one package to its summary.
type builder struct {
	fset    *token.FileSet
	pkg     *types.Package
	out     *summary.Package
	strings map[string]uint32
	types   map[string]uint32
	stores  func(*types.Package) bool // the package can reach a store
	structs map[string]bool
}

// maxInstrs bounds a function's body; a larger one (generated tables, parsers)
// is left out, and calls of it are unknown.
const maxInstrs = 6000

func (b *builder) str(s string) uint32 {
	i, ok := b.strings[s]
	if !ok {
		i = uint32(len(b.out.Strings))
		b.strings[s] = i
		b.out.Strings = append(b.out.Strings, s)
	}
	return i
}

func (b *builder) typ(t types.Type) uint32 {
	if t != nil {
		b.addStruct(t)
	}
	name := TypeName(t)
	i, ok := b.types[name]
	if !ok {
		i = uint32(len(b.out.Types))
		b.types[name] = i
		b.out.Types = append(b.out.Types, name)
	}
	return i
}

// addStruct records the fields of the package's own named struct types.
func (b *builder) addStruct(t types.Type) {
	if p, ok := types.Unalias(t).(*types.Pointer); ok {
		t = p.Elem()
	}
	n, ok := types.Unalias(t).(*types.Named)
	if !ok || n.Obj().Pkg() != b.pkg {
		return
	}
	n = n.Origin()
	name := namedName(n.Obj())
	if b.structs[name] {
		return
	}
	b.structs[name] = true
	st, ok := n.Underlying().(*types.Struct)
	if !ok {
		return
	}
	info := summary.TypeInfo{Name: name}
	for i := range st.NumFields() {
		f := st.Field(i)
		info.Fields = append(info.Fields, summary.Field{
			Name: f.Name(), Type: TypeName(f.Type()), Tag: st.Tag(i), Embedded: f.Embedded(),
		})
	}
	b.out.Structs = append(b.out.Structs, info)
}

type funcBuilder struct {
	*builder
	fn      *ssa.Function
	out     *summary.Func
	refs    map[ssa.Value]summary.Ref
	consts  map[summary.Const]summary.Ref
	funcs   map[string]summary.Ref
	globals map[string]summary.Ref
}

// function returns fn's summary, or nil when it is over the bound.
func (b *builder) function(fn *ssa.Function) *summary.Func {
	n := 0
	for _, blk := range fn.Blocks {
		n += len(blk.Instrs)
	}
	if n > maxInstrs {
		return nil
	}
	pos := b.fset.Position(fn.Pos())
	f := &funcBuilder{
		builder: b, fn: fn,
		out: &summary.Func{
			Name: ssaName(fn), File: filepath.Base(pos.Filename), Line: uint32(max(pos.Line, 0)),
			HasRcv: fn.Signature.Recv() != nil, Pos: fn.Pos(), Pkg: b.out,
			Test: strings.HasSuffix(pos.Filename, "_test.go"),
		},
		refs:    make(map[ssa.Value]summary.Ref),
		consts:  make(map[summary.Const]summary.Ref),
		funcs:   make(map[string]summary.Ref),
		globals: make(map[string]summary.Ref),
	}
	if fn.Parent() != nil {
		f.out.Parent = ssaName(fn.Parent())
	}
	for i, p := range fn.Params {
		f.out.Params = append(f.out.Params, b.typ(p.Type()))
		f.refs[p] = summary.MakeRef(summary.RefParam, i)
	}
	for i, v := range fn.FreeVars {
		f.out.Free = append(f.out.Free, b.typ(v.Type()))
		f.refs[v] = summary.MakeRef(summary.RefFree, i)
	}
	for r := range fn.Signature.Results().Variables() {
		f.out.Result = append(f.out.Result, b.typ(r.Type()))
	}
	// Number the instructions first: a phi refers forward.
	at := 0
	for _, blk := range fn.Blocks {
		for _, in := range blk.Instrs {
			if skipped(in) {
				continue
			}
			if v, ok := in.(ssa.Value); ok {
				f.refs[v] = summary.MakeRef(summary.RefInstr, at)
			}
			at++
		}
	}
	for _, blk := range fn.Blocks {
		sb := summary.Block{First: len(f.out.Instrs)}
		for _, in := range blk.Instrs {
			if !skipped(in) {
				f.out.Instrs = append(f.out.Instrs, f.instr(in))
			}
		}
		sb.Last = len(f.out.Instrs)
		for _, p := range blk.Preds {
			sb.Preds = append(sb.Preds, p.Index)
		}
		for _, s := range blk.Succs {
			sb.Succs = append(sb.Succs, s.Index)
		}
		f.out.Blocks = append(f.out.Blocks, sb)
	}
	return f.out
}

func skipped(in ssa.Instruction) bool {
	_, debug := in.(*ssa.DebugRef)
	return debug
}

func (f *funcBuilder) ref(v ssa.Value) summary.Ref {
	if v == nil {
		return 0
	}
	if r, ok := f.refs[v]; ok {
		return r
	}
	switch v := v.(type) {
	case *ssa.Const:
		return f.constant(v)
	case *ssa.Function:
		name := ssaName(v)
		if target, _, ok := method(v); ok {
			name = target
		}
		r, ok := f.funcs[name]
		if !ok {
			r = summary.MakeRef(summary.RefFunc, len(f.out.Funcs))
			f.funcs[name] = r
			f.out.Funcs = append(f.out.Funcs, f.str(name))
		}
		return r
	case *ssa.Global:
		name := v.Name()
		if v.Pkg != nil {
			name = StripVendor(v.Pkg.Pkg.Path()) + "." + name
		}
		r, ok := f.globals[name]
		if !ok {
			r = summary.MakeRef(summary.RefGlobal, len(f.out.Globals))
			f.globals[name] = r
			f.out.Globals = append(f.out.Globals, f.str(name))
		}
		return r
	}
	return 0
}

func (f *funcBuilder) constant(c *ssa.Const) summary.Ref {
	k := summary.Const{Type: f.typ(c.Type())}
	switch {
	case c.Value == nil:
		switch c.Type().Underlying().(type) {
		case *types.Struct, *types.Array, *types.Tuple:
			k.Kind = summary.ConstZero
		default:
			k.Kind = summary.ConstNil
		}
	case c.Value.Kind() == constant.Bool:
		k.Kind = summary.ConstBool
		if constant.BoolVal(c.Value) {
			k.Int = 1
		}
	case c.Value.Kind() == constant.String:
		k.Kind, k.Str = summary.ConstString, constant.StringVal(c.Value)
	default:
		if i, exact := constant.Int64Val(constant.ToInt(c.Value)); exact && constant.ToInt(c.Value).Kind() == constant.Int {
			k.Kind, k.Int = summary.ConstInt, i
		} else {
			k.Kind = summary.ConstOther
		}
	}
	r, ok := f.consts[k]
	if !ok {
		r = summary.MakeRef(summary.RefConst, len(f.out.Consts))
		f.consts[k] = r
		f.out.Consts = append(f.out.Consts, k)
	}
	return r
}

func (f *funcBuilder) refList(vs ...ssa.Value) []summary.Ref {
	out := make([]summary.Ref, len(vs))
	for i, v := range vs {
		out[i] = f.ref(v)
	}
	return out
}

func (f *funcBuilder) instr(in ssa.Instruction) summary.Instr {
	out := summary.Instr{Pos: in.Pos()}
	if out.Pos.IsValid() {
		out.Line = uint32(f.fset.Position(out.Pos).Line)
	}
	out.Type, out.Aux, out.Str = f.typ(nil), f.typ(nil), f.str("")
	if v, ok := in.(ssa.Value); ok {
		out.Type = f.typ(v.Type())
	}
	set := func(op summary.Op, args ...ssa.Value) { out.Op, out.Args = op, f.refList(args...) }
	switch in := in.(type) {
	case *ssa.Call:
		f.call(&out, &in.Call)
	case *ssa.Go:
		f.call(&out, &in.Call)
		out.Flags |= summary.Go
	case *ssa.Defer:
		f.call(&out, &in.Call)
		out.Flags |= summary.Defer
	case *ssa.Alloc:
		set(summary.OpAlloc)
		out.Aux = f.typ(in.Type().Underlying().(*types.Pointer).Elem())
	case *ssa.FieldAddr:
		set(summary.OpFieldAddr, in.X)
		f.field(&out, in.X.Type().Underlying().(*types.Pointer).Elem(), in.Field)
	case *ssa.Field:
		set(summary.OpField, in.X)
		f.field(&out, in.X.Type(), in.Field)
	case *ssa.IndexAddr:
		set(summary.OpIndexAddr, in.X, in.Index)
	case *ssa.Index:
		set(summary.OpIndex, in.X, in.Index)
	case *ssa.Lookup:
		set(summary.OpLookup, in.X, in.Index)
		out.Flags = okFlag(in.CommaOk)
		out.Aux = f.typ(in.X.Type())
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			set(summary.OpLoad, in.X)
		case token.ARROW:
			set(summary.OpRecv, in.X)
			out.Flags = okFlag(in.CommaOk)
		case token.NOT:
			set(summary.OpNot, in.X)
		default:
			set(summary.OpUnary, in.X)
			out.Str = f.str(in.Op.String())
		}
	case *ssa.BinOp:
		set(summary.OpBinOp, in.X, in.Y)
		out.Str = f.str(in.Op.String())
	case *ssa.Store:
		set(summary.OpStore, in.Addr, in.Val)
	case *ssa.MapUpdate:
		set(summary.OpMapUpdate, in.Map, in.Key, in.Value)
		out.Aux = f.typ(in.Map.Type())
	case *ssa.Send:
		set(summary.OpSend, in.Chan, in.X)
	case *ssa.Phi:
		set(summary.OpPhi, in.Edges...)
	case *ssa.Extract:
		set(summary.OpExtract, in.Tuple)
		out.N = uint32(in.Index)
	case *ssa.MakeClosure:
		fn := in.Fn.(*ssa.Function)
		set(summary.OpMakeClosure, in.Bindings...)
		if target, bound, ok := method(fn); ok && bound {
			out.Str, out.N = f.str(target), 1
		} else {
			out.Str = f.str(ssaName(fn))
		}
	case *ssa.MakeInterface:
		set(summary.OpMakeIface, in.X)
		out.Aux, out.Str = f.typ(in.X.Type()), f.str(TypeName(in.Type()))
	case *ssa.TypeAssert:
		set(summary.OpTypeAssert, in.X)
		out.Flags, out.Aux = okFlag(in.CommaOk), f.typ(in.AssertedType)
	case *ssa.ChangeType:
		set(summary.OpCopy, in.X)
	case *ssa.ChangeInterface:
		set(summary.OpCopy, in.X)
	case *ssa.Convert:
		set(summary.OpCopy, in.X)
	case *ssa.MultiConvert:
		set(summary.OpCopy, in.X)
	case *ssa.SliceToArrayPointer:
		set(summary.OpCopy, in.X)
	case *ssa.Slice:
		set(summary.OpSlice, in.X)
	case *ssa.Range:
		set(summary.OpRange, in.X)
	case *ssa.Next:
		set(summary.OpNext, in.Iter)
	case *ssa.MakeMap, *ssa.MakeChan, *ssa.MakeSlice:
		set(summary.OpMake)
	case *ssa.Select:
		set(summary.OpSelect)
		for _, st := range in.States {
			out.Args = append(out.Args, f.ref(st.Chan), f.ref(st.Send))
		}
		out.Flags = okFlag(in.Blocking)
	case *ssa.If:
		set(summary.OpIf, in.Cond)
	case *ssa.Jump:
		set(summary.OpJump)
	case *ssa.Return:
		set(summary.OpReturn, in.Results...)
	case *ssa.Panic:
		set(summary.OpPanic, in.X)
	case *ssa.RunDefers:
		set(summary.OpRunDefers)
	default:
		out.Op = summary.OpInvalid
	}
	return out
}

func okFlag(b bool) summary.Flag {
	if b {
		return summary.CommaOk
	}
	return 0
}

func (f *funcBuilder) field(out *summary.Instr, t types.Type, i int) {
	out.Aux = f.typ(t)
	if st, ok := t.Underlying().(*types.Struct); ok {
		out.Str = f.str(st.Field(i).Name())
		if st.Field(i).Embedded() {
			out.Flags |= summary.FromEmbed
		}
	} else if tp, ok := types.Unalias(t).(*types.TypeParam); ok {
		if st, ok := tp.Constraint().Underlying().(*types.Struct); ok {
			out.Str = f.str(st.Field(i).Name())
		}
	}
}

func (f *funcBuilder) call(out *summary.Instr, c *ssa.CallCommon) {
	if c.Pos().IsValid() {
		out.Pos = c.Pos()
		out.Line = uint32(f.fset.Position(out.Pos).Line)
	}
	sig := c.Signature()
	out.Type = f.typ(resultType(sig))
	if sig.Variadic() {
		out.Flags |= summary.Variadic
		last := sig.Params().At(sig.Params().Len() - 1).Type()
		if TypeName(last) == "[]google.golang.org/grpc.CallOption" {
			out.Flags |= summary.GRPC
		}
	}
	args := f.refList(c.Args...)
	if c.IsInvoke() {
		out.Op, out.Str = summary.OpInvoke, f.str(c.Method.Name())
		out.Aux = f.typ(c.Value.Type())
		out.Args = append([]summary.Ref{f.ref(c.Value)}, args...)
		if pkg := c.Method.Pkg(); pkg != nil && f.stores(pkg) {
			out.Flags |= summary.MayStore
		}
		return
	}
	switch v := c.Value.(type) {
	case *ssa.Builtin:
		out.Op, out.Str, out.Args = summary.OpBuiltin, f.str(v.Name()), args
	case *ssa.Function:
		name := ssaName(v)
		if target, _, ok := method(v); ok {
			name = target
		}
		out.Op, out.Str, out.Args = summary.OpCall, f.str(name), args
		if obj := v.Object(); obj != nil && obj.Pkg() != nil && obj.Pkg() != f.pkg && f.stores(obj.Pkg()) {
			out.Flags |= summary.MayStore
		}
	default:
		out.Op, out.Args = summary.OpCallValue, append([]summary.Ref{f.ref(c.Value)}, args...)
		out.Flags |= summary.MayStore
	}
}

func resultType(sig *types.Signature) types.Type {
	switch sig.Results().Len() {
	case 0:
		return nil
	case 1:
		return sig.Results().At(0).Type()
	}
	return sig.Results()
}

// sortFuncs puts the functions into a stable order.
func sortFuncs(fs []*summary.Func) {
	sort.SliceStable(fs, func(i, j int) bool { return fs[i].Name < fs[j].Name })
}
