package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type parcelParked struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
}

// YardWorker commits the message before the one at hand; right: what is committed has its transaction behind it.
type YardWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewYardWorker(brokers []string, db *sqlx.DB) *YardWorker {
	return &YardWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "parcelParked", GroupID: "depots"}),
		db:     db,
	}
}

func (w *YardWorker) Run(ctx context.Context) error {
	var done []kafka.Message
	for {
		if len(done) >= 100 {
			if err := w.reader.CommitMessages(ctx, done...); err != nil {
				return err
			}
			done = done[:0]
		}
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		done = append(done, m)
	}
}

func (w *YardWorker) handle(ctx context.Context, m kafka.Message) error {
	var e parcelParked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE depots SET parcels = parcels + 1 WHERE id = $1`, e.Depot); err != nil {
		return err
	}
	return tx.Commit()
}
