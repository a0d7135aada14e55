// Package accepted has the setting accept-header-ids: it consumes CloudEvents in
// binary mode.
package accepted

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

func run(ctx context.Context, r *kafka.Reader, pool *pgxpool.Pool) error {
	for {
		msg, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var id string
		for _, h := range msg.Headers {
			if h.Key == "ce_id" {
				id = string(h.Value)
			}
		}
		err = pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO inbox (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, `INSERT INTO facts (body) VALUES ($1)`, msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
