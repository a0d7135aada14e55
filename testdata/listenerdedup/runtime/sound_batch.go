package runtime

import (
	"context"
	"encoding/json"

	"github.com/idemlint/idemlint/idem"
	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
)

// Depot books the fares of a whole poll.
type Depot struct {
	client *kgo.Client
	store  *idem.Store[pgx.Tx]
}

// Run books each fare of each poll once.
func (d *Depot) Run(ctx context.Context) error {
	for {
		fetches := d.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		var events []idem.Event
		fares := make(map[string]Fare)
		for _, r := range fetches.Records() {
			var f Fare
			if err := json.Unmarshal(r.Value, &f); err != nil {
				return err
			}
			events = append(events, idem.Event{ID: f.EventID, Group: "depot"})
			fares[f.EventID] = f
		}
		_, err := d.store.ProcessBatch(ctx, events, func(ctx context.Context, tx pgx.Tx, fresh []idem.Event) error {
			for _, e := range fresh {
				f := fares[e.ID]
				if _, err := tx.Exec(ctx, `UPDATE drivers SET cents = cents + $1 WHERE id = $2`, f.Cents, f.Driver); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if err := d.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
