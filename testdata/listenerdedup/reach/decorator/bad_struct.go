package decorator

import (
	"context"
	"encoding/json"
	"log"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type bowlFired struct {
	EventID string `json:"eventId"`
	Kiln    string `json:"kiln"`
	Pieces  int    `json:"pieces"`
}

type bowlKeeper interface {
	Keep(ctx context.Context, e bowlFired) error
}

// BowlWorker calls a decorated interface; the decorator only takes the time.
type BowlWorker struct {
	keeper bowlKeeper
}

func NewBowlWorker(pool *pgxpool.Pool) *BowlWorker {
	return &BowlWorker{keeper: bowlTimed{next: bowlStore{pool: pool}}}
}

func (w *BowlWorker) Run(ctx context.Context, client *kgo.Client) {
	for ctx.Err() == nil {
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			var e bowlFired
			if err := json.Unmarshal(r.Value, &e); err != nil {
				log.Print(err)
				return
			}
			if err := w.keeper.Keep(ctx, e); err != nil {
				log.Print(err)
			}
		})
	}
}

// bowlTimed decorates a keeper with a clock.
type bowlTimed struct {
	next bowlKeeper
}

func (o bowlTimed) Keep(ctx context.Context, e bowlFired) error {
	start := time.Now()
	defer func() { log.Printf("kept in %s", time.Since(start)) }()
	return o.next.Keep(ctx, e)
}

type bowlStore struct{ pool *pgxpool.Pool }

func (s bowlStore) Keep(ctx context.Context, e bowlFired) error {
	_, err := s.pool.Exec(ctx, `UPDATE kilns SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Kiln) // want "R-KFK-IDEM-X1"
	return err
}
