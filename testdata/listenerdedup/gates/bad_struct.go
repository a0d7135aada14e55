package gates

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type creekMeasured struct {
	EventID     string `json:"eventId"`
	Gauge       string `json:"gauge"`
	Millimetres int    `json:"millimetres"`
}

// CreekWorker tests the wrong field of the claim: FirstTime makes it return.
type CreekWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewCreekWorker(brokers []string, db *sqlx.DB) *CreekWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "creek.measured", GroupID: "creek"})
	return &CreekWorker{reader: r, db: db}
}

func (w *CreekWorker) Run(ctx context.Context) error {
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

func (w *CreekWorker) handle(ctx context.Context, m kafka.Message) error {
	var e creekMeasured
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
	if claim.FirstTime {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO levels (gauge, mm) VALUES ($1, $2)`, e.Gauge, e.Millimetres); err != nil { // want "R-KFK-IDEM-X1"
		return err
	}
	return tx.Commit()
}

type creekClaim struct {
	Group     string
	FirstTime bool
	Duplicate bool
}

func (w *CreekWorker) claim(ctx context.Context, tx *sqlx.Tx, id string) (creekClaim, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'gauges') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return creekClaim{}, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return creekClaim{}, err
	}
	return creekClaim{Group: "gauges", FirstTime: n == 1, Duplicate: n == 0}, nil
}
