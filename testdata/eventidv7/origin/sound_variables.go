package origin

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type letterStamped struct {
	EventID    string    `json:"event_id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurred_at"`
	Letter     string    `json:"letter"`
	Stamp      string    `json:"stamp"`
}

// stampDesk does with version 7 what parcelScale does with version 4.
type stampDesk struct {
	writer *kafka.Writer
}

func (d *stampDesk) stamped(ctx context.Context, letter string) error {
	raw := uuid.Must(uuid.NewV7())
	text := raw.String()
	id := text
	return d.send(ctx, letterStamped{EventID: id, Type: "letter.stamped", OccurredAt: time.Now(), Letter: letter})
}

// checked looks at the error.
func (d *stampDesk) checked(ctx context.Context, letter string) error {
	id, err := uuid.NewV7()
	if err != nil {
		return fmt.Errorf("event id: %w", err)
	}
	return d.send(ctx, letterStamped{EventID: id.String(), Type: "letter.stamped", OccurredAt: time.Now(), Letter: letter})
}

// fallback falls back to version 4 only when the clock or the entropy failed.
func (d *stampDesk) fallback(ctx context.Context, letter string) error {
	id, err := uuid.NewV7()
	if err != nil {
		id = uuid.New()
	}
	return d.send(ctx, letterStamped{EventID: id.String(), Type: "letter.stamped", OccurredAt: time.Now(), Letter: letter})
}

// lastResort is the same in a helper that returns early.
func (d *stampDesk) lastResort(ctx context.Context, letter string) error {
	return d.send(ctx, letterStamped{EventID: sevenOrFour(), Type: "letter.stamped", OccurredAt: time.Now(), Letter: letter})
}

func sevenOrFour() string {
	if id, err := uuid.NewV7(); err == nil {
		return id.String()
	}
	return uuid.NewString()
}

// two variables: the stamp's number is random, the event's id is not.
func (d *stampDesk) two(ctx context.Context, letter string) error {
	stamp, id := uuid.NewString(), strings.ReplaceAll(uuid.Must(uuid.NewV7()).String(), "-", "")
	return d.send(ctx, letterStamped{EventID: id, Type: "letter.stamped", OccurredAt: time.Now(), Letter: letter, Stamp: stamp})
}

// overwritten: the first value is a placeholder that is replaced before the event is sent.
func (d *stampDesk) overwritten(ctx context.Context, letter string) error {
	id := uuid.Nil
	id, err := uuid.NewV7()
	if err != nil {
		return err
	}
	return d.send(ctx, letterStamped{EventID: id.String(), Type: "letter.stamped", OccurredAt: time.Now(), Letter: letter})
}

func (d *stampDesk) send(ctx context.Context, ev letterStamped) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return d.writer.WriteMessages(ctx, kafka.Message{Key: []byte(ev.Letter), Value: body})
}
