package silent

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type seatReserved struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Count   int    `json:"count"`
}

type seatDeduper interface {
	First(ctx context.Context, id string) (bool, error)
}

// SeatWorker asks an interface; sound: the constructor binds the real gate, the mock beside it is bound by tests only.
type SeatWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	dedup  seatDeduper
}

func NewSeatWorker(reader *kafka.Reader, pool *pgxpool.Pool) *SeatWorker {
	return &SeatWorker{reader: reader, pool: pool, dedup: seatMarks{pool: pool}}
}

func (w *SeatWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var e seatReserved
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		first, err := w.dedup.First(ctx, e.EventID)
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if _, err := w.pool.Exec(ctx, `UPDATE rooms SET seats = seats - $1 WHERE id = $2`, e.Count, e.Room); err != nil {
			return err
		}
	}
}

type seatMarks struct{ pool *pgxpool.Pool }

func (s seatMarks) First(ctx context.Context, id string) (bool, error) {
	tag, err := s.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'seats') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

var _ seatDeduper = (*MockSeatDeduper)(nil)

// MockSeatDeduper answers what a test sets.
type MockSeatDeduper struct {
	FirstFunc func(ctx context.Context, id string) (bool, error)
}

// First calls FirstFunc.
func (m *MockSeatDeduper) First(ctx context.Context, id string) (bool, error) {
	return m.FirstFunc(ctx, id)
}
