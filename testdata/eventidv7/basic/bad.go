// Package basic makes event ids in the usual ways.
package basic

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"

	"example.com/cases/eventidv7/basic/events"
	"example.com/cases/eventidv7/basic/ids"
)

type roomBooked struct {
	EventID string `json:"eventId"`
	Type    string `json:"type"`
	Time    time.Time
	Room    string
}

func literal(room string) roomBooked {
	return roomBooked{EventID: uuid.New().String(), Type: "room.booked", Time: time.Now(), Room: room} // want "R-KFK-IDEM-1.*roomBooked.EventID comes from uuid.New,"
}

func variable(room string) *roomBooked {
	id := uuid.NewString() // want "R-KFK-IDEM-1"
	e := &roomBooked{Type: "room.booked", Time: time.Now(), Room: room}
	e.EventID = id
	return e
}

func setter() events.Envelope {
	var e events.Envelope
	e.SetEventID(uuid.NewString()) // want "R-KFK-IDEM-1"
	return e
}

func constructor() events.Envelope {
	return events.NewEnvelope(uuid.NewString(), "x") // want "R-KFK-IDEM-1"
}

func helper() events.Envelope {
	return events.NewEnvelope(ids.New(), "x") // want "R-KFK-IDEM-1"
}

func randomBytes() (events.Envelope, error) {
	id, err := ids.Random() // want "R-KFK-IDEM-1.*no UUID"
	return events.NewEnvelope(id, "x"), err
}

func payload() ([]byte, error) {
	return json.Marshal(map[string]any{"event_id": uuid.NewString(), "data": map[string]any{"room": "5"}}) // want "R-KFK-IDEM-1"
}

// filled makes an id up when the producer sent none.
func filled(data []byte) (roomBooked, error) {
	var e roomBooked
	if err := json.Unmarshal(data, &e); err != nil {
		return e, err
	}
	if e.EventID == "" {
		e.EventID = uuid.NewString() // want "R-KFK-IDEM-1"
	}
	return e, nil
}

func outbox(ctx context.Context, tx *sql.Tx, body []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox (event_id, payload) VALUES ($1, $2)`, uuid.New(), body) // want "R-KFK-IDEM-1"
	return err
}

func drawn(ctx context.Context, tx *sql.Tx, body []byte) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO outbox_events (id, payload) VALUES (gen_random_uuid(), $1)`, body) // want "R-KFK-IDEM-1.*drawn by the database"
	return err
}

// doorOpenedEvent is published under the name ID.
type doorOpenedEvent struct {
	ID   string
	Door string
}

func publish(ctx context.Context, w *kafka.Writer, door string) error {
	e := doorOpenedEvent{ID: uuid.NewString(), Door: door} // want "R-KFK-IDEM-1"
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Key: []byte(door), Value: body})
}

type tagged struct {
	Ident uuid.UUID `json:"event_id"`
	Data  json.RawMessage
}

func byTag(data []byte) tagged {
	return tagged{Ident: uuid.New(), Data: data} // want "R-KFK-IDEM-1"
}

// row: nothing else names the event.
func row(body []byte) outboxEntry {
	return outboxEntry{ID: uuid.NewString(), Type: "room.booked", Payload: body} // want "R-KFK-IDEM-1"
}
