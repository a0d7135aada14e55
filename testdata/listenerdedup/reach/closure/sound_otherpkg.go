package closure

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/closure/loop"
)

type shotTaken struct {
	EventID string `json:"eventId"`
	Camera  string `json:"camera"`
	Shots   int    `json:"shots"`
}

// KeepShots hands a closure to a loop of another package; sound: the closure marks the event before the update.
func KeepShots(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool) error {
	return loop.Each(ctx, reader, func(ctx context.Context, body []byte) error {
		var e shotTaken
		if err := json.Unmarshal(body, &e); err != nil {
			return err
		}
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cameras') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, `UPDATE cameras SET shots = shots + $1 WHERE id = $2`, e.Shots, e.Camera)
			return err
		})
	})
}
