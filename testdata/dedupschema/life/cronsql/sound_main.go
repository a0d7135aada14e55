// Command cronsql leaves the clean-up to pg_cron.
package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		panic(err)
	}
	_ = consume(ctx, pool, "billing", "1")
}

func consume(ctx context.Context, pool *pgxpool.Pool, group, id string) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO cron_processed_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id, consumer_group) DO NOTHING`, id, group)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE accounts SET balance = balance + 1 WHERE id = $1`, id)
		return err
	})
}
