package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type stampCollected struct {
	EventID string `json:"eventId"`
	Card    string `json:"card"`
	Stamps  int    `json:"stamps"`
}

// StampWorker drops the error of its check: a failed query reads as "not seen".
type StampWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewStampWorker(seeds []string, pool *pgxpool.Pool) (*StampWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("stamp"), kgo.ConsumeTopics("stamp.collected"))
	if err != nil {
		return nil, err
	}
	return &StampWorker{client: client, pool: pool}, nil
}

func (w *StampWorker) Run(ctx context.Context) error {
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

func (w *StampWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e stampCollected
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	seen, _ := w.alreadySeen(ctx, e.EventID)
	if seen {
		return nil
	}
	_, err := w.pool.Exec(ctx, `UPDATE cards SET stamps = stamps + $1 WHERE id = $2`, e.Stamps, e.Card) // want "R-KFK-IDEM-X1"
	return err
}

func (w *StampWorker) alreadySeen(ctx context.Context, id string) (bool, error) {
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cards') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 0, nil
}
