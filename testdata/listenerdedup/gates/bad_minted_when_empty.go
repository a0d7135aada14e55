package gates

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type pageScanned struct {
	EventID string `json:"eventId"`
	Scanner string `json:"scanner"`
	Pages   int    `json:"pages"`
}

// ScanWorker fills an empty event id with a fresh one, so that events without an id always pass the gate.
type ScanWorker struct {
	pool *pgxpool.Pool
}

func NewScanWorker(pool *pgxpool.Pool) *ScanWorker {
	return &ScanWorker{pool: pool}
}

func (w *ScanWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ScanWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ScanWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ScanWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e pageScanned
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	if e.EventID == "" {
		e.EventID = uuid.NewString()
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'scanners') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE scanners SET pages = pages + $1 WHERE id = $2`, e.Pages, e.Scanner) // want "R-KFK-IDEM-X1"
		return err
	})
}
