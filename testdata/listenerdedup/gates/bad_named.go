package gates

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type snowMeasured struct {
	EventID     string `json:"eventId"`
	Station     string `json:"station"`
	Centimetres int    `json:"centimetres"`
}

// SnowWorker's helper swallows the error in its defer and lets the event through: a failing store runs the work.
type SnowWorker struct {
	pool *pgxpool.Pool
}

func NewSnowWorker(pool *pgxpool.Pool) *SnowWorker {
	return &SnowWorker{pool: pool}
}

func (w *SnowWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *SnowWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *SnowWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *SnowWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e snowMeasured
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	first, err := w.tryMark(ctx, e.EventID)
	if err != nil {
		return err
	}
	if !first {
		return nil
	}
	_, err = w.pool.Exec(ctx, `INSERT INTO depths (station, cm) VALUES ($1, $2)`, e.Station, e.Centimetres) // want "R-KFK-IDEM-X1"
	return err
}

func (w *SnowWorker) tryMark(ctx context.Context, id string) (first bool, err error) {
	defer func() {
		if err != nil {
			first, err = true, nil
		}
	}()
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stations') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return
	}
	first = tag.RowsAffected() > 0
	return
}
