package dedupschema_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/dedupschema"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, dedupschema.Analyzer, "./dedupschema/...") }
