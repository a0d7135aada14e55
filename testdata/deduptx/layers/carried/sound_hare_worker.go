package carried

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/layers/carried/store"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
)

type hareWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// HareWorker does both in one unit of work; right.
type HareWorker struct {
	pool     *pgxpool.Pool
	consumer *kafka.Consumer
}

// Run polls.
func (w *HareWorker) Run(ctx context.Context) error {
	for {
		msg, err := w.consumer.ReadMessage(-1)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

func (w *HareWorker) handle(ctx context.Context, payload []byte) error {
	var e hareWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return store.Work(ctx, w.pool, func(u *store.Unit) error {
		first, err := u.TryMark(ctx, e.EventID)
		if err != nil || !first {
			return err
		}
		return u.AddFarm(ctx, e.Farm)
	})
}
