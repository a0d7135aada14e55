package goroutine

import (
	"context"
	"database/sql"
	"encoding/json"
	"sync"

	"github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
)

type passScanned struct {
	EventID string `json:"eventId"`
	Park    string `json:"park"`
}

// ParkHandler writes in a goroutine and waits for it before the commit; right: the transaction outlives the goroutine.
type ParkHandler struct {
	db *sql.DB
}

// Register binds the handler to a Kafka subscriber.
func (h *ParkHandler) Register(router *message.Router, brokers []string, log watermill.LoggerAdapter) error {
	sub, err := kafka.NewSubscriber(kafka.SubscriberConfig{Brokers: brokers, Unmarshaler: kafka.DefaultMarshaler{}, ConsumerGroup: "pass-ledger"}, log)
	if err != nil {
		return err
	}
	router.AddConsumerHandler("pass.scanned", "pass.scanned", sub, h.Handle)
	return nil
}

// Handle is called by the router.
func (h *ParkHandler) Handle(msg *message.Message) error {
	return h.count(msg.Context(), msg.Payload)
}

func NewParkHandler(db *sql.DB) *ParkHandler {
	return &ParkHandler{db: db}
}

func (h *ParkHandler) count(ctx context.Context, payload []byte) error {
	var e passScanned
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
	var wg sync.WaitGroup
	var workErr error
	wg.Add(1)
	go func() {
		defer wg.Done()
		_, workErr = tx.ExecContext(ctx, `UPDATE parks SET visitors = visitors + 1 WHERE id = $1`, e.Park)
	}()
	wg.Wait()
	if workErr != nil {
		return workErr
	}
	return tx.Commit()
}
