package offsetkey_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/offsetkey"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, offsetkey.Analyzer, "./offsetkey/...") }
