package goroutine

import (
	"context"
	"database/sql"
	"encoding/json"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type ticketScanned struct {
	EventID string `json:"eventId"`
	Zoo     string `json:"zoo"`
}

// ZooHandler writes in a goroutine that nobody waits for before the commit.
type ZooHandler struct {
	db *sql.DB
}

// Register binds the handler to a Kafka subscriber.
func (h *ZooHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "ticket-ledger"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("ticket.scanned", "ticket.scanned", sub, h.Handle)
	return nil
}

// Handle is called by the router.
func (h *ZooHandler) Handle(msg *message.Message) error {
	return h.count(msg.Context(), msg.Payload)
}

func NewZooHandler(db *sql.DB) *ZooHandler {
	return &ZooHandler{db: db}
}

func (h *ZooHandler) count(ctx context.Context, payload []byte) error {
	var e ticketScanned
	if err := json.Unmarshal(payload, &e); err != nil {
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
	go func() {
		if _, err := tx.ExecContext(ctx, `UPDATE zoos SET visitors = visitors + 1 WHERE id = $1`, e.Zoo); err != nil { // want "R-KFK-IDEM-3"
			slog.Error("count visitor", "err", err)
		}
	}()
	return tx.Commit()
}
