package carried

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/layers/carried/store"
	wmkafka "github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5/pgxpool"
)

type rabbitWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// RabbitWorker does the work in a second unit of work.
type RabbitWorker struct {
	pool *pgxpool.Pool
}

// Register binds the handler.
func (w *RabbitWorker) Register(router *message.Router, sub *wmkafka.Subscriber) {
	router.AddNoPublisherHandler("rabbitworker", "rabbitworker", sub, func(msg *message.Message) error {
		return w.handle(msg.Context(), msg.Payload)
	})
}

func (w *RabbitWorker) handle(ctx context.Context, payload []byte) error {
	var e rabbitWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	err := store.Work(ctx, w.pool, func(u *store.Unit) error {
		first, err := u.TryMark(ctx, e.EventID)
		if err == nil && !first {
			return store.ErrSeen
		}
		return err
	})
	if err != nil {
		return err
	}
	return store.Work(ctx, w.pool, func(u *store.Unit) error {
		return u.AddFarm(ctx, e.Farm) // want "R-KFK-IDEM-3"
	})
}
