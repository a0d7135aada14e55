package program

import (
	"go/types"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// maxTypeName bounds the text kept for types that have no name of their own.
const maxTypeName = 160

// TypeName returns the name by which the catalogue and the summaries know a
// type: "path.T" for a named type, with one leading * for a pointer to it, and
// without type arguments. Other types are written as Go writes them, with full
// package paths, cut at 160 bytes.
func TypeName(t types.Type) string {
	switch t := types.Unalias(t).(type) {
	case nil:
		return ""
	case *types.Named:
		return namedName(t.Obj())
	case *types.Pointer:
		return "*" + TypeName(t.Elem())
	case *types.Slice:
		return "[]" + TypeName(t.Elem())
	case *types.Map:
		return "map[" + TypeName(t.Key()) + "]" + TypeName(t.Elem())
	case *types.Chan:
		return "chan " + TypeName(t.Elem())
	case *types.Basic:
		return t.Name()
	case *types.Tuple:
		names := make([]string, t.Len())
		for i := range names {
			names[i] = TypeName(t.At(i).Type())
		}
		return "(" + strings.Join(names, ",") + ")"
	case *types.Signature:
		return "func" + TypeName(t.Params()) + TypeName(t.Results())
	case *types.TypeParam:
		return "typeparam " + t.Obj().Name()
	default:
		s := types.TypeString(t, func(p *types.Package) string { return p.Path() })
		if len(s) > maxTypeName {
			s = s[:maxTypeName]
		}
		return s
	}
}

func namedName(obj *types.TypeName) string {
	if obj.Pkg() == nil {
		return obj.Name()
	}
	return StripVendor(obj.Pkg().Path()) + "." + obj.Name()
}

// StripVendor removes the prefix that a vendored package's path carries.
func StripVendor(path string) string {
	if i := strings.LastIndex(path, "/vendor/"); i >= 0 {
		return path[i+len("/vendor/"):]
	}
	return path
}

// FuncName returns the full name of a declared function or method, without
// type arguments: "path.F", "(path.T).M" or "(*path.T).M". An interface's
// method is named after the interface.
func FuncName(fn *types.Func) string {
	fn = fn.Origin()
	sig := fn.Type().(*types.Signature)
	if recv := sig.Recv(); recv != nil {
		return "(" + TypeName(recv.Type()) + ")." + fn.Name()
	}
	if fn.Pkg() == nil {
		return fn.Name()
	}
	return StripVendor(fn.Pkg().Path()) + "." + fn.Name()
}

// ssaName returns the full name of an SSA function: the declared name, or the
// enclosing function's name and the literal's number.
func ssaName(fn *ssa.Function) string {
	if fn.Parent() != nil {
		if i := strings.LastIndexByte(fn.Name(), '$'); i >= 0 {
			return ssaName(outer(fn)) + fn.Name()[len(outer(fn).Name()):]
		}
	}
	if o := fn.Origin(); o != nil {
		fn = o
	}
	if obj, ok := fn.Object().(*types.Func); ok {
		if obj.Name() == "init" && fn.Name() != "init" {
			return StripVendor(obj.Pkg().Path()) + "." + fn.Name() // init#1, init#2 …
		}
		return FuncName(obj)
	}
	if fn.Pkg != nil && fn.Pkg.Pkg != nil {
		return StripVendor(fn.Pkg.Pkg.Path()) + "." + fn.Name()
	}
	return fn.String()
}

// outer returns the declared function that a function literal stands in.
func outer(fn *ssa.Function) *ssa.Function {
	for fn.Parent() != nil {
		fn = fn.Parent()
	}
	return fn
}

// method splits the wrappers that go/ssa makes for method values and method
// expressions: it returns the method behind one, and whether it is bound.
func method(fn *ssa.Function) (target string, bound, ok bool) {
	obj, isFunc := fn.Object().(*types.Func)
	if !isFunc || fn.Synthetic == "" {
		return "", false, false
	}
	switch {
	case strings.HasSuffix(fn.Name(), "$bound"):
		return FuncName(obj), true, true
	case strings.HasSuffix(fn.Name(), "$thunk"):
		return FuncName(obj), false, true
	}
	return "", false, false
}
