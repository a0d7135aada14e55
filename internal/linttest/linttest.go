// Package linttest runs a rule over its cases in the testdata module.
package linttest

import (
	"os/exec"
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
	download(t, patterns)
	analysistest.Run(t, Testdata(), a, patterns...)
}

// RunFixes does the same, and compares the fixed files with the golden ones.
func RunFixes(t *testing.T, a *analysis.Analyzer, patterns ...string) {
	t.Helper()
	download(t, patterns)
	analysistest.RunWithSuggestedFixes(t, Testdata(), a, patterns...)
}

// download fetches the libraries that the packages import: analysistest itself
// loads them with GOPROXY=off, where a missing one is only a type error.
func download(t *testing.T, patterns []string) {
	t.Helper()
	cmd := exec.Command("go", append([]string{"list", "-deps"}, patterns...)...)
	cmd.Dir = Testdata()
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd, err, out)
	}
}
