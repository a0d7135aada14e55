package eventidpayload_test

import (
	"testing"

	"github.com/idemlint/idemlint/analyzers/eventidpayload"
	"github.com/idemlint/idemlint/internal/linttest"
)

func Test(t *testing.T) { linttest.Run(t, eventidpayload.Analyzer, "./eventidpayload/...") }
