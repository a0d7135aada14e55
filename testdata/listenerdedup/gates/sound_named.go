package gates

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type iceMeasured struct {
	EventID     string `json:"eventId"`
	Station     string `json:"station"`
	Centimetres int    `json:"centimetres"`
}

// GlacierWorker is sound: the helper fills its named results, wraps the error in a defer, and the worker returns unless first.
type GlacierWorker struct {
	pool *pgxpool.Pool
}

func NewGlacierWorker(pool *pgxpool.Pool) *GlacierWorker {
	return &GlacierWorker{pool: pool}
}

func (w *GlacierWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *GlacierWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *GlacierWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *GlacierWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e iceMeasured
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
	_, err = w.pool.Exec(ctx, `INSERT INTO depths (station, cm) VALUES ($1, $2)`, e.Station, e.Centimetres)
	return err
}

func (w *GlacierWorker) tryMark(ctx context.Context, id string) (first bool, err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("mark %s: %w", id, err)
		}
	}()
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stations') ON CONFLICT DO NOTHING`, id)
	if err != nil {
		return
	}
	first = tag.RowsAffected() > 0
	return
}
