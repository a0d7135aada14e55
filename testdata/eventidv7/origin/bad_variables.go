package origin

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type parcelWeighed struct {
	EventID    string    `json:"event_id"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurred_at"`
	Parcel     string    `json:"parcel"`
	Grams      int       `json:"grams"`
}

// parcelScale carries the id through variables before it becomes the event's.
type parcelScale struct {
	writer *kafka.Writer
}

func (s *parcelScale) weighed(ctx context.Context, parcel string, grams int) error {
	raw := uuid.New() // want "R-KFK-IDEM-1"
	text := raw.String()
	id := text
	ev := parcelWeighed{EventID: id, Type: "parcel.weighed", OccurredAt: time.Now(), Parcel: parcel, Grams: grams}
	return s.send(ctx, ev)
}

// reweighed assigns the field after the literal.
func (s *parcelScale) reweighed(ctx context.Context, parcel string, grams int) error {
	ev := parcelWeighed{Type: "parcel.weighed", OccurredAt: time.Now(), Parcel: parcel, Grams: grams}
	id, err := uuid.NewRandom() // want "R-KFK-IDEM-1"
	if err != nil {
		return fmt.Errorf("event id: %w", err)
	}
	ev.EventID = id.String()
	return s.send(ctx, ev)
}

// compact drops the hyphens; it stays a version 4.
func (s *parcelScale) compact(ctx context.Context, parcel string) error {
	ev := parcelWeighed{Type: "parcel.weighed", OccurredAt: time.Now(), Parcel: parcel}
	ev.EventID = strings.ReplaceAll(uuid.NewString(), "-", "") // want "R-KFK-IDEM-1"
	return s.send(ctx, ev)
}

// prefixed puts a word before it.
func (s *parcelScale) prefixed(ctx context.Context, parcel string) error {
	return s.send(ctx, parcelWeighed{
		EventID:    fmt.Sprintf("evt_%s", uuid.New()), // want "R-KFK-IDEM-1"
		Type:       "parcel.weighed",
		OccurredAt: time.Now(),
		Parcel:     parcel,
	})
}

// hexed encodes the sixteen bytes itself.
func (s *parcelScale) hexed(ctx context.Context, parcel string) error {
	id := uuid.New() // want "R-KFK-IDEM-1"
	return s.send(ctx, parcelWeighed{EventID: hex.EncodeToString(id[:]), Type: "parcel.weighed", OccurredAt: time.Now(), Parcel: parcel})
}

func (s *parcelScale) send(ctx context.Context, ev parcelWeighed) error {
	body, err := json.Marshal(ev)
	if err != nil {
		return err
	}
	return s.writer.WriteMessages(ctx, kafka.Message{Key: []byte(ev.Parcel), Value: body})
}
