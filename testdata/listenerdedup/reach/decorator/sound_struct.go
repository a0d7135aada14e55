package decorator

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type vaseFired struct {
	EventID string `json:"eventId"`
	Kiln    string `json:"kiln"`
	Pieces  int    `json:"pieces"`
}

type vaseKeeper interface {
	Keep(ctx context.Context, e vaseFired) error
}

// VaseWorker calls a decorated interface; sound: the decorator marks the event before the next keeper.
type VaseWorker struct {
	keeper vaseKeeper
}

func NewVaseWorker(pool *pgxpool.Pool) *VaseWorker {
	return &VaseWorker{keeper: vaseOnce{pool: pool, next: vaseStore{pool: pool}}}
}

func (w *VaseWorker) Run(ctx context.Context, client *kgo.Client) {
	for ctx.Err() == nil {
		client.PollFetches(ctx).EachRecord(func(r *kgo.Record) {
			var e vaseFired
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

// vaseOnce decorates a keeper with the gate.
type vaseOnce struct {
	pool *pgxpool.Pool
	next vaseKeeper
}

func (o vaseOnce) Keep(ctx context.Context, e vaseFired) error {
	tag, err := o.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'kiln') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	return o.next.Keep(ctx, e)
}

type vaseStore struct{ pool *pgxpool.Pool }

func (s vaseStore) Keep(ctx context.Context, e vaseFired) error {
	_, err := s.pool.Exec(ctx, `UPDATE kilns SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Kiln)
	return err
}
