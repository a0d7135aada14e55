package runtime

import (
	"context"
	"encoding/json"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/jackc/pgx/v5"
)

// Processor names events by their ids: the adapters hand nothing else on.
func (w *Post) Processor(park func(context.Context, consumer.Failed) error) (*consumer.Processor, error) {
	return consumer.New(consumer.Config[pgx.Tx, Stamp]{
		Store: w.store, Group: "post",
		Decode: func(value []byte) (s Stamp, err error) {
			err = json.Unmarshal(value, &s)
			return s, err
		},
		ID:         func(s Stamp) string { return s.EventID },
		Handle:     func(ctx context.Context, tx pgx.Tx, s Stamp) error { return s.cancel(ctx, tx) },
		DeadLetter: park,
	})
}
