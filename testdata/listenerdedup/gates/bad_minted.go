package gates

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type pagePrinted struct {
	EventID string `json:"eventId"`
	Printer string `json:"printer"`
	Pages   int    `json:"pages"`
}

// PrintWorker marks an id that it made up a line earlier: every delivery is the first.
type PrintWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewPrintWorker(brokers []string, pool *pgxpool.Pool) *PrintWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "page.printed", GroupID: "print"})
	return &PrintWorker{reader: r, pool: pool}
}

func (w *PrintWorker) Run(ctx context.Context) error {
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

func (w *PrintWorker) handle(ctx context.Context, m kafka.Message) error {
	var e pagePrinted
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	id := uuid.NewString()
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'printers') ON CONFLICT DO NOTHING`, id)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE printers SET pages = pages + $1 WHERE id = $2`, e.Pages, e.Printer) // want "R-KFK-IDEM-X1"
		return err
	})
}
