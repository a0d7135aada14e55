package poolinside

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type gymVisited struct {
	EventID string `json:"eventId"`
	Gym     string `json:"gym"`
}

// GymHandler calls a closure that was made outside, over the pool, from inside the transaction.
type GymHandler struct {
	db *sql.DB
}

// Register binds the handler to a Kafka subscriber.
func (h *GymHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "gym-ledger"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("gym.visited", "gym.visited", sub, h.Handle)
	return nil
}

// Handle is called by the router.
func (h *GymHandler) Handle(msg *message.Message) error {
	return h.visit(msg.Context(), msg.Payload)
}

func NewGymHandler(db *sql.DB) *GymHandler {
	return &GymHandler{db: db}
}

func (h *GymHandler) visit(ctx context.Context, payload []byte) error {
	var e gymVisited
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	visit := func() error {
		_, err := h.db.ExecContext(ctx, `UPDATE gyms SET visits = visits + 1 WHERE id = $1`, e.Gym) // want "R-KFK-IDEM-3"
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
	if err := visit(); err != nil {
		return err
	}
	return tx.Commit()
}
