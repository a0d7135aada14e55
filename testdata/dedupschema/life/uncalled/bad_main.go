// Command uncalled has a clean-up that nothing calls.
package main

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func main() { // want "nothing that this program runs removes old rows of processed_event"
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		panic(err)
	}
	if consume(ctx, pool, "billing", "1") != nil {
		_ = release(ctx, pool, "1")
	}
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

// Prune would remove old rows, but nothing calls it.
func Prune(ctx context.Context, pool *pgxpool.Pool) error {
	_, err := pool.Exec(ctx, `DELETE FROM processed_event WHERE processed_at < now() - interval '7 days'`)
	return err
}

// release takes one claim back.
func release(ctx context.Context, pool *pgxpool.Pool, id string) error {
	_, err := pool.Exec(ctx, `DELETE FROM processed_event WHERE event_id = $1`, id)
	return err
}
