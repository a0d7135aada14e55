package effects

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type clickSeen struct {
	EventID string `json:"eventId"`
	Page    string `json:"page"`
}

// EnrichWorker has a publish with kafka-go as its effect and no gate.
type EnrichWorker struct {
	reader *kafka.Reader
	out    *kafka.Writer
}

func NewEnrichWorker(brokers []string, out *kafka.Writer) *EnrichWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "click.seen", GroupID: "enrich"})
	return &EnrichWorker{reader: r, out: out}
}

func (w *EnrichWorker) Run(ctx context.Context) error {
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

func (w *EnrichWorker) handle(ctx context.Context, m kafka.Message) error {
	var e clickSeen
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return w.out.WriteMessages(ctx, kafka.Message{Topic: "pages.enriched", Key: []byte(e.Page), Value: m.Value}) // want "R-KFK-IDEM-X1"
}
