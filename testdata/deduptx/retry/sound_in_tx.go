package retry

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
)

// InTx claims in the transaction of the work.
func (d *Depot) InTx(ctx context.Context) error {
	for {
		fetches := d.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, record := range fetches.Records() {
			if err := d.persistInTx(ctx, record); err != nil {
				return err
			}
		}
		if err := d.client.CommitRecords(ctx, fetches.Records()...); err != nil {
			return err
		}
	}
}

func (d *Depot) persistInTx(ctx context.Context, record *kgo.Record) error {
	for {
		err := d.handleInTx(ctx, record)
		if err == nil {
			return nil
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

func (d *Depot) handleInTx(ctx context.Context, record *kgo.Record) error {
	p, err := parse(record)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, claim, p.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return shelve(ctx, tx, p)
	})
}
