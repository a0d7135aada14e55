package onconflict_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/onconflict"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, onconflict.Analyzer, "./onconflict/...") }
