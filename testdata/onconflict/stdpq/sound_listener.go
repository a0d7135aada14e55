package stdpq

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type bedBooked struct {
	EventID string `json:"eventId"`
	WardID  string `json:"wardId"`
}

// BedListener is a whole listener; right: its gate has the clause, its plain INSERT goes to a business table.
type BedListener struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewBedListener(brokers []string, db *sql.DB) *BedListener {
	return &BedListener{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "beds", GroupID: "wards"}), db: db}
}

func (l *BedListener) Run(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.book(ctx, m); err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (l *BedListener) book(ctx context.Context, m kafka.Message) error {
	var e bedBooked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, e.EventID, "wards")
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO bed_bookings (ward_id, event_id) VALUES ($1, $2)`, e.WardID, e.EventID); err != nil {
		return err
	}
	return tx.Commit()
}
