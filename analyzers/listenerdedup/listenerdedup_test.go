package listenerdedup_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/listenerdedup"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, listenerdedup.Analyzer, "./listenerdedup/...") }

// The configuration is that of the nearest .idemlint.yml.
func TestConfigured(t *testing.T) { linttest.Run(t, listenerdedup.Analyzer, "./configured/...") }
