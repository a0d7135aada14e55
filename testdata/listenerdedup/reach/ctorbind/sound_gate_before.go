package ctorbind

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type keyHandedOut struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Keys    int    `json:"keys"`
}

type keyBook interface {
	Record(ctx context.Context, tx pgx.Tx, e keyHandedOut) error
}

// KeyWorker calls an interface that its constructor binds; sound: the worker itself marks the event before the call.
type KeyWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	book   keyBook
}

func NewKeyWorker(reader *kafka.Reader, pool *pgxpool.Pool) *KeyWorker {
	return &KeyWorker{reader: reader, pool: pool, book: keyStore{}}
}

func (w *KeyWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e keyHandedOut
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'keys') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			return w.book.Record(ctx, tx, e)
		})
		if err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

type keyStore struct{}

func (keyStore) Record(ctx context.Context, tx pgx.Tx, e keyHandedOut) error {
	_, err := tx.Exec(ctx, `UPDATE rooms SET keys = keys - $1 WHERE number = $2`, e.Keys, e.Room)
	return err
}
