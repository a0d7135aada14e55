package ledger

import (
	"context"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// Book adds the amount to the account; it knows nothing of events.
func Book(ctx context.Context, pool *pgxpool.Pool, account string, cents int64) error {
	_, err := pool.Exec(ctx, `UPDATE accounts SET cents = cents + $1 WHERE id = $2`, cents, account)
	return err
}

// BookIn does the same in a transaction of the caller.
func BookIn(ctx context.Context, tx pgx.Tx, account string, cents int64) error {
	_, err := tx.Exec(ctx, `UPDATE accounts SET cents = cents + $1 WHERE id = $2`, cents, account)
	return err
}

// FirstTime records the event and says whether it was new.
func FirstTime(ctx context.Context, tx pgx.Tx, group, event string) (bool, error) {
	tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, event, group)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

// BookOnce books behind the event's mark.
func BookOnce(ctx context.Context, pool *pgxpool.Pool, event, account string, cents int64) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		first, err := FirstTime(ctx, tx, "ledger", event)
		if err != nil || !first {
			return err
		}
		return BookIn(ctx, tx, account, cents)
	})
}
