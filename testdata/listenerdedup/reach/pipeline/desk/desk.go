// Package desk matches orders between two channels.
package desk

// Order is a wish to buy or sell.
type Order struct {
	ID     string `json:"id"`
	Side   string `json:"side"`
	Shares int    `json:"shares"`
}

// Desk takes orders from one channel and puts those that it filled into another.
type Desk struct {
	In   chan *Order
	Out  chan *Order
	open []*Order
}

// New returns a desk between the channels.
func New(in, out chan *Order) *Desk {
	return &Desk{In: in, Out: out, open: []*Order{}}
}

// Trade matches until the incoming channel is closed.
func (d *Desk) Trade() {
	for o := range d.In {
		d.match(o)
	}
}

func (d *Desk) match(o *Order) {
	for _, other := range d.open {
		if other.Side != o.Side {
			d.Out <- other
			d.Out <- o
			return
		}
	}
	d.open = append(d.open, o)
}
