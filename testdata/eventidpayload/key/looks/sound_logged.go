// Package looks has what looks like an id from a header, and is none.
package looks

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type berthFreed struct {
	EventID string `json:"event_id"`
	Berth   int    `json:"berth"`
}

// harbour logs watermill's UUID and metadata, and counts by the payload's id.
type harbour struct{ pool *pgxpool.Pool }

func (h *harbour) routes(r *message.Router, sub *kafka.Subscriber) {
	r.AddNoPublisherHandler("berths", "berths", sub, h.freed)
}

func (h *harbour) freed(msg *message.Message) error {
	ctx := msg.Context()
	slog.InfoContext(ctx, "berth", "uuid", msg.UUID, "tenant", msg.Metadata.Get("tenant"))
	var ev berthFreed
	if err := json.Unmarshal(msg.Payload, &ev); err != nil {
		return err
	}
	return h.once(ctx, ev, msg.Metadata.Get("correlation_id"))
}

// once stores the header beside the key, not in it.
func (h *harbour) once(ctx context.Context, ev berthFreed, correlation string) error {
	return pgx.BeginFunc(ctx, h.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id, correlation) VALUES ($1, $2) ON CONFLICT (event_id) DO NOTHING`, ev.EventID, correlation)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE harbours SET free = free + 1 WHERE berth = $1`, ev.Berth)
		return err
	})
}
