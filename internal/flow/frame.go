package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/summary"
)

// frame is one call under interpretation.
type frame struct {
	m      *machine
	fn     *summary.Func
	parent *frame
	call   int // the calling instruction in the parent
	depth  int
	args   []*Value
	free   []*Value
	via    []Hop // how the function value that was called got here

	vals    []*Value
	objs    map[int]*Object
	conds   map[int]*Value // by block: the branch condition
	absence bool           // a branch was decided by what a context is taken to lack
	taken   map[[2]int]bool
	defers  []int
	key     string // the call path
	control [][]int
}

// run interprets the body: once in reverse post-order, and once more with what
// flows along back edges when there are loops other than the poll loop itself.
func (f *frame) run(entry *state) result {
	n := len(f.fn.Blocks)
	if n == 0 {
		return result{unknown, entry}
	}
	in := make([]*state, n)
	edge := make(map[[2]int]*state)
	order := f.fn.ReversePostOrder()
	loops := false
	for pass := 0; pass < 2; pass++ {
		var ret result
		var retCtl Origin
		returns := 0
		for _, b := range order {
			blk := &f.fn.Blocks[b]
			var st *state
			if b == 0 {
				st = entry.clone()
			}
			var ctl Origin
			feasible := 0
			for _, p := range blk.Preds {
				if f.fn.BackEdge(p, b) && pass == 0 {
					continue
				}
				if s := edge[[2]int{p, b}]; s != nil {
					if feasible++; feasible > 1 {
						ctl = f.joinControl(b)
					}
					st = merge(st, s, ctl)
				}
			}
			if st == nil {
				continue
			}
			st = st.clone()
			in[b] = st
			v, out := f.block(b, st)
			if out == nil {
				for _, s := range blk.Succs {
					delete(edge, [2]int{b, s})
				}
				continue
			}
			last := &f.fn.Instrs[blk.Last-1]
			switch last.Op {
			case summary.OpReturn:
				if returns++; returns > 1 {
					retCtl |= f.returnControl()
				}
				if f.absence {
					v = v.markEach(FromAbsence)
				}
				ret.val = join(ret.val, v, retCtl)
				ret.st = merge(ret.st, out, retCtl)
			case summary.OpIf:
				t := f.decide(b, v)
				for i, s := range blk.Succs {
					e := [2]int{b, s}
					if t == -1 || (t == 1) == (i == 0) {
						f.taken[e] = true
						next := out
						if t == -1 {
							next = out.clone()
							f.refine(last, v, i == 0, next)
						}
						if s == blk.Succs[1-i] && edge[e] != nil {
							next = merge(edge[e], next, 0)
						}
						edge[e] = next
						loops = loops || f.fn.BackEdge(b, s)
					} else {
						delete(edge, e)
					}
				}
			default:
				for _, s := range blk.Succs {
					f.taken[[2]int{b, s}] = true
					edge[[2]int{b, s}] = out
					loops = loops || f.fn.BackEdge(b, s)
				}
			}
		}
		if pass == 1 || !loops || f.m.world != Any && f.polls() {
			return ret
		}
	}
	panic("unreachable")
}

// polls reports whether this very function gets records: its loop is the poll
// loop, and the record of the next turn is another journey.
func (f *frame) polls() bool {
	for i := range f.fn.Instrs {
		if f.vals[i] != nil && f.vals[i].Obj != nil && f.vals[i].Obj.Record && f.objs[i] == f.vals[i].Obj {
			return true
		}
	}
	return false
}

// joinControl returns the origins of the conditions that decide by which way
// block b is reached.
func (f *frame) joinControl(b int) Origin {
	mine := f.fn.ControlledBy(b)
	var o Origin
	for _, p := range f.fn.Blocks[b].Preds {
		for _, c := range append(f.fn.ControlledBy(p), p) {
			if !slices.Contains(mine, c) || c == p {
				o |= f.condOrigin(c)
			}
		}
	}
	return o
}

// returnControl returns the origins of the conditions that decide which return
// statement is reached.
func (f *frame) returnControl() Origin {
	var o Origin
	for b := range f.conds {
		o |= f.condOrigin(b)
	}
	return o
}

