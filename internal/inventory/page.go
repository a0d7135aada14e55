package inventory

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"

	"github.com/idemlint/idemlint/internal/report"
)

//go:embed page.html
var pageText string

var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"list":  list,
	"place": place,
	"sign": func(s report.State) string {
		return map[report.State]string{report.Proven: "✓", report.Violated: "✗", report.Unknown: "?", report.None: "–"}[s]
	},
	"second": func(o Op) string {
		return map[report.State]string{
			report.Proven: "a second delivery does not repeat it", report.Violated: "a second delivery does it again",
			report.Unknown: "what a second delivery does is unknown",
		}[o.Second]
	},
	"elbow": func(n Node) string {
		return fmt.Sprintf("M%d %d V%d H%d", n.Parent[0], n.Parent[1]+9, n.Y, n.X-9)
	},
	"diamond": func(n Node) string {
		return fmt.Sprintf("M%d %d l8 8 l-8 8 l-8 -8 z", n.X, n.Y-8)
	},
	"sum": func(a ...int) (n int) {
		for _, x := range a {
			n += x
		}
		return n
	},
}).Parse(pageText))

// HTML writes the inventory as one page that needs no other file.
func (p *Program) HTML(w io.Writer) error {
	count := make(map[string]int)
	for state, n := range p.count() {
		count[string(state)] = n
	}
	return pageTemplate.Execute(w, struct {
		*Program
		Count map[string]int
		Base  string
	}{p, count, report.Base})
}

// Worst is the state to show first: violated, else unknown, else proven.
func (l *Listener) Worst() report.State {
	var sum report.Ledger
	for _, r := range l.Rules {
		sum.Add(r.State, "")
	}
	return sum.Verdict("").State
}
