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

// Version 7 is right, also where its error is looked at and v4 is the last resort.
func seven(room string) roomBooked {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	return roomBooked{EventID: id.String(), Type: "room.booked", Time: time.Now(), Room: room}
}

func ordered() events.Envelope { return events.NewEnvelope(ids.Ordered(), "x") }

// constructed is judged in the constructor's package.
func constructed() events.ParcelSent { return events.NewParcelSent("1") }

// deterministic ids are the same at each attempt.
func deterministic(order string) roomBooked {
	return roomBooked{EventID: uuid.NewSHA1(uuid.NameSpaceURL, []byte(order)).String(), Type: "room.booked"}
}

// passed comes from somewhere else.
func passed(id string) roomBooked { return roomBooked{EventID: id, Type: "room.booked"} }

// concertTicket names a concert.
type concertTicket struct {
	EventID uuid.UUID
	Seat    string
	Price   int
}

func ticket() concertTicket { return concertTicket{EventID: uuid.New(), Seat: "A1"} }

// vehicle is an entity.
type vehicle struct {
	ID        string
	Type      string
	CreatedAt time.Time
}

func newVehicle(ctx context.Context, db *sql.DB) (vehicle, error) {
	v := vehicle{ID: uuid.NewString(), Type: "van", CreatedAt: time.Now()}
	_, err := db.ExecContext(ctx, `INSERT INTO vehicles (id, type) VALUES ($1, $2)`, v.ID, v.Type)
	return v, err
}

// orderMade carries a v4 order id and a v7 event id.
type orderMade struct {
	EventID   string `json:"eventId"`
	OrderID   string `json:"orderId"`
	RequestID string `json:"requestId"`
}

func order(ctx context.Context, w *kafka.Writer) error {
	e := orderMade{EventID: uuid.Must(uuid.NewV7()).String(), OrderID: uuid.NewString(), RequestID: uuid.NewString()}
	body, err := json.Marshal(e)
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}

// order2 publishes an entity under its own id.
type customer struct {
	ID   string
	Name string
}

func snapshot(ctx context.Context, w *kafka.Writer, name string) error {
	c := customer{ID: uuid.NewString(), Name: name}
	body, err := json.Marshal(c)
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body})
}

// orders let the database draw their ids.
func insertOrder(ctx context.Context, db *sql.DB) error {
	_, err := db.ExecContext(ctx, `INSERT INTO orders (id, total) VALUES (gen_random_uuid(), 5)`)
	return err
}

// cast only converts.
func cast(ctx context.Context, db *sql.DB, id string) error {
	_, err := db.ExecContext(ctx, `INSERT INTO outbox (event_id, payload) VALUES ($1::uuid, '{}')`, id)
	return err
}

func lockToken() map[string]string { return map[string]string{"token": uuid.NewString()} }

// outboxEntry is a row around an event.
type outboxEntry struct {
	ID      string
	Type    string
	Payload []byte
}

// wrapped: the event has an id of its own, the row another.
func wrapped(room string) (outboxEntry, error) {
	body, err := json.Marshal(roomBooked{EventID: uuid.Must(uuid.NewV7()).String(), Type: "room.booked", Time: time.Now(), Room: room})
	return outboxEntry{ID: uuid.NewString(), Type: "room.booked", Payload: body}, err
}
