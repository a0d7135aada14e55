package gates

import (
	"context"
	"encoding/json"
	"log"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type pageCopied struct {
	EventID string `json:"eventId"`
	Copier  string `json:"copier"`
	Pages   int    `json:"pages"`
}

// CopyWorker is sound: the made-up id is only logged, the gate uses the payload's.
type CopyWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewCopyWorker(brokers []string, pool *pgxpool.Pool) *CopyWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "page.copied", GroupID: "copy"})
	return &CopyWorker{reader: r, pool: pool}
}

func (w *CopyWorker) Run(ctx context.Context) error {
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

func (w *CopyWorker) handle(ctx context.Context, m kafka.Message) error {
	var e pageCopied
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	requestID := uuid.NewString()
	log.Printf("request %s: event %s", requestID, e.EventID)
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'copiers') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE copiers SET pages = pages + $1 WHERE id = $2`, e.Pages, e.Copier)
		return err
	})
}
