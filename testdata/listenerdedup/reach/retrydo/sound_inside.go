package retrydo

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"

	"example.com/cases/listenerdedup/reach/retrydo/retry"
)

type caseMoved struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
	Boxes   int    `json:"boxes"`
}

// CaseWorker is sound: each attempt is a transaction that begins with the mark.
type CaseWorker struct {
	client *kgo.Client
	db     *sql.DB
}

func NewCaseWorker(seeds []string, db *sql.DB) (*CaseWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("case"), kgo.ConsumeTopics("case.moved"))
	if err != nil {
		return nil, err
	}
	return &CaseWorker{client: client, db: db}, nil
}

func (w *CaseWorker) Run(ctx context.Context) error {
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

func (w *CaseWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e caseMoved
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return retry.Do(ctx, 3, func(ctx context.Context) error {
		tx, err := w.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		defer tx.Rollback()
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'depots') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		if _, err := tx.ExecContext(ctx, `UPDATE depots SET cases = cases + $1 WHERE id = $2`, e.Boxes, e.Depot); err != nil {
			return err
		}
		return tx.Commit()
	})
}
