package poolinside

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type poolVisited struct {
	EventID string `json:"eventId"`
	Pool    string `json:"pool"`
}

// PoolHandler calls a closure that gets the handle as a parameter; right: it is called with the transaction.
type PoolHandler struct {
	db *sql.DB
}

// Register binds the handler to a Kafka subscriber.
func (h *PoolHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "pool-ledger"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("pool.visited", "pool.visited", sub, h.Handle)
	return nil
}

// Handle is called by the router.
func (h *PoolHandler) Handle(msg *message.Message) error {
	return h.visit(msg.Context(), msg.Payload)
}

func NewPoolHandler(db *sql.DB) *PoolHandler {
	return &PoolHandler{db: db}
}

func (h *PoolHandler) visit(ctx context.Context, payload []byte) error {
	var e poolVisited
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	visit := func(tx *sql.Tx) error {
		_, err := tx.ExecContext(ctx, `UPDATE swimming_pools SET visits = visits + 1 WHERE id = $1`, e.Pool)
		return err
	}

	tx, err := h.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if err := visit(tx); err != nil {
		return err
	}
	return tx.Commit()
}
