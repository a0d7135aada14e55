package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type lawnWatered struct {
	EventID string `json:"eventId"`
	Lawn    string `json:"lawn"`
	Litres  int    `json:"litres"`
}

// LawnWorker is sound: anything but one row of the mark returns.
type LawnWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewLawnWorker(brokers []string, pool *pgxpool.Pool) *LawnWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lawn.watered", GroupID: "lawn"})
	return &LawnWorker{reader: r, pool: pool}
}

func (w *LawnWorker) Run(ctx context.Context) error {
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

func (w *LawnWorker) handle(ctx context.Context, m kafka.Message) error {
	var e lawnWatered
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'lawns') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() != 1 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE lawns SET litres = litres + $1 WHERE id = $2`, e.Litres, e.Lawn)
		return err
	})
}
