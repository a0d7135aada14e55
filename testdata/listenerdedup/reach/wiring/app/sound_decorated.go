package app

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/wiring/consumer"
	"example.com/cases/listenerdedup/reach/wiring/service"
)

// RunParcels binds a method value without a gate; sound: the decorator around it marks the event.
func RunParcels(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	svc := service.NewParcels(pool)
	w := consumer.NewParcelWorker(reader, once(pool, svc.Handle))
	return w.Run(ctx)
}

func once(pool *pgxpool.Pool, next func(ctx context.Context, body []byte) error) func(ctx context.Context, body []byte) error {
	return func(ctx context.Context, body []byte) error {
		var head struct {
			EventID string `json:"eventId"`
		}
		if err := json.Unmarshal(body, &head); err != nil {
			return err
		}
		tag, err := pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'parcels') ON CONFLICT DO NOTHING`, head.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		return next(ctx, body)
	}
}
