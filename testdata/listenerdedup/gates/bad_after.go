package gates

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type guestArrived struct {
	EventID string `json:"eventId"`
	Hotel   string `json:"hotel"`
	Guests  int    `json:"guests"`
}

// GuestWorker marks the event after the update: the duplicate has already been counted when the mark says so.
type GuestWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewGuestWorker(brokers []string, pool *pgxpool.Pool) *GuestWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "guest.arrived", GroupID: "guest"})
	return &GuestWorker{reader: r, pool: pool}
}

func (w *GuestWorker) Run(ctx context.Context) error {
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

func (w *GuestWorker) handle(ctx context.Context, m kafka.Message) error {
	var e guestArrived
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	if _, err := w.pool.Exec(ctx, `UPDATE hotels SET guests = guests + $1 WHERE code = $2`, e.Guests, e.Hotel); err != nil { // want "R-KFK-IDEM-X1"
		return err
	}
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'hotels') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		log.Printf("event %s has been counted before", e.EventID)
	}
	return nil
}
