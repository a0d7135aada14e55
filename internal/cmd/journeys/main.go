// Command journeys prints what the engine sees of each listener: the operations
// that a record reaches in each world, for the development of the engine.
package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/singlechecker"

	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
)

func main() {
	singlechecker.Main(&analysis.Analyzer{
		Name:     "journeys",
		Doc:      "print the journeys of the listeners",
		Requires: []*analysis.Analyzer{listener.Analyzer},
		Run: func(pass *analysis.Pass) (any, error) {
			res := pass.ResultOf[listener.Analyzer].(*listener.Result)
			for _, l := range res.Listeners {
				for i, j := range l.Journeys {
					fmt.Fprintf(os.Stderr, "\n%s: listener %s, journey %d\n", pass.Pkg.Path(), listener.Name(l.Func), i)
					for _, run := range []*flow.Run{j.First, j.Duplicate, j.Failing, j.Any} {
						show(run)
					}
				}
			}
			return nil, nil
		},
	})
}

func show(run *flow.Run) {
	fmt.Fprintf(os.Stderr, "  %s over=%v returned=%v\n", [...]string{"first", "duplicate", "failing", "any"}[run.World], run.Over, run.Returned)
	for _, o := range run.Ops {
		key := ""
		if o.Key != nil {
			key = fmt.Sprintf(" key=%s(%s)", flow.OriginNames(o.Key.Origin()), o.Key.Path)
		}
		var guards []string
		for _, g := range o.Guards() {
			guards = append(guards, flow.OriginNames(g.Org))
		}
		steps := o.Steps()
		fmt.Fprintf(os.Stderr, "    %-9s %s write=%d handle=%d cell=%q%s guards=[%s] acked=%v hidden=%v tested=%v asked=%v via %s\n",
			flow.KindName(o.Kind), o.What, o.Write, o.Handle.State, o.Cell, key, strings.Join(guards, "; "), o.Acked, o.Hidden, o.Tested(), o.Asked(),
			listener.Way(steps))
	}
	for _, o := range run.Open {
		fmt.Fprintf(os.Stderr, "    open      %s via %s\n", o.Name, listener.Way(o.Steps()))
	}
	for _, c := range run.Compares {
		fmt.Fprintf(os.Stderr, "    compare   %s %s(%s) %s(%s)\n", c.Op, flow.OriginNames(c.X.Origin()), c.X.Path, flow.OriginNames(c.Y.Origin()), c.Y.Path)
	}
}
