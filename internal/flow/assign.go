package flow

import (
	"fmt"
	"go/token"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Made is the call that generated an identifier.
type Made struct {
	Row   *catalog.Row
	frame *frame
	instr int
}

// ID names the call, the same in every interpretation of a function.
func (m *Made) ID() string { return fmt.Sprintf("%s/%d", m.frame.key, m.instr) }

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
	Owner string   // the struct or map type, or "table NAME"
	Field string   // the field, key or column
	Made  *Made    // nil when the database generates it
	Map   string   // of a map: its name among the published things
	Keys  []string // of a map: its keys, as far as known
	Event bool     // surely an event id, by what the library calls it
	frame *frame
	instr int
}

// same reports whether two interpretations saw one assignment.
func (a *Assign) same(b *Assign) bool {
	return a.Owner == b.Owner && a.Field == b.Field && a.instr == b.instr && a.frame.key == b.frame.key
}

// assigned notes a store of a generated value into a field.
func (f *frame) assigned(i int, in *summary.Instr, v *Value, st *state) {
	if in.Args[0].Kind() != summary.RefInstr {
		return
	}
	if addr := &f.fn.Instrs[in.Args[0].Index()]; addr.Op == summary.OpFieldAddr {
		f.assign(i, &Assign{Owner: f.fn.AuxType(addr), Field: f.fn.Text(addr), Made: madeIn(v, st)})
	}
}

func (f *frame) assign(i int, a *Assign) {
	if a.Made != nil && a.Made.Row.Gen != catalog.Clock {
		a.frame, a.instr = f, i
		f.m.assigns = append(f.m.assigns, a)
	}
}

// madeIn returns the generator behind a value, or behind the text or bytes that
// it points to.
func madeIn(v *Value, st *state) *Made {
	if made := v.made(); made != nil {
		return made
	}
	for _, a := range v.alternatives() {
		if a.Kind != Ref || strings.Contains(a.Obj.Type, ".") {
			continue
		}
		for _, field := range []string{"", "[]"} {
			if w := st.get(a.Obj, field); w != nil && w.made() != nil {
				return w.made()
			}
		}
	}
	return nil
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

// Source returns the function that calls the generator and the position of the
// call; nil when the database generates the identifier.
func (a *Assign) Source() (fn *summary.Func, pos token.Pos) {
	if a.Made == nil {
		return nil, token.NoPos
	}
	return a.Made.frame.fn, a.Made.frame.fn.Instrs[a.Made.instr].Pos
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
