// Package origin holds the eventidv7 cases about the way from the generator to the event id.
package origin

import (
	"context"
	"encoding/json"
	"time"

	"github.com/google/uuid"
	"github.com/segmentio/kafka-go"
)

type invoicePaid struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Invoice    string    `json:"invoice"`
}

// invoiceBook makes the id inside the literal.
type invoiceBook struct {
	writer *kafka.Writer
}

func (b *invoiceBook) paid(ctx context.Context, invoice string) error {
	body, err := json.Marshal(invoicePaid{
		EventID:    uuid.New().String(), // want "R-KFK-IDEM-1"
		Type:       "invoice.paid",
		OccurredAt: time.Now().UTC(),
		Invoice:    invoice,
	})
	if err != nil {
		return err
	}
	return b.writer.WriteMessages(ctx, kafka.Message{Key: []byte(invoice), Value: body})
}

// voided writes the same without the names of the fields.
func (b *invoiceBook) voided(ctx context.Context, invoice string) error {
	body, err := json.Marshal(invoicePaid{uuid.NewString(), "invoice.voided", time.Now().UTC(), invoice}) // want "R-KFK-IDEM-1"
	if err != nil {
		return err
	}
	return b.writer.WriteMessages(ctx, kafka.Message{Key: []byte(invoice), Value: body})
}
