package silent

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type shipDeclared struct {
	EventID string `json:"eventId"`
	Ship    string `json:"ship"`
	Tons    int    `json:"tons"`
}

// HarbourWorker is sound: its write is behind the mark, and what fails goes to the dead-letter topic, which is no effect.
type HarbourWorker struct {
	pool     *pgxpool.Pool
	producer sarama.SyncProducer
}

func NewHarbourWorker(pool *pgxpool.Pool, producer sarama.SyncProducer) *HarbourWorker {
	return &HarbourWorker{pool: pool, producer: producer}
}

func (w *HarbourWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *HarbourWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *HarbourWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *HarbourWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e shipDeclared
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'ships') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO arrivals (ship, tons) VALUES ($1, $2)`, e.Ship, e.Tons)
		return err
	})
	if err != nil {
		_, _, err = w.producer.SendMessage(&sarama.ProducerMessage{
			Topic: "ships.dead-letter",
			Key:   sarama.ByteEncoder(msg.Key),
			Value: sarama.ByteEncoder(msg.Value),
		})
	}
	return err
}
