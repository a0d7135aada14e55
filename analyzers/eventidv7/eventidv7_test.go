package eventidv7_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/eventidv7"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, eventidv7.Analyzer, "./eventidv7/...") }

func TestFixes(t *testing.T) { linttest.RunFixes(t, eventidv7.Analyzer, "./eventidv7/fix/...") }
