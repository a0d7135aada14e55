package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type badgeCollected struct {
	EventID string `json:"eventId"`
	Card    string `json:"card"`
	Badges  int    `json:"badges"`
}

// BadgeWorker is sound here: the error of the same check is returned.
type BadgeWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewBadgeWorker(seeds []string, pool *pgxpool.Pool) (*BadgeWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("badge"), kgo.ConsumeTopics("badge.collected"))
	if err != nil {
		return nil, err
	}
	return &BadgeWorker{client: client, pool: pool}, nil
}

func (w *BadgeWorker) Run(ctx context.Context) error {
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

func (w *BadgeWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e badgeCollected
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	seen, err := w.alreadySeen(ctx, e.EventID)
	if err != nil {
		return err
	}
	if seen {
		return nil
	}
	_, err = w.pool.Exec(ctx, `UPDATE cards SET badges = badges + $1 WHERE id = $2`, e.Badges, e.Card)
	return err
}

func (w *BadgeWorker) alreadySeen(ctx context.Context, id string) (bool, error) {
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cards') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 0, nil
}
