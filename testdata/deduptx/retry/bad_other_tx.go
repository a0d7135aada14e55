package retry

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/twmb/franz-go/pkg/kgo"
)

// OtherTx claims in a transaction of its own.
func (d *Depot) OtherTx(ctx context.Context) error {
	for {
		fetches := d.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, record := range fetches.Records() {
			if err := d.persistOtherTx(ctx, record); err != nil {
				return err
			}
		}
		if err := d.client.CommitRecords(ctx, fetches.Records()...); err != nil {
			return err
		}
	}
}

func (d *Depot) persistOtherTx(ctx context.Context, record *kgo.Record) error {
	for {
		err := d.handleOtherTx(ctx, record)
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

func (d *Depot) handleOtherTx(ctx context.Context, record *kgo.Record) error {
	p, err := parse(record)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, d.pool, func(tx pgx.Tx) error {
		first := false
		err := pgx.BeginFunc(ctx, d.pool, func(gate pgx.Tx) error {
			tag, err := gate.Exec(ctx, claim, p.EventID)
			first = err == nil && tag.RowsAffected() == 1
			return err
		})
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE shelf SET parcels = parcels + 1 WHERE id = $1`, p.Shelf) // want "R-KFK-IDEM-3: .*in another transaction than its dedup gate"
		return err
	})
}
