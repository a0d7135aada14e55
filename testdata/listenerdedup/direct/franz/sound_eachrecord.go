package franzcase

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kgo"
)

type passSold struct {
	EventID string `json:"eventId"`
	Match   string `json:"match"`
	Zone    string `json:"zone"`
}

// PassWorker is PollFetches + EachRecord; sound: the closure marks the event in the transaction before it inserts.
type PassWorker struct {
	client *kgo.Client
	pool   *pgxpool.Pool
}

func NewPassWorker(seeds []string, pool *pgxpool.Pool) (*PassWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("gate-lists"), kgo.ConsumeTopics("passes"))
	if err != nil {
		return nil, err
	}
	return &PassWorker{client: client, pool: pool}, nil
}

func (w *PassWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		var failed error
		fetches.EachRecord(func(r *kgo.Record) {
			var e passSold
			if err := json.Unmarshal(r.Value, &e); err != nil {
				failed = errors.Join(failed, err)
				return
			}
			err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'gate-lists') ON CONFLICT DO NOTHING`, e.EventID)
				if err != nil || tag.RowsAffected() == 0 {
					return err
				}
				_, err = tx.Exec(ctx, `INSERT INTO gate_list (match, zone) VALUES ($1, $2)`, e.Match, e.Zone)
				return err
			})
			failed = errors.Join(failed, err)
		})
		if failed != nil {
			return failed
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}
