package used

import "testing"

// A test file has no findings, so a directive in it is nobody's business.
func Test(t *testing.T) {
	//idemlint:ignore R-KFK-IDEM-X1 nothing is reported here
	t.Log()
	//idemlint:ignore R-KFK-IDEM-X1
	t.Log()
}
