package deduptx_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/deduptx"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, deduptx.Analyzer, "./deduptx/...") }
