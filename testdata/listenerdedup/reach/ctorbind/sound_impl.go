package ctorbind

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type guestCheckedIn struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Nights  int    `json:"nights"`
}

type checkinBook interface {
	Record(ctx context.Context, e guestCheckedIn) error
}

// CheckinWorker calls an interface that its constructor binds; sound: the only implementation marks the event before it writes.
type CheckinWorker struct {
	reader *kafka.Reader
	book   checkinBook
}

func NewCheckinWorker(reader *kafka.Reader, pool *pgxpool.Pool) *CheckinWorker {
	return &CheckinWorker{reader: reader, book: &checkinStore{pool: pool}}
}

func (w *CheckinWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e guestCheckedIn
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.book.Record(ctx, e); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

type checkinStore struct{ pool *pgxpool.Pool }

func (s *checkinStore) Record(ctx context.Context, e guestCheckedIn) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'rooms') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO stays (room, nights) VALUES ($1, $2)`, e.Room, e.Nights)
		return err
	})
}
