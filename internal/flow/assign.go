package flow

import (
	"go/token"
	"slices"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Made is the call that generated an identifier.
type Made struct {
	Row   *catalog.Row
	frame *frame
	instr int
}

// made returns the generator behind a value, or behind one of its alternatives.
func (v *Value) made() *Made {
	for _, a := range v.alternatives() {
		if a.Made != nil {
			return a.Made
		}
	}
	return nil
}

// Assign is a generated identifier that is put somewhere.
type Assign struct {
	Owner string // the struct or map type, or "table NAME"
	Field string // the field, key or column
	Made  *Made  // nil when the database generates it
	frame *frame
	instr int
}

// assigned notes a store of a generated value into a field.
func (f *frame) assigned(i int, in *summary.Instr, v *Value) {
	if in.Args[0].Kind() != summary.RefInstr {
		return
	}
	if addr := &f.fn.Instrs[in.Args[0].Index()]; addr.Op == summary.OpFieldAddr {
		f.assign(i, f.fn.AuxType(addr), f.fn.Text(addr), v)
	}
}

func (f *frame) assign(i int, owner, field string, v *Value) {
	if made := v.made(); made != nil && made.Row.Gen != catalog.Clock {
		f.m.assigns = append(f.m.assigns, &Assign{owner, field, made, f, i})
	}
}

// columns returns the generated identifiers among the values of an INSERT.
func columns(o *Op) []*Assign {
	var out []*Assign
	for i, col := range o.Stmt.Columns {
		a := &Assign{Owner: "table " + o.Table, Field: col, frame: o.Frame, instr: o.Instr}
		if v := o.Stmt.column(col); v != nil {
			a.Made = v.made()
		}
		if a.Made != nil && a.Made.Row.Gen != catalog.Clock || slices.Contains(o.Stmt.Drawn, i) {
			out = append(out, a)
		}
	}
	return out
}

// Place returns the function and the position in it where a finding about the
// assignment belongs: the innermost function that both the generator and the
// assignment were reached from, and from there the way to the generator.
func (a *Assign) Place() (fn *summary.Func, pos token.Pos) {
	if a.Made == nil {
		return a.frame.fn, a.frame.fn.Instrs[a.instr].Pos
	}
	var to []*frame
	for f := a.frame; f != nil; f = f.parent {
		to = append(to, f)
	}
	at := a.Made.instr
	for f := a.Made.frame; f != nil; f = f.parent {
		if slices.Contains(to, f) {
			return f.fn, f.fn.Instrs[at].Pos
		}
		at = f.call
	}
	return nil, token.NoPos
}
