// Command job runs its clean-up as a job behind an interface.
package main

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

func main() {
	ctx := context.Background()
	pool, err := pgxpool.New(ctx, "")
	if err != nil {
		panic(err)
	}
	var jobs []job
	jobs = append(jobs, &pruner{pool})
	for _, j := range jobs {
		_ = j.run(ctx)
	}
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

type job interface {
	run(ctx context.Context) error
}

type pruner struct{ pool *pgxpool.Pool }

func (p *pruner) run(ctx context.Context) error {
	return p.exec(ctx, "processed_event")
}

// exec puts the name in at run time.
func (p *pruner) exec(ctx context.Context, table string) error {
	_, err := p.pool.Exec(ctx, fmt.Sprintf("DELETE FROM %s WHERE processed_at < now() - interval '7 days'", table))
	return err
}
