package gates

import (
	"context"
	"encoding/json"
	"errors"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type batCounted struct {
	EventID string `json:"eventId"`
	Wood    string `json:"wood"`
	Birds   int    `json:"birds"`
}

// BatWorker's insertIfNew turns pgx.ErrNoRows into an error that the worker logs before it goes on.
type BatWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewBatWorker(seeds []string, pool *pgxpool.Pool) (*BatWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("bat"), kgo.ConsumeTopics("bat.counted"))
	if err != nil {
		return nil, err
	}
	return &BatWorker{client: client, pool: pool}, nil
}

func (w *BatWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := w.handle(ctx, r); err != nil {
				return err
			}
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (w *BatWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e batCounted
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if err := w.insertIfNew(ctx, tx, e.EventID); err != nil {
			log.Printf("event %s: %v", e.EventID, err)
		}
		_, err := tx.Exec(ctx, `UPDATE woods SET birds = birds + $1 WHERE id = $2`, e.Birds, e.Wood) // want "R-KFK-IDEM-X1"
		return err
	})
}

func (w *BatWorker) insertIfNew(ctx context.Context, tx pgx.Tx, id string) error {
	var got string
	err := tx.QueryRow(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'woods') ON CONFLICT DO NOTHING RETURNING event_id`, id).Scan(&got)
	if errors.Is(err, pgx.ErrNoRows) {
		return errors.New("seen before")
	}
	return err
}
