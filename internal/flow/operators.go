package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/sqltext"
	"github.com/idemlint/idemlint/internal/summary"
)

// binOp evaluates an operator on two values, alternative by alternative.
func (f *frame) binOp(i int, in *summary.Instr, x, y *Value) *Value {
	op := f.fn.Text(in)
	f.m.noteCompare(f, i, op, x, y)
	xs, ys := x.alternatives(), y.alternatives()
	if len(xs)*len(ys) > maxAlternatives {
		return derived(x, y)
	}
	var out *Value
	for _, a := range xs {
		for _, b := range ys {
			v := apply(op, a, b)
			out = join(out, v.mark(a.Origin()|b.Origin(), a.Ctl|b.Ctl), x.Ctl|y.Ctl)
		}
	}
	if out == nil {
		return unknown
	}
	return out.mark(0, x.Ctl|y.Ctl)
}

func apply(op string, a, b *Value) *Value {
	switch op {
	case "==", "!=":
		eq := equal(a, b)
		if eq < 0 {
			return derived(a, b)
		}
		return boolean((eq == 1) == (op == "=="))
	}
	if op == "+" && (a.Kind == Str || b.Kind == Str) {
		return concat(a, b)
	}
	if a.Kind == Zero {
		a = &Value{Kind: Int, Org: a.Org, Ctl: a.Ctl}
	}
	if b.Kind == Zero {
		b = &Value{Kind: Int, Org: b.Org, Ctl: b.Ctl}
	}
	if a.Kind == Int && b.Kind == Int {
		x, y := a.Int, b.Int
		switch op {
		case "<":
			return boolean(x < y)
		case "<=":
			return boolean(x <= y)
		case ">":
			return boolean(x > y)
		case ">=":
			return boolean(x >= y)
		case "+":
			return integer(x + y)
		case "-":
			return integer(x - y)
		case "&":
			return integer(x & y)
		case "|":
			return integer(x | y)
		}
	}
	if op == "+" {
		if a.Path != "" && b.Path != "" {
			return derived(a, b)
		}
	}
	return derived(a, b)
}

// concat joins two strings; a part that is not known leaves a hole.
func concat(a, b *Value) *Value {
	d := derived(a, b)
	return &Value{Kind: Str, Text: piece(a) + piece(b), Org: d.Org, Ctl: d.Ctl, Made: d.Made}
}

func piece(v *Value) string {
	switch v.Kind {
	case Str:
		return v.Text
	case Zero:
		return ""
	}
	return sqltext.Hole
}

// equal returns what is known of a == b: 1 true, 0 false, -1 unknown.
func equal(a, b *Value) int {
	if a.Kind == Nil || a.Kind == Zero && (b.Kind == Err || b.Kind == Ref || b.Kind == Func) {
		return isNil(b)
	}
	if b.Kind == Nil {
		return isNil(a)
	}
	if a.Kind == Zero || b.Kind == Zero {
		if b.Kind == Zero {
			a, b = b, a
		}
		switch b.Kind {
		case Zero:
			return 1
		case Bool, Int:
			return bit(b.Int == 0)
		case Str:
			if strings.Contains(b.Text, sqltext.Hole) {
				return -1
			}
			return bit(b.Text == "")
		}
		return -1
	}
	if a.Op != nil && a.Kind != Err && a.Kind != Answer || b.Op != nil && b.Kind != Err && b.Kind != Answer {
		// A driver's error code is compared with the one for unique violations.
		if same(&Value{Kind: a.Kind, Int: a.Int, Text: a.Text}, &Value{Kind: b.Kind, Int: b.Int, Text: b.Text}) {
			for _, v := range []*Value{a, b} {
				if v.Op != nil {
					v.Op.tested = true
				}
			}
			return 1
		}
	}
	if a.Kind == Str && b.Kind == Str {
		if strings.Contains(a.Text, sqltext.Hole) || strings.Contains(b.Text, sqltext.Hole) {
			return -1
		}
		return bit(a.Text == b.Text)
	}
	if a.Kind == Bool && b.Kind == Bool || a.Kind == Int && b.Kind == Int {
		return bit(a.Int == b.Int)
	}
	if a.Kind == Err && b.Kind == Err {
		return bit(a.Text == b.Text)
	}
	return -1
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
