package retrydo

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/retrydo/retry"
)

type sackMoved struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
	Boxes   int    `json:"boxes"`
}

// SackWorker retries its mark, ignores what the retries ended with, and writes.
type SackWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewSackWorker(brokers []string, db *sql.DB) *SackWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "sack.moved", GroupID: "sack"})
	return &SackWorker{reader: r, db: db}
}

func (w *SackWorker) Run(ctx context.Context) error {
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

func (w *SackWorker) handle(ctx context.Context, m kafka.Message) error {
	var e sackMoved
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	var n int64
	err := retry.Do(ctx, 3, func(ctx context.Context) error {
		res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'depots') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		n, err = res.RowsAffected()
		return err
	})
	if err == nil && n == 0 {
		return nil
	}
	_, err = w.db.ExecContext(ctx, `UPDATE depots SET sacks = sacks + $1 WHERE id = $2`, e.Boxes, e.Depot) // want "R-KFK-IDEM-X1"
	return err
}
