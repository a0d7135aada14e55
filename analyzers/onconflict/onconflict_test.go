package onconflict_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/onconflict"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, onconflict.Analyzer, "./onconflict/...") }

func TestFixes(t *testing.T) { linttest.RunFixes(t, onconflict.Analyzer, "./onconflict/fix/...") }
