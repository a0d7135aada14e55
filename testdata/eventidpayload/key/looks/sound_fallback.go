package looks

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
)

// drained takes the payload's id, and that of an old producer's header where the
// payload has none yet: the payload names the event.
func (h *harbour) drained(ctx context.Context, client *kgo.Client) {
	for ctx.Err() == nil {
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			var ev berthFreed
			if json.Unmarshal(r.Value, &ev) != nil {
				return
			}
			id := ev.EventID
			if id == "" {
				for _, hd := range r.Headers {
					if hd.Key == "event_id" {
						id = string(hd.Value)
					}
				}
			}
			if id == "" {
				return
			}
			_ = pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, `INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
				if err != nil || tag.RowsAffected() == 0 {
					return err
				}
				_, err = tx.Exec(ctx, `INSERT INTO drains (berth) VALUES ($1)`, ev.Berth)
				return err
			})
		})
	}
}