func (f *frame) condOrigin(b int) Origin {
	if c := f.conds[b]; c != nil && truth(c) == -1 {
		return (c.Origin() | c.Ctl) & guardOrigins
	}
	return 0
}

// guardOrigins are the origins that make a branch a guard that may hold back a
// second delivery.
const guardOrigins = FromRead | FromUnknown | FromConfig

// decide returns which way the branch at the end of block b goes: 1 for the
// first successor, 0 for the second, -1 for both.
//
// Where the way of a value that a context is taken to lack is a panic, the other
// one is gone: the context does carry what the program dies without, a logger
// say, or it would die of each record and do nothing.
func (f *frame) decide(b int, cond *Value) int {
	if old := f.conds[b]; old != nil {
		cond = join(old, cond, 0)
	}
	f.conds[b] = cond
	t := truth(cond)
	if t == -1 || cond.Origin()&FromAbsence == 0 {
		return t
	}
	f.absence, f.m.lacking = true, true
	if succs := f.fn.Blocks[b].Succs; f.panics(succs[1-t]) && !f.panics(succs[t]) {
		return 1 - t
	}
	return t
}

// panics reports whether block b ends in a panic.
func (f *frame) panics(b int) bool {
	blk := &f.fn.Blocks[b]
	return blk.Last > blk.First && f.fn.Instrs[blk.Last-1].Op == summary.OpPanic
}

// refine narrows, on one edge of an undecided branch on "x == nil" or a plain
// boolean, what x is there. Only memory cells are narrowed, values are not.
func (f *frame) refine(last *summary.Instr, cond *Value, taken bool, st *state) {
	r := last.Args[0]
	if r.Kind() != summary.RefInstr {
		return
	}
	in := &f.fn.Instrs[r.Index()]
	if in.Op == summary.OpLoad {
		if a := f.val(in.Args[0]); a.Kind == Addr && !strings.HasPrefix(a.Field, "[") {
			st.set(a.Obj, a.Field, boolean(taken).mark(cond.Org, cond.Ctl))
		}
	}
}

// val returns the value behind a reference in the function.
func (f *frame) val(r summary.Ref) *Value {
	switch r.Kind() {
	case summary.RefInstr:
		if v := f.vals[r.Index()]; v != nil {
			return v
		}
	case summary.RefParam:
		if r.Index() < len(f.args) {
			return f.args[r.Index()]
		}
	case summary.RefFree:
		if r.Index() < len(f.free) {
			return f.free[r.Index()]
		}
	case summary.RefConst:
		return constant(f.fn, r.Index())
	case summary.RefFunc:
		return &Value{Kind: Func, Text: f.fn.FuncName(r)}
	case summary.RefGlobal:
		name := f.fn.FuncName(r)
		return &Value{Kind: Addr, Obj: f.m.named("global "+name, "", name), Path: name}
	}
	return unknown
}

func constant(fn *summary.Func, i int) *Value {
	c := fn.Consts[i]
	switch c.Kind {
	case summary.ConstNil:
		return nilValue
	case summary.ConstBool:
		return boolean(c.Int != 0)
	case summary.ConstInt:
		return integer(c.Int)
	case summary.ConstString:
		return text(c.Str)
	case summary.ConstZero:
		return zero
	}
	return &Value{Kind: NonNil}
}

// object returns the object that instruction i of the frame makes.
func (f *frame) object(i int, typ string) *Object {
	o := f.objs[i]
	if o == nil {
		o = f.m.newObject(typ)
		o.Site = fmt.Sprintf("%s/%d", f.fn.Name, i)
		f.objs[i] = o
	}
	return o
}

