package entcase

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"example.com/cases/onconflict/entcase/ent"
	"example.com/cases/onconflict/entcase/ent/processedevent"
	"github.com/IBM/sarama"
)

type beeWorkerEvent struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
}

// BeeWorker creates with the client beside the transaction.
type BeeWorker struct {
	client *ent.Client
}

// Setup does nothing.
func (w *BeeWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing.
func (w *BeeWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim handles a partition's messages.
func (w *BeeWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg.Value); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *BeeWorker) handle(ctx context.Context, payload []byte) error {
	var e beeWorkerEvent
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.client.Tx(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	err = tx.ProcessedEvent.Create().SetID(e.EventID).SetConsumerGroup("farms").OnConflictColumns(processedevent.FieldID).DoNothing().Exec(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := w.client.Shipment.Create().SetOrderID(e.EventID).SetAddress(e.Farm).Exec(ctx); err != nil { // want "R-KFK-IDEM-3"
		return err
	}
	return tx.Commit()
}
