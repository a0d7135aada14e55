// Command ticker cleans up every hour.
package main

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		panic(err)
	}
	go cleanup(ctx, pool)
	_ = consume(ctx, pool, "billing", "1")
}

func consume(ctx context.Context, pool *pgxpool.Pool, group, id string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id, consumer_group) DO NOTHING`, id, group)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, id)
		return err
	})
}

func cleanup(ctx context.Context, pool *pgxpool.Pool) {
	for range time.Tick(time.Hour) {
		_, _ = pool.Exec(ctx, `
			DELETE FROM public.processed_event
			WHERE ctid IN (SELECT ctid FROM processed_event WHERE processed_at < now() - $1::interval LIMIT 1000)`, "14 days")
	}
}
