package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
	"gorm.io/gorm"
)

type ticketUsed struct {
	EventID string `json:"eventId"`
	Ticket  string `json:"ticket"`
}

// TicketWorker is a guarded write: gorm's Where asks for the old state.
type TicketWorker struct {
	reader *kafka.Reader
	db     *gorm.DB
}

func NewTicketWorker(brokers []string, db *gorm.DB) *TicketWorker {
	return &TicketWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "ticket.used", GroupID: "ticket"}),
		db:     db,
	}
}

func (w *TicketWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("ticket.used at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *TicketWorker) handle(ctx context.Context, body []byte) error {
	var e ticketUsed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return w.db.WithContext(ctx).Table("tickets").Where("id = ? AND status = ?", e.Ticket, "valid").Update("status", "used").Error
}
