package inventory

import (
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/internal/report"
)

// Drawing is a picture of one record's way: a tree of calls from the listener down, a row
// each, with the operations where they happen and a bar beside those that one
// transaction holds.
type Drawing struct {
	Title         string
	Width, Height int
	Nodes         []Node
	Bars          []Bar
}

// Node is a function that is entered or an operation.
type Node struct {
	X, Y   int
	Class  string // how it looks: "call", "gate", "proven", …
	Label  string
	Note   string // where it is
	Parent [2]int // the point that its line begins at, zero for the first
}

// Bar stands beside the rows of a transaction.
type Bar struct {
	X, Top, Bottom int
	Label          string
}

// The sizes of a drawing, in pixels.
const (
	rowHeight = 30
	indent    = 26
	lane      = 22
	glyph     = 7.4 // the width of a character
	maxLabel  = 88
)

// Draw makes the picture of a way.
func (w *Way) Draw() *Drawing {
	d := &Drawing{Title: "from " + w.From}
	txs := 0
	for _, o := range w.Ops {
		txs = max(txs, o.Tx)
	}
	left := 14 + txs*lane
	type frame struct {
		call string // where the function was entered from
		at   [2]int
	}
	var stack []frame
	top := make(map[int]int)
	bottom := make(map[int]int)
	add := func(class, label, note string) [2]int {
		label = cut(label)
		n := Node{X: left + len(stack)*indent, Y: 16 + len(d.Nodes)*rowHeight, Class: class, Label: label, Note: note}
		if len(stack) > 0 {
			n.Parent = stack[len(stack)-1].at
		}
		d.Nodes = append(d.Nodes, n)
		d.Width = max(d.Width, n.X+24+int(float64(len([]rune(label))+len([]rune(note))+3)*glyph))
		return [2]int{n.X, n.Y}
	}
	for _, o := range w.Ops {
		// The functions that are entered already stay.
		same := 0
		for same < len(stack) && same < len(o.Path) && stack[same].call == entry(o.Path, same) {
			same++
		}
		stack = stack[:same]
		for k := same; k < len(o.Path); k++ {
			note := ""
			if k > 0 {
				note = "called at " + place(o.Path[k-1])
			}
			stack = append(stack, frame{entry(o.Path, k), add("call", o.Path[k].Func, note)})
		}
		at := add(o.Class(), o.label(), place(o.At()))
		if o.Tx > 0 {
			if _, seen := top[o.Tx]; !seen {
				top[o.Tx] = at[1] - 10
			}
			bottom[o.Tx] = at[1] + 10
		}
	}
	for tx := 1; tx <= txs; tx++ {
		if bottom[tx] > 0 {
			d.Bars = append(d.Bars, Bar{X: 10 + (tx-1)*lane, Top: top[tx], Bottom: bottom[tx], Label: fmt.Sprintf("transaction %d", tx)})
		}
	}
	d.Height = 16 + len(d.Nodes)*rowHeight
	return d
}

// entry identifies the function at step k of a path and the call that entered it.
func entry(path []Place, k int) string {
	if k == 0 {
		return path[0].Func
	}
	return fmt.Sprintf("%s:%d %s", path[k-1].File, path[k-1].Line, path[k].Func)
}

func place(p Place) string { return fmt.Sprintf("%s:%d", p.File, p.Line) }

func cut(s string) string {
	if r := []rune(s); len(r) > maxLabel {
		return string(r[:maxLabel-1]) + "…"
	}
	return s
}

// Class says how an operation looks: effects by what a second delivery does to them.
func (o *Op) Class() string {
	switch o.Kind {
	case Effect:
		return string(o.Second)
	case Gate, Mark:
		return "gate"
	case HandedOn:
		return string(report.Unknown)
	}
	return "step"
}

func (o *Op) label() string {
	var b strings.Builder
	b.WriteString(o.Kind)
	if o.What != "" {
		b.WriteString(": " + o.What)
	}
	if o.Key != "" {
		b.WriteString(", key from " + o.Key)
	}
	if o.Lock != "" {
		b.WriteString(", idempotency key from " + o.Lock)
	}
	if o.Where != "" {
		b.WriteString(", " + o.Where)
	}
	return b.String()
}
