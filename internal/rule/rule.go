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

// New returns the analyzer of a rule. check reports what it finds in a package; it
// is not called where the configuration is wrong, nor for what nobody would read.
// The analyzer's result is a *report.Used.
func New(r report.Rule, doc string, check func(p *Pass) error) *analysis.Analyzer {
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
			if err := check(&Pass{pass, res, rep}); err != nil {
				return nil, err
			}
			return rep.Used(), nil
		},
	}
}

// SQL returns the SQL of the package, see gosql.Analyzer.
func (p *Pass) SQL() (*gosql.Package, error) {
	return p.ResultOf[gosql.Analyzer].(func() (*gosql.Package, error))()
}

// Report reports a finding, see report.Reporter.
func (p *Pass) Report(f report.Finding) { p.Reporter.Report(f) }
