package retry

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// Until has the attempts made by a helper.
func (d *Depot) Until(ctx context.Context) error {
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
			if err := until(ctx, func() error {
				return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
					tag, err := tx.Exec(ctx, claim, p.EventID)
					if err != nil || tag.RowsAffected() == 0 {
						return err
					}
					return shelve(ctx, tx, p)
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
