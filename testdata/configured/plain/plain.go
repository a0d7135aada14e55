// Package plain imports no library at all.
package plain

// Bell is rung by something elsewhere.
type Bell interface{ Ring(room string) }

// Desk is called by a framework.
type Desk struct{ bell Bell }

// Consume rings for each delivery.
func (d *Desk) Consume(payload []byte) error {
	d.bell.Ring(string(payload)) // want `R-KFK-IDEM-X1: .* a call of \(example.com/cases/configured/plain.Bell\).Ring`
	return nil
}
