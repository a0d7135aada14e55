package inventory

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/idemlint/idemlint/internal/report"
)

// marks are the states in a table's cell.
var marks = map[report.State]string{report.Proven: "proven", report.Violated: "VIOLATED", report.Unknown: "?", report.None: "-"}

// Table writes a table of the listeners, a row each, then why a rule is violated or
// unknown.
func (p *Program) Table(w io.Writer) error {
	if len(p.Listeners) == 0 {
		if _, err := fmt.Fprintln(w, "No Kafka listener was found."); err != nil {
			return err
		}
		return p.footer(w)
	}
	tw := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	head := []string{"LISTENER", "PROGRAM", "TOPIC", "GROUP"}
	for _, r := range p.Listeners[0].Rules {
		head = append(head, strings.ToUpper(r.Name))
	}
	head = append(head, "EFFECTS", "MONEY", "GATE")
	fmt.Fprintln(tw, strings.Join(head, "\t"))
	for i := range p.Listeners {
		l := &p.Listeners[i]
		cells := []string{l.Name, p.short(l.Bound), list(l.Topics), list(l.Groups)}
		for _, r := range l.Rules {
			mark := marks[r.State]
			if r.Exempt != "" {
				mark = "exempt"
			}
			cells = append(cells, mark)
		}
		cells = append(cells, fmt.Sprint(l.Count(Effect)), fmt.Sprint(l.MoneyCalls()), l.GateText())
		fmt.Fprintln(tw, strings.Join(cells, "\t"))
	}
	if err := tw.Flush(); err != nil {
		return err
	}
	for i := range p.Listeners {
		l := &p.Listeners[i]
		head := false
		for _, r := range l.Rules {
			if r.State != report.Violated && r.State != report.Unknown {
				continue
			}
			if !head {
				head = true
				bound := ""
				if l.Bound != "" {
					bound = ", bound in " + l.Bound
				}
				fmt.Fprintf(w, "\n%s (%s:%d%s)\n", l.Name, l.At.File, l.At.Line, bound)
			}
			why := r.Why
			if r.Exempt != "" {
				why = "exempted: " + r.Exempt
			}
			fmt.Fprintf(w, "  %s %s: %s: %s\n", r.ID, r.Name, r.State, why)
		}
	}
	return p.footer(w)
}

func (p *Program) footer(w io.Writer) error {
	if len(p.Others) > 0 {
		fmt.Fprintln(w, "\nFindings that concern no listener")
	}
	for _, t := range p.Others {
		why := t.Message
		if t.Exempt != "" {
			why = "exempted: " + t.Exempt
		}
		fmt.Fprintf(w, "  %s:%d: %s: %s\n", t.At.File, t.At.Line, t.Rule, why)
	}
	count := p.count()
	if _, err := fmt.Fprintf(w, "\n%d listeners: %d verdicts proven, %d violated, %d unknown (?), %d where nothing of the kind arises (-)\n",
		len(p.Listeners), count[report.Proven], count[report.Violated], count[report.Unknown], count[report.None]); err != nil {
		return err
	}
	if p.Problems != "" {
		_, err := fmt.Fprintf(w, "This list is incomplete, not all could be analysed:\n%s\n", strings.TrimSpace(p.Problems))
		return err
	}
	return nil
}

// count returns how many verdicts there are of each state.
func (p *Program) count() map[report.State]int {
	out := make(map[report.State]int)
	for _, l := range p.Listeners {
		for _, r := range l.Rules {
			out[r.State]++
		}
	}
	return out
}

// short cuts the module's path from a package's; "?" for none, "." for the module's root.
func (p *Program) short(pkg string) string {
	switch pkg {
	case "":
		return "?"
	case p.Module:
		return "."
	}
	return strings.TrimPrefix(pkg, p.Module+"/")
}

// Count returns how many operations of the kind there are.
func (l *Listener) Count(kind string) int {
	return len(l.ops(func(o Op) bool { return o.Kind == kind }))
}

// MoneyCalls returns how many money calls there are.
func (l *Listener) MoneyCalls() int { return len(l.ops(func(o Op) bool { return o.Money })) }

// GateText says what the gates are and where they stand, "none" when there is none.
func (l *Listener) GateText() string {
	var out []string
	for _, o := range l.ops(func(o Op) bool { return o.Kind == Gate }) {
		text := o.What
		if o.Where != "" {
			text += ", " + o.Where
		}
		if len(out) == 0 || out[len(out)-1] != text {
			out = append(out, text)
		}
	}
	if len(out) == 0 {
		return "none"
	}
	return strings.Join(out, "; ")
}

func (l *Listener) ops(has func(o Op) bool) []Op {
	var out []Op
	for _, w := range l.Ways {
		for _, o := range w.Ops {
			if has(o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// list joins names; none seen is "?".
func list(names []string) string {
	if len(names) == 0 {
		return "?"
	}
	return strings.Join(names, ", ")
}
