// Package commits uses offsets to find what to commit.
package commits

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

// through is the last record up to which all of a batch are done.
func through(done, all []*kgo.Record) (*kgo.Record, bool) {
	seen := make(map[string]bool)
	for _, r := range done {
		seen[fmt.Sprintf("%s-%d", string(r.Key), r.Offset)] = true
	}
	least := int64(math.MaxInt64)
	for _, r := range all {
		if !seen[fmt.Sprintf("%s-%d", string(r.Key), r.Offset)] && r.Offset < least {
			least = r.Offset
		}
	}
	var last *kgo.Record
	for _, r := range done {
		if r.Offset < least {
			last = r
		}
	}
	return last, last != nil
}

func batches(ctx context.Context, client *kgo.Client, pool *pgxpool.Pool) error {
	for {
		fetches := client.PollFetches(ctx)
		all := fetches.Records()
		var done []*kgo.Record
		for _, r := range all {
			if err := store(ctx, pool, r); err == nil {
				done = append(done, r)
			}
		}
		if rec, ok := through(done, all); ok {
			if err := client.CommitRecords(ctx, rec); err != nil {
				return err
			}
		}
	}
}

func store(ctx context.Context, pool *pgxpool.Pool, r *kgo.Record) error {
	return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO facts (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, string(r.Key), r.Value)
		return err
	})
}

// tracker moves a watermark over the offsets that workers are done with.
type tracker struct {
	mu   sync.Mutex
	next int64
	done map[int64]struct{}
}

func (t *tracker) mark(offset int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done[offset] = struct{}{}
	for {
		if _, ok := t.done[t.next]; !ok {
			return
		}
		delete(t.done, t.next)
		t.next++
	}
}

func pool(ctx context.Context, client *kgo.Client, db *pgxpool.Pool) {
	t := &tracker{done: make(map[int64]struct{})}
	for ctx.Err() == nil {
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			if err := store(ctx, db, r); err != nil {
				return
			}
			t.mark(r.Offset)
		})
	}
}
