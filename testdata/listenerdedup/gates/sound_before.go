package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type visitorArrived struct {
	EventID  string `json:"eventId"`
	Museum   string `json:"museum"`
	Visitors int    `json:"visitors"`
}

// VisitorWorker is sound: the mark comes first, the update after it in the same transaction.
type VisitorWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewVisitorWorker(brokers []string, pool *pgxpool.Pool) *VisitorWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "visitor.arrived", GroupID: "visitor"})
	return &VisitorWorker{reader: r, pool: pool}
}

func (w *VisitorWorker) Run(ctx context.Context) error {
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

func (w *VisitorWorker) handle(ctx context.Context, m kafka.Message) error {
	var e visitorArrived
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'museums') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		if _, err := tx.Exec(ctx, `UPDATE museums SET visitors = visitors + $1 WHERE code = $2`, e.Visitors, e.Museum); err != nil {
			return err
		}
		return nil
	})
}
