package flow

import (
	"slices"

	"github.com/idemlint/idemlint/internal/summary"
)

// Guard is a branch that decides whether an operation runs.
type Guard struct {
	Cond *Value
	// Org is what the condition is computed from, and what decided that.
	Org Origin

	frame *frame
	block int // that ends in the branch
}

// Guards returns the undecided branches that decide whether the operation runs,
// in this world, from the listener inward.
func (o *Op) Guards() []Guard {
	var out []Guard
	at := o.Instr
	for f := o.Frame; f != nil; f = f.parent {
		b := f.blockOf(at)
		for _, c := range f.feasibleControl()[b] {
			if v := f.conds[c]; v != nil && truth(v) == -1 {
				out = append(out, Guard{v, v.Origin() | v.Ctl, f, c})
			}
		}
		at = f.call
	}
	return out
}

// EitherWay reports whether one of the operations does the same as o where the
// guard's branch goes the other way: then the branch decides how, not whether.
func (o *Op) EitherWay(g Guard, ops []*Op) bool {
	here, ok := o.blockIn(g.frame)
	if !ok {
		return false
	}
	for _, p := range ops {
		if p == o || p.Kind != o.Kind || p.Table != o.Table || p.What != o.What {
			continue
		}
		there, ok := p.blockIn(g.frame)
		if ok && slices.Contains(g.frame.feasibleControl()[there], g.block) && !g.frame.leads(here, there) && !g.frame.leads(there, here) {
			return true
		}
	}
	return false
}

// blockIn returns the block of a frame's function from which the operation is
// reached.
func (o *Op) blockIn(in *frame) (int, bool) {
	at := o.Instr
	for f := o.Frame; f != nil; f = f.parent {
		if f.key == in.key && f.fn == in.fn {
			return f.blockOf(at), true
		}
		at = f.call
	}
	return 0, false
}

// leads reports whether control can go from one block to another, loops aside.
func (f *frame) leads(from, to int) bool {
	seen := make(map[int]bool)
	var walk func(b int) bool
	walk = func(b int) bool {
		if b == to {
			return true
		}
		if seen[b] {
			return false
		}
		seen[b] = true
		return slices.ContainsFunc(f.fn.Blocks[b].Succs, func(s int) bool { return !f.fn.BackEdge(b, s) && walk(s) })
	}
	return walk(from)
}

// Controlled reports whether the comparison decides whether the operation runs.
func (o *Op) Controlled(cmp Comparison) bool {
	at := o.Instr
	for f := o.Frame; f != nil; f = f.parent {
		if f.key == cmp.frame.key && f.fn == cmp.frame.fn {
			b := f.blockOf(at)
			for _, c := range f.feasibleControl()[b] {
				last := f.fn.Instrs[f.fn.Blocks[c].Last-1]
				if f.dependsOn(last.Args[0], cmp.instr, 0) {
					return true
				}
			}
		}
		at = f.call
	}
	return false
}

func (f *frame) dependsOn(r summary.Ref, instr, depth int) bool {
	if r.Kind() != summary.RefInstr || depth > 6 {
		return false
	}
	if r.Index() == instr {
		return true
	}
	in := &f.fn.Instrs[r.Index()]
	switch in.Op {
	case summary.OpPhi, summary.OpNot, summary.OpBinOp, summary.OpCopy:
		for _, a := range in.Args {
			if f.dependsOn(a, instr, depth+1) {
				return true
			}
		}
	}
	return false
}

// Steps returns the calls from the listener to the comparison.
func (c Comparison) Steps() []Step {
	return (&Op{Frame: c.frame, Instr: c.instr}).Steps()
}

func (f *frame) blockOf(instr int) int {
	for b := range f.fn.Blocks {
		if blk := &f.fn.Blocks[b]; instr >= blk.First && instr < blk.Last {
			return b
		}
	}
	return 0
}

// feasibleControl is the control dependence of the function's graph without the
// branches that are not taken in this world.
func (f *frame) feasibleControl() [][]int {
	f.m.mu.Lock() // the rules ask at the same time
	defer f.m.mu.Unlock()
	if f.control == nil {
		f.control = summary.ControlDependence(len(f.fn.Blocks), func(b int) []int {
			var out []int
			for _, s := range f.fn.Blocks[b].Succs {
				if f.taken[[2]int{b, s}] {
					out = append(out, s)
				}
			}
			return out
		})
	}
	return f.control
}
