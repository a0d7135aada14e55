package gates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type owlCounted struct {
	EventID string `json:"eventId"`
	Wood    string `json:"wood"`
	Birds   int    `json:"birds"`
}

// OwlWorker is sound: insertIfNew turns pgx.ErrNoRows into false and the worker returns on it.
type OwlWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewOwlWorker(seeds []string, pool *pgxpool.Pool) (*OwlWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("owl"), kgo.ConsumeTopics("owl.counted"))
	if err != nil {
		return nil, err
	}
	return &OwlWorker{client: client, pool: pool}, nil
}

func (w *OwlWorker) Run(ctx context.Context) error {
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

func (w *OwlWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e owlCounted
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		isNew, err := w.insertIfNew(ctx, tx, e.EventID)
		if err != nil {
			return err
		}
		if !isNew {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE woods SET birds = birds + $1 WHERE id = $2`, e.Birds, e.Wood)
		return err
	})
}

func (w *OwlWorker) insertIfNew(ctx context.Context, tx pgx.Tx, id string) (bool, error) {
	var got string
	err := tx.QueryRow(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'woods') ON CONFLICT DO NOTHING RETURNING event_id`, id).Scan(&got)
	switch {
	case err == nil:
		return true, nil
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	default:
		return false, err
	}
}
