package twotx

import (
	"context"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

type fuelTaken struct {
	EventID string `json:"eventId"`
	Tank    string `json:"tank"`
	Litres  int    `json:"litres"`
}

// FuelHandler holds two transactions at once, one for the mark and one for the work, and commits both.
type FuelHandler struct {
	db *sqlx.DB
}

// Register binds the handler to a Kafka subscriber.
func (h *FuelHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "fuel-ledger"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("fuel.taken", "fuel.taken", sub, h.Handle)
	return nil
}

// Handle is called by the router.
func (h *FuelHandler) Handle(msg *message.Message) error {
	return h.take(msg.Context(), msg.Payload)
}

func NewFuelHandler(db *sqlx.DB) *FuelHandler {
	return &FuelHandler{db: db}
}

func (h *FuelHandler) take(ctx context.Context, payload []byte) error {
	var e fuelTaken
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	marks, err := h.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer marks.Rollback()
	work, err := h.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer work.Rollback()
	res, err := marks.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := work.ExecContext(ctx, `UPDATE tanks SET litres = litres - $1 WHERE id = $2`, e.Litres, e.Tank); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	if err := work.Commit(); err != nil {
		return err
	}
	return marks.Commit()
}