// block interprets one block. It returns the operand of the control
// instruction (condition or results) and the memory at its end, nil when the
// end is not reached.
func (f *frame) block(b int, st *state) (*Value, *state) {
	blk := &f.fn.Blocks[b]
	for i := blk.First; i < blk.Last; i++ {
		if f.m.steps++; f.m.steps > maxSteps {
			f.m.over = true
			return nil, nil
		}
		in := &f.fn.Instrs[i]
		switch in.Op {
		case summary.OpIf:
			return f.val(in.Args[0]), st
		case summary.OpReturn:
			vs := make([]*Value, len(in.Args))
			for j, a := range in.Args {
				vs[j] = f.val(a)
			}
			if len(vs) == 1 {
				return vs[0], st
			}
			return tuple(vs...), st
		case summary.OpPanic:
			return nil, nil
		case summary.OpJump:
			return none, st
		case summary.OpRunDefers:
			if st = f.runDefers(st); st == nil {
				return nil, nil
			}
		case summary.OpPhi:
			f.vals[i] = f.typed(i, in, f.phi(b, in))
		default:
			v, next := f.instr(b, i, in, st)
			if next == nil {
				return nil, nil
			}
			st = next
			if v != nil {
				f.vals[i] = f.typed(i, in, v)
			}
		}
	}
	return none, st
}

// none is the operand of a control instruction that has none.
var none = &Value{}

func (f *frame) phi(b int, in *summary.Instr) *Value {
	var out *Value
	var ctl Origin
	loop := false
	for k, p := range f.fn.Blocks[b].Preds {
		loop = loop || f.fn.BackEdge(p, b)
		if !f.taken[[2]int{p, b}] || k >= len(in.Args) {
			continue
		}
		v := f.val(in.Args[k])
		if in.Args[k].Kind() == summary.RefInstr && f.vals[in.Args[k].Index()] == nil {
			continue // flows along a back edge that was not taken yet
		}
		if out != nil && !same(out, v) && ctl == 0 {
			ctl = f.joinControl(b)
		}
		out = join(out, v, ctl)
	}
	if out == nil {
		return unknown
	}
	if loop && (out.Kind == Int || out.Kind == Union && out.Elems[0].Kind == Int) {
		// A counter: the loop ends at some time.
		return derived(out).mark(FromCounter, 0)
	}
	return out
}

// typed adjusts a value to the static type of the instruction that made it: a
// zero value takes its form, an unknown value of a record type is a record.
func (f *frame) typed(i int, in *summary.Instr, v *Value) *Value {
	t := f.fn.ResultType(in)
	v = zeroOf(v, t)
	if v.Kind == Unknown && in.Op != summary.OpAlloc {
		if f.m.cat.Record(t) != nil {
			return f.record(i, t, v)
		}
		if v.Type == "" && isNamed(t) {
			v = v.withType(t)
		}
	}
	return v
}

func (f *frame) record(i int, t string, v *Value) *Value {
	f.m.arrived = true
	o := f.object(i, t)
	o.Record, o.Org = true, v.Org|FromRecord
	return &Value{Kind: Ref, Obj: o, Type: t, Org: v.Org | FromRecord, Ctl: v.Ctl, Path: v.Path}
}

func isNamed(t string) bool {
	return strings.Contains(t, ".") && !strings.HasPrefix(t, "func") && !strings.HasPrefix(t, "(")
}

// zeroOf gives the zero value the form that its type says.
func zeroOf(v *Value, t string) *Value {
	if v.Kind == Union {
		for k, e := range v.Elems {
			if z := zeroOf(e, t); z != e {
				w := *v
				w.Elems = slices.Clone(v.Elems)
				w.Elems[k] = z
				return &w
			}
		}
		return v
	}
	if v.Kind != Zero && v.Kind != One {
		return v
	}
	w := *v
	if v.Kind == One {
		w.Int = 1
		w.Kind = Int
		if t == "bool" {
			w.Kind = Bool
		}
		return &w
	}
	switch {
	case t == "bool":
		w.Kind = Bool
	case t == "string":
		w.Kind = Str
	case strings.HasPrefix(t, "int") || strings.HasPrefix(t, "uint") || t == "byte" || t == "rune":
		w.Kind = Int
	case t == "error" || strings.HasPrefix(t, "*") || strings.HasPrefix(t, "[]") || strings.HasPrefix(t, "map[") || strings.HasPrefix(t, "func"):
		w.Kind = Nil
	}
	return &w
}
