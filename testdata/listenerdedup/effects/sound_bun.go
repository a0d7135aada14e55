package effects

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/uptrace/bun"
)

type sandDug struct {
	EventID string `json:"eventId"`
	Pit     string `json:"pit"`
	Tons    int    `json:"tons"`
}

// SandWorker is sound: an insert with bun stands behind the mark in its own transaction.
type SandWorker struct {
	db *bun.DB
}

func NewSandWorker(db *bun.DB) *SandWorker {
	return &SandWorker{db: db}
}

func (w *SandWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *SandWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *SandWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *SandWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e sandDug
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	return w.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		res, err := tx.NewRaw("INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'sand') ON CONFLICT DO NOTHING", e.EventID).Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		_, err = tx.NewInsert().Model(&sandRow{Pit: e.Pit, Tons: e.Tons}).Exec(ctx)
		return err
	})
}

type sandRow struct {
	bun.BaseModel `bun:"table:sand"`
	ID            int64 `bun:",pk,autoincrement"`
	Pit           string
	Tons          int
}
