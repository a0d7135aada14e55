// Package linttest runs a rule over its cases in the testdata module.
package linttest

import (
	"path/filepath"
	"runtime"
	"testing"

	"golang.org/x/tools/go/analysis"
	"golang.org/x/tools/go/analysis/analysistest"
)

// Testdata returns the directory of the testdata module.
func Testdata() string {
	_, file, _, _ := runtime.Caller(0)
	return filepath.Join(filepath.Dir(file), "..", "..", "testdata")
}

// Run checks a rule's diagnostics in the packages of the testdata module that
// match the patterns against their want comments.
func Run(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	analysistest.Run(t, Testdata(), a, patterns...)
}

// RunFixes does the same, and compares the fixed files with the golden ones.
func RunFixes(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	analysistest.RunWithSuggestedFixes(t, Testdata(), a, patterns...)
}
