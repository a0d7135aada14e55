package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type crateMoved struct {
	EventID string `json:"eventId"`
	Dock    string `json:"dock"`
	Crates  int    `json:"crates"`
}

// CrateWorker is sound: the same update stands behind the mark of the event id in one transaction.
type CrateWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewCrateWorker(brokers []string, pool *pgxpool.Pool) *CrateWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "crate.moved", GroupID: "crate"})
	return &CrateWorker{reader: r, pool: pool}
}

func (w *CrateWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *CrateWorker) handle(ctx context.Context, m kafka.Message) error {
	var e crateMoved
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'docks') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE docks SET crates = crates + $1 WHERE name = $2`, e.Crates, e.Dock)
		return err
	})
}
