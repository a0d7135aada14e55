package moneykey_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/moneykey"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, moneykey.Analyzer, "./moneykey/...") }
