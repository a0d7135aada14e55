package carried

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/layers/carried/store"
	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type pupWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// PupWorker leaves the handle to a repository that takes it from the context; right.
type PupWorker struct {
	pool  *pgxpool.Pool
	inbox *store.Inbox
	farms *store.Farms
}

// Setup does nothing.
func (w *PupWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (w *PupWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim handles a partition's messages.
func (w *PupWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *PupWorker) handle(ctx context.Context, payload []byte) error {
	var e pupWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return store.WithinTx(ctx, w.pool, func(ctx context.Context) error {
		if first, err := w.inbox.TryMark(ctx, e.EventID); err != nil || !first {
			return err
		}
		return w.farms.Add(ctx, e.Farm)
	})
}
