package retry

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// UntilApart has the claim in one attempt's transaction and the work in another's.
func (d *Depot) UntilApart(ctx context.Context) error {
	for {
		fetches := d.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, record := range fetches.Records() {
			p, err := parse(record)
			if err != nil {
				return err
			}
			first := false
			if err := until(ctx, func() error {
				return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
					tag, err := tx.Exec(ctx, claim, p.EventID)
					first = err == nil && tag.RowsAffected() == 1
					return err
				})
			}); err != nil || !first {
				continue
			}
			if err := until(ctx, func() error {
				return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
					_, err := tx.Exec(ctx, `UPDATE shelf SET parcels = parcels + 1 WHERE id = $1`, p.Shelf) // want "R-KFK-IDEM-3: .*in another transaction than its dedup gate"
					return err
				})
			}); err != nil {
				return err
			}
		}
		if err := d.client.CommitRecords(ctx, fetches.Records()...); err != nil {
			return err
		}
	}
}
