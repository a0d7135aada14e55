package directives_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/directives"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, directives.Analyzer, "./directives/...") }
