package twotx

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jmoiron/sqlx"
)

type waterTaken struct {
	EventID string `json:"eventId"`
	Tank    string `json:"tank"`
	Litres  int    `json:"litres"`
}

// WaterHandler holds two transactions at once; right: the second is a read-only snapshot, mark and work are both in the first.
type WaterHandler struct {
	db *sqlx.DB
}

// Register binds the handler to a Kafka subscriber.
func (h *WaterHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "water-ledger"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("water.taken", "water.taken", sub, h.Handle)
	return nil
}

// Handle is called by the router.
func (h *WaterHandler) Handle(msg *message.Message) error {
	return h.take(msg.Context(), msg.Payload)
}

func NewWaterHandler(db *sqlx.DB) *WaterHandler {
	return &WaterHandler{db: db}
}

func (h *WaterHandler) take(ctx context.Context, payload []byte) error {
	var e waterTaken
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	snapshot, err := h.db.BeginTxx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return err
	}
	defer snapshot.Rollback()
	var factor int
	if err := snapshot.GetContext(ctx, &factor, `SELECT factor FROM tariffs WHERE tank_id = $1`, e.Tank); err != nil {
		return err
	}
	work, err := h.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer work.Rollback()
	res, err := work.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := work.ExecContext(ctx, `UPDATE tanks SET litres = litres - $1 WHERE id = $2`, e.Litres*factor, e.Tank); err != nil {
		return err
	}
	return work.Commit()
}
