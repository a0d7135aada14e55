package order

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type leafFallen struct {
	mu      int    // not encoded
	Skipped string `json:"-"`
	EventID string `json:"eventId"`
	Leaf    string `json:"leaf"`
}

// header is an envelope that comes first, and begins with the id.
type header struct {
	EventID uuid.UUID `json:"event_id"`
	At      time.Time `json:"at"`
}

type leafGrown struct {
	header
	Leaf string `json:"leaf"`
}

type leafEaten struct {
	Meta header `json:"meta"`
	By   string `json:"by"`
}

// leafSeen is read only: what the producer wrote first is not for the reader's
// struct to say.
type leafSeen struct {
	Leaf    string `json:"leaf"`
	EventID string `json:"eventId"`
}

// outboxRow is a row, no payload.
type outboxRow struct {
	ID        int64     `db:"id"`
	EventID   uuid.UUID `db:"event_id"`
	Type      string    `db:"type"`
	CreatedAt time.Time `db:"created_at"`
}

// reserved speaks of a concert, whose id is no event id.
type reserved struct {
	OrderID      uuid.UUID `json:"order_id"`
	EventID      uuid.UUID `json:"event_id"`
	TicketTypeID uuid.UUID `json:"ticket_type_id"`
}

// note has no event id.
type note struct {
	Text string `json:"text"`
	ID   string `json:"id"`
}

func publish(ctx context.Context, w *kafka.Writer, v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}

func leaves(ctx context.Context, w *kafka.Writer, r *kafka.Reader, id uuid.UUID) (outboxRow, error) {
	for _, v := range []any{leafFallen{EventID: id.String()}, &leafGrown{header: header{EventID: id}}, note{Text: "autumn"}, reserved{EventID: id}} {
		if err := publish(ctx, w, v); err != nil {
			return outboxRow{}, err
		}
	}
	if err := publish(ctx, w, leafEaten{Meta: header{EventID: id}, By: "deer"}); err != nil {
		return outboxRow{}, err
	}
	msg, err := r.ReadMessage(ctx)
	if err != nil {
		return outboxRow{}, err
	}
	var seen leafSeen
	if err := json.Unmarshal(msg.Value, &seen); err != nil {
		return outboxRow{}, err
	}
	return outboxRow{EventID: uuid.Must(uuid.NewV7()), Type: seen.Leaf, CreatedAt: time.Now()}, nil
}
