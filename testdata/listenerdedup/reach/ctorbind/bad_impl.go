package ctorbind

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type guestCheckedOut struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Nights  int    `json:"nights"`
}

type checkoutBook interface {
	Record(ctx context.Context, e guestCheckedOut) error
}

// CheckoutWorker calls an interface that its constructor binds; the only implementation writes at every delivery.
type CheckoutWorker struct {
	reader *kafka.Reader
	book   checkoutBook
}

func NewCheckoutWorker(reader *kafka.Reader, pool *pgxpool.Pool) *CheckoutWorker {
	return &CheckoutWorker{reader: reader, book: &checkoutStore{pool: pool}}
}

func (w *CheckoutWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e guestCheckedOut
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

type checkoutStore struct{ pool *pgxpool.Pool }

func (s *checkoutStore) Record(ctx context.Context, e guestCheckedOut) error {
	_, err := s.pool.Exec(ctx, `INSERT INTO departures (room, nights) VALUES ($1, $2)`, e.Room, e.Nights) // want "R-KFK-IDEM-X1"
	return err
}
