package off

import "testing"

func Test(t *testing.T) {
	//idemlint:ignore R-KFK-IDEM-X2 nothing is reported in test files
	t.Log()
}
