// Package report turns a rule's findings into diagnostics: with the rule's id,
// its link and related positions, once a place, and not where a directive with
// a reason says otherwise.
package report

import (
	"fmt"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/settings"
)

// Base is the address of the rules' pages.
const Base = "https://github.com/idemlint/idemlint/blob/main/docs/rules/"

// Rule names a rule in diagnostics.
type Rule struct {
	ID   string // R-KFK-IDEM-X1
	Name string // listenerdedup
}

// URL returns the address of the rule's page.
func (r Rule) URL() string { return Base + r.Name + ".md" }

// Finding is one finding of a rule.
type Finding struct {
	Pos     token.Pos
	Message string // without the id
	Related []analysis.RelatedInformation
	Fixes   []analysis.SuggestedFix
}

// Directive is the comment that suppresses a finding.
const Directive = "//idemlint:ignore"

// Ignore is one such comment.
type Ignore struct {
	Pos      token.Pos
	Rules    []string
	Reason   string
	File     *ast.File
	From, To int // the lines that it speaks for
	Used     bool
}

// Reporter reports the findings of one rule in one package.
type Reporter struct {
	pass    *analysis.Pass
	rule    Rule
	on      bool
	skip    map[*token.File]bool
	Ignores []*Ignore
	seen    map[token.Pos]bool
}

// Used is the result of a rule: the directives, and which of them it used.
type Used struct{ Ignores []*Ignore }

// New returns a reporter. Test files and generated files get no findings.
func New(pass *analysis.Pass, rule Rule, s *settings.Loaded) *Reporter {
	r := &Reporter{pass: pass, rule: rule, on: s.Enabled(rule.Name), skip: make(map[*token.File]bool), seen: make(map[token.Pos]bool)}
	for _, f := range pass.Files {
		tf := pass.Fset.File(f.FileStart)
		if tf == nil {
			continue
		}
		if strings.HasSuffix(tf.Name(), "_test.go") || ast.IsGenerated(f) {
			r.skip[tf] = true
		}
		r.Ignores = append(r.Ignores, Ignores(pass.Fset, f)...)
	}
	return r
}

// Used returns the rule's result.
func (r *Reporter) Used() *Used { return &Used{Ignores: r.Ignores} }

// Report reports a finding unless the rule is off, the file is generated or a
// test, the same was reported already, or a directive covers it.
func (r *Reporter) Report(f Finding) {
	if !r.on || !f.Pos.IsValid() {
		return
	}
	tf := r.pass.Fset.File(f.Pos)
	if tf == nil || r.skip[tf] || !r.ours(f.Pos) {
		return
	}
	if r.seen[f.Pos] || r.Ignored(f.Pos) {
		return
	}
	r.seen[f.Pos] = true
	var related []analysis.RelatedInformation
	for _, rel := range f.Related {
		if rel.Pos.IsValid() && r.pass.Fset.File(rel.Pos) != nil {
			related = append(related, rel)
		}
	}
	r.pass.Report(analysis.Diagnostic{
		Pos: f.Pos, Category: r.rule.ID, URL: r.rule.URL(),
		Message:        fmt.Sprintf("%s: %s (see %s)", r.rule.ID, f.Message, r.rule.URL()),
		Related:        related,
		SuggestedFixes: f.Fixes,
	})
}

// Ignored reports whether a directive covers the rule's findings at pos, and
// notes that the directive is used.
func (r *Reporter) Ignored(pos token.Pos) bool {
	tf := r.pass.Fset.File(pos)
	if tf == nil {
		return false
	}
	line := tf.Line(pos)
	for _, ig := range r.Ignores {
		if r.pass.Fset.File(ig.Pos) == tf && ig.Reason != "" && ig.From <= line && line <= ig.To && ig.covers(r.rule) {
			ig.Used = true
			return true
		}
	}
	return false
}

// ours reports whether the position is in one of the package's own files.
func (r *Reporter) ours(pos token.Pos) bool {
	return slices.ContainsFunc(r.pass.Files, func(f *ast.File) bool { return f.FileStart <= pos && pos <= f.FileEnd })
}

func (ig *Ignore) covers(rule Rule) bool {
	return slices.ContainsFunc(ig.Rules, func(s string) bool { return strings.EqualFold(s, rule.ID) || s == rule.Name })
}

// Ignores returns the directives of a file: each speaks for the line after it,
// or for the declaration whose doc comment it stands in.
func Ignores(fset *token.FileSet, f *ast.File) []*Ignore {
	var out []*Ignore
	for _, group := range f.Comments {
		for _, c := range group.List {
			rest, ok := strings.CutPrefix(c.Text, Directive)
			if !ok || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
				continue
			}
			ig := &Ignore{Pos: c.Pos(), File: f}
			fields := strings.Fields(rest)
			if len(fields) > 0 {
				ig.Rules = strings.Split(fields[0], ",")
				ig.Reason = strings.Join(fields[1:], " ")
			}
			line := fset.Position(c.Pos()).Line
			ig.From, ig.To = line, fset.Position(group.End()).Line+1
			for _, d := range f.Decls {
				if fd, ok := d.(*ast.FuncDecl); ok && fd.Doc == group {
					ig.To = fset.Position(fd.End()).Line
				}
			}
			out = append(out, ig)
		}
	}
	return out
}
