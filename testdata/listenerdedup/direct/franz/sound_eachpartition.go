package franzcase

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/twmb/franz-go/pkg/kgo"
)

type gasRead struct {
	EventID string `json:"eventId"`
	Meter   string `json:"meter"`
	Litres  int    `json:"litres"`
}

// GasWorker is PollFetches + EachPartition; sound: add stops when the mark affects no row, in the update's transaction.
type GasWorker struct {
	client *kgo.Client
	db     *sqlx.DB
}

func NewGasWorker(seeds []string, db *sqlx.DB) (*GasWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("billing"), kgo.ConsumeTopics("gas"))
	if err != nil {
		return nil, err
	}
	return &GasWorker{client: client, db: db}, nil
}

func (w *GasWorker) Run(ctx context.Context) {
	for ctx.Err() == nil {
		fetches := w.client.PollFetches(ctx)
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			for _, r := range p.Records {
				if err := w.add(ctx, r); err != nil {
					log.Printf("%s/%d: %v", p.Topic, p.Partition, err)
				}
			}
		})
	}
}

func (w *GasWorker) add(ctx context.Context, r *kgo.Record) error {
	var e gasRead
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.NamedExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (:id, 'billing') ON CONFLICT DO NOTHING`, map[string]any{"id": e.EventID})
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE meters SET litres = litres + $1 WHERE id = $2`, e.Litres, e.Meter); err != nil {
		return err
	}
	return tx.Commit()
}
