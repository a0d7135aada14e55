package gates

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type riverMeasured struct {
	EventID     string `json:"eventId"`
	Gauge       string `json:"gauge"`
	Millimetres int    `json:"millimetres"`
}

// RiverWorker is sound: the claim is a struct, and its Duplicate field makes the worker return.
type RiverWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewRiverWorker(brokers []string, db *sqlx.DB) *RiverWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "river.measured", GroupID: "river"})
	return &RiverWorker{reader: r, db: db}
}

func (w *RiverWorker) Run(ctx context.Context) error {
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

func (w *RiverWorker) handle(ctx context.Context, m kafka.Message) error {
	var e riverMeasured
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	claim, err := w.claim(ctx, tx, e.EventID)
	if err != nil {
		return err
	}
	if claim.Duplicate {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO levels (gauge, mm) VALUES ($1, $2)`, e.Gauge, e.Millimetres); err != nil {
		return err
	}
	return tx.Commit()
}

type riverClaim struct {
	Group     string
	FirstTime bool
	Duplicate bool
}

func (w *RiverWorker) claim(ctx context.Context, tx *sqlx.Tx, id string) (riverClaim, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'gauges') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return riverClaim{}, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return riverClaim{}, err
	}
	return riverClaim{Group: "gauges", FirstTime: n == 1, Duplicate: n == 0}, nil
}
