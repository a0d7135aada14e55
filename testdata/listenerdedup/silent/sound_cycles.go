package silent

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
)

type pair struct {
	Left, Right string
}

type loopKey struct{}

// Cycles swaps structs and derives contexts in loops, which the engine must come out
// of; right: it only logs.
func Cycles(ctx context.Context, r *kafka.Reader) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var a, b, c pair
		if err := json.Unmarshal(m.Value, &a); err != nil {
			return err
		}
		inner := ctx
		for i := range 10 {
			a, b, c = b, c, a
			p, q := &a, &b
			*p, *q = *q, *p
			if i%2 == 0 {
				inner = context.WithValue(inner, loopKey{}, a.Left)
			} else {
				inner = context.WithValue(inner, loopKey{}, b.Right)
			}
		}
		log.Print(a.Left, b.Right, c.Left, inner.Value(loopKey{}))
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
