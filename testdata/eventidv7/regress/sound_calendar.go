package regress

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

// concert makes an event that people attend: its id is nobody's dedup key.
func concert(ctx context.Context, db *sql.DB, log func(string, map[string]any), name string) (map[string]any, error) {
	eventID := uuid.New()
	if _, err := db.ExecContext(ctx, `INSERT INTO events (id, name, total_tickets) VALUES ($1, $2, 100)`, eventID.String(), name); err != nil {
		return nil, err
	}
	if _, err := db.ExecContext(ctx, `INSERT INTO event_ticket_types (id, event_id, name) VALUES ($1, $2, 'GA')`, uuid.New().String(), eventID.String()); err != nil {
		return nil, err
	}
	log("made", map[string]any{"event_id": eventID})
	return map[string]any{"event_id": eventID, "name": name}, nil
}

// reserved is published; its event is a concert.
type reserved struct {
	OrderID      uuid.UUID `json:"order_id"`
	EventID      uuid.UUID `json:"event_id"`
	TicketTypeID uuid.UUID `json:"ticket_type_id"`
}

func reserve(ctx context.Context, w *kafka.Writer, event, kind uuid.UUID) error {
	body, err := json.Marshal(reserved{OrderID: uuid.New(), EventID: event, TicketTypeID: kind})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}
