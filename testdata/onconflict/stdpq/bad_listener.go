package stdpq

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type seatTaken struct {
	EventID string `json:"eventId"`
	SeatID  string `json:"seatId"`
}

// SeatListener is a whole listener whose gate stands inline, without the clause.
type SeatListener struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewSeatListener(brokers []string, db *sql.DB) *SeatListener {
	return &SeatListener{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "seats", GroupID: "hall"}), db: db}
}

func (l *SeatListener) Run(ctx context.Context) error {
	for {
		m, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.take(ctx, m); err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (l *SeatListener) take(ctx context.Context, m kafka.Message) error {
	var e seatTaken
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := l.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2)`, e.EventID, "hall") // want "R-KFK-IDEM-2"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE seats SET taken = taken + 1 WHERE id = $1`, e.SeatID); err != nil {
		return err
	}
	return tx.Commit()
}
