package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
)

type tourBooked struct {
	EventID string `json:"eventId"`
	Guide   string `json:"guide"`
	People  int    `json:"people"`
}

// TourWorker uses IsProcessed; its counterpart MarkProcessed is not called by anyone.
type TourWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewTourWorker(brokers []string, db *sql.DB) *TourWorker {
	return &TourWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tour.booked", GroupID: "tour"}),
		db:     db,
	}
}

func (w *TourWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("tour.booked at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *TourWorker) handle(ctx context.Context, body []byte) error {
	var e tourBooked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	done, err := w.IsProcessed(ctx, e.EventID)
	if err != nil || done {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE guides SET people = people + $1 WHERE id = $2`, e.People, e.Guide) // want "R-KFK-IDEM-X1"
	return err
}

// MarkProcessed records the event.
func (w *TourWorker) MarkProcessed(ctx context.Context, id string) error {
	_, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'tours')`, id)
	return err
}

// IsProcessed looks the event up.
func (w *TourWorker) IsProcessed(ctx context.Context, id string) (bool, error) {
	var n int
	err := w.db.QueryRowContext(ctx, `SELECT count(*) FROM processed_events WHERE event_id = $1`, id).Scan(&n)
	return n > 0, err
}
