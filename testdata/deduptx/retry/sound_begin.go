package retry

import (
	"context"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"
)

// Begin begins and commits by hand.
func (d *Depot) Begin(ctx context.Context) error {
	for {
		fetches := d.client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, record := range fetches.Records() {
			if err := d.persistBegin(ctx, record); err != nil {
				return err
			}
		}
		if err := d.client.CommitRecords(ctx, fetches.Records()...); err != nil {
			return err
		}
	}
}

func (d *Depot) persistBegin(ctx context.Context, record *kgo.Record) error {
	for {
		err := d.handleBegin(ctx, record)
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

func (d *Depot) handleBegin(ctx context.Context, record *kgo.Record) error {
	p, err := parse(record)
	if err != nil {
		return err
	}
	tx, err := d.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback(ctx) }()
	tag, err := tx.Exec(ctx, claim, p.EventID)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 1 {
		if err := shelve(ctx, tx, p); err != nil {
			return err
		}
	}
	return tx.Commit(ctx)
}
