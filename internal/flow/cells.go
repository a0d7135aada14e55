package flow

import (
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// fieldValue evaluates a field of a value.
func (u *Universe) fieldValue(base *Value, owner, field, typ string, depth int) *Value {
	if rt := u.Catalog.Record(owner); rt != nil {
		if part, ok := rt.Fields[field]; ok {
			return &Value{Org: partOrigin(part), Path: field}
		}
	}
	var out *Value
	for _, a := range base.alternatives() {
		var v *Value
		if a.Kind == Ref && a.Obj.static != nil {
			v = u.fieldOf(a.Obj, field)
		}
		if v == nil {
			v = u.cell(owner+"."+field, depth)
		}
		if v == nil {
			v = &Value{Type: named(typ), Path: owner + "." + field, Org: FromConfig}
		}
		for _, h := range a.Via {
			v = v.via(h)
		}
		out = join(out, v, 0)
	}
	if out == nil {
		return unknown
	}
	return out
}

// fieldAt returns what is stored in a field of an object found by look-up,
// where it is allocated; nil when nothing is.
func (u *Universe) fieldAt(o *Object, field string) *Value {
	s := o.static
	if s == nil {
		return nil
	}
	key := fmt.Sprintf("at %d.%s", o.ID, field)
	if memo := u.cells[key]; memo != nil {
		if memo.busy {
			return nil
		}
		return memo.val
	}
	memo := &cellMemo{busy: true}
	u.cells[key] = memo
	var out *Value
	var scan func(fn *summary.Func, isBase func(r summary.Ref) bool, e *env, depth int)
	scan = func(fn *summary.Func, isBase func(r summary.Ref) bool, e *env, depth int) {
		for i := range fn.Instrs {
			in := &fn.Instrs[i]
			switch in.Op {
			case summary.OpStore:
				dst := in.Args[0]
				if field == "" {
					if isBase(dst) {
						out = join(out, u.lookup(fn, in.Args[1], e, 4), 0)
					}
					continue
				}
				if dst.Kind() != summary.RefInstr {
					continue
				}
				addr := &fn.Instrs[dst.Index()]
				if addr.Op == summary.OpFieldAddr && fn.Text(addr) == field && isBase(addr.Args[0]) ||
					addr.Op == summary.OpIndexAddr && strings.HasPrefix(field, "[") && isBase(addr.Args[0]) {
					out = join(out, u.lookup(fn, in.Args[1], e, 4), 0)
				}
			case summary.OpMapUpdate:
				if strings.HasPrefix(field, "[") && isBase(in.Args[0]) {
					out = join(out, u.lookup(fn, in.Args[2], e, 4), 0)
				}
			case summary.OpMakeClosure:
				// A variable captured by a literal may be written there.
				if in.N == 1 || depth > 2 {
					continue
				}
				if inner := u.Func(fn.Text(in)); inner != nil {
					for k, a := range in.Args {
						if isBase(a) {
							free := summary.MakeRef(summary.RefFree, k)
							scan(inner, func(r summary.Ref) bool { return r == free }, nil, depth+1)
						}
					}
				}
			}
		}
	}
	self := summary.MakeRef(summary.RefInstr, s.instr)
	scan(s.fn, func(r summary.Ref) bool {
		if r == self {
			return true
		}
		// A map or slice literal reaches the store through a variable.
		if r.Kind() == summary.RefInstr {
			in := &s.fn.Instrs[r.Index()]
			if in.Op == summary.OpPhi || in.Op == summary.OpSlice || in.Op == summary.OpCopy {
				for _, a := range in.Args {
					if a == self {
						return true
					}
				}
			}
		}
		return false
	}, s.env, 0)
	memo.val, memo.busy = out, false
	return out
}

// fieldOf returns what is stored in a field of an object found by look-up: where
// it is allocated, and by methods that are called on that very object (setters,
// options). Nil when that is nothing.
func (u *Universe) fieldOf(o *Object, field string) *Value {
	out := u.fieldAt(o, field)
	key := fmt.Sprintf("of %d.%s", o.ID, field)
	if memo := u.cells[key]; memo != nil {
		if memo.busy {
			return out
		}
		return join(out, memo.val, 0)
	}
	memo := &cellMemo{busy: true}
	u.cells[key] = memo
	var set *Value
	for _, s := range u.uses(stores, o.Type+"."+field) {
		in := &s.fn.Instrs[s.instr]
		if in.Args[0].Kind() != summary.RefInstr {
			continue
		}
		base := s.fn.Instrs[in.Args[0].Index()].Args[0]
		if base.Kind() != summary.RefParam {
			continue
		}
		calls := u.uses(callers, s.fn.Name)
		if len(calls) > 24 {
			continue
		}
		for _, c := range calls {
			args := c.args()
			if base.Index() >= len(args) {
				continue
			}
			if recv := u.lookup(c.fn, args[base.Index()], nil, 3); !refersTo(recv, o) {
				continue
			}
			e := &env{fn: s.fn}
			for _, a := range args {
				e.args = append(e.args, u.lookup(c.fn, a, nil, 3).via(Hop{c.fn, c.instr}))
			}
			v := u.lookup(s.fn, in.Args[len(in.Args)-1], e, 4)
			if v.Kind != Nil && v.Kind != Zero {
				set = join(set, v, 0)
			}
		}
	}
	memo.val, memo.busy = set, false
	return join(out, set, 0)
}

func refersTo(v *Value, o *Object) bool {
	for _, a := range v.alternatives() {
		if a.Obj == o {
			return true
		}
	}
	return false
}

// cell returns what is stored in a field or global anywhere in the visible
// program; nil when nothing is.
func (u *Universe) cell(key string, depth int) *Value {
	if memo := u.cells[key]; memo != nil {
		if memo.busy {
			return nil
		}
		return memo.val
	}
	if depth > maxLookup {
		return nil
	}
	memo := &cellMemo{busy: true}
	u.cells[key] = memo
	var out *Value
	uses := u.uses(stores, key)
	if len(uses) <= 40 {
		for _, s := range uses {
			in := &s.fn.Instrs[s.instr]
			src := in.Args[len(in.Args)-1]
			v := u.lookup(s.fn, src, nil, depth+1).via(Hop{s.fn, s.instr})
			if v.Kind == Nil || v.Kind == Zero {
				continue
			}
			out = join(out, v, 0)
		}
	}
	memo.val, memo.busy = out, false
	return out
}

// cellValue is cell for the interpreter: a global's value, or a field's.
func (u *Universe) cellValue(owner, field, path, typ string) *Value {
	key := owner + "." + field
	if field == "" {
		key = path
		if class := u.Catalog.Error(key); class != catalog.NoClass {
			return &Value{Kind: Err, Text: errText(class), Path: key}
		}
		if typ == "error" && key != "" {
			return &Value{Kind: Err, Text: "sentinel " + key, Path: key}
		}
	}
	if strings.HasPrefix(field, "[") {
		key = path + "[]"
		if owner != "" && !strings.Contains(path, ".") {
			return nil
		}
	}
	v := u.cell(key, 0)
	if v == nil || v.Kind == Unknown && v.Org == 0 && v.Type == "" {
		return nil
	}
	return v
}
