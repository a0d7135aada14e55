package effects

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/uptrace/bun"
)

type clayDug struct {
	EventID string `json:"eventId"`
	Pit     string `json:"pit"`
	Tons    int    `json:"tons"`
}

// ClayWorker has an insert with bun as its effect and no gate.
type ClayWorker struct {
	db *bun.DB
}

func NewClayWorker(db *bun.DB) *ClayWorker {
	return &ClayWorker{db: db}
}

func (w *ClayWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ClayWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ClayWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ClayWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e clayDug
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.db.NewInsert().Model(&clayRow{Pit: e.Pit, Tons: e.Tons}).Exec(ctx) // want "R-KFK-IDEM-X1"
	return err
}

type clayRow struct {
	bun.BaseModel `bun:"table:clay"`
	ID            int64 `bun:",pk,autoincrement"`
	Pit           string
	Tons          int
}
