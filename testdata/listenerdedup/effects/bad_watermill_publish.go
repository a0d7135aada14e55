package effects

import (
	"context"
	"encoding/json"

	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/segmentio/kafka-go"
)

type newsWritten struct {
	EventID string `json:"eventId"`
	Title   string `json:"title"`
}

// SpreadWorker has a publish with watermill as its effect and no gate.
type SpreadWorker struct {
	reader *kafka.Reader
	pub    message.Publisher
}

func NewSpreadWorker(brokers []string, pub message.Publisher) *SpreadWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "news.written", GroupID: "spread"})
	return &SpreadWorker{reader: r, pub: pub}
}

func (w *SpreadWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *SpreadWorker) handle(ctx context.Context, m kafka.Message) error {
	var e newsWritten
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return w.pub.Publish("news.out", message.NewMessage(e.EventID, m.Value)) // want "R-KFK-IDEM-X1"
}
