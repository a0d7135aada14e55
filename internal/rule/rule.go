// Package rule makes an analyzer of a rule: what all rules do before and after
// they look.
package rule

import (
	"reflect"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/gosql"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/program"
	"github.com/idemlint/idemlint/internal/report"
)

// Pass is one package, as a rule sees it.
type Pass struct {
	*analysis.Pass
	*listener.Result
	*report.Reporter
}

// Inventory makes the rules say of each listener what is proven: set by a driver that
// takes an inventory.
var Inventory bool

// New returns the analyzer of a rule. check reports what it finds in a package; it
// is not called where the configuration is wrong, nor for what nobody would read.
// prove says of a listener about which check found nothing whether that is because
// it is right. The analyzer's result is a *report.Used.
func New(r report.Rule, doc string, check func(p *Pass) error, prove func(p *Pass, l *listener.Listener) report.Verdict) *analysis.Analyzer {
	return &analysis.Analyzer{
		Name:             r.Name,
		Doc:              doc,
		URL:              r.URL(),
		Requires:         []*analysis.Analyzer{listener.Analyzer, gosql.Analyzer},
		ResultType:       reflect.TypeFor[*report.Used](),
		RunDespiteErrors: true,
		Run: func(pass *analysis.Pass) (result any, err error) {
			defer program.Guard(pass, &err)
			res := pass.ResultOf[listener.Analyzer].(*listener.Result)
			if err := res.Settings.Claim(); err != nil {
				return nil, err
			}
			rep := report.New(pass, r, res.Settings)
			if listener.FactsOnly || !res.Settings.Enabled(r.Name) {
				return rep.Used(), nil
			}
			p := &Pass{pass, res, rep}
			if err := check(p); err != nil {
				return nil, err
			}
			used := rep.Used()
			if Inventory {
				for _, l := range res.Listeners {
					used.Proofs = append(used.Proofs, proof(p, l, prove))
				}
			}
			return used, nil
		},
	}
}

// proof is what prove says, where all that the listener leads to was seen.
func proof(p *Pass, l *listener.Listener, prove func(p *Pass, l *listener.Listener) report.Verdict) report.Verdict {
	v := prove(p, l)
	if unseen := l.Unseen(); unseen != "" && (v.State == report.Proven || v.State == report.None) {
		v.State, v.Why = report.Unknown, unseen
	}
	return v
}

// SQL returns the SQL of the package, see gosql.Analyzer.
func (p *Pass) SQL() (*gosql.Package, error) {
	return p.ResultOf[gosql.Analyzer].(func() (*gosql.Package, error))()
}

// Report reports a finding, see report.Reporter.
func (p *Pass) Report(f report.Finding) { p.Reporter.Report(f) }
