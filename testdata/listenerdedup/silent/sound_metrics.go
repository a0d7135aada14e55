package silent

import (
	"context"
	"encoding/json"
	"expvar"

	"github.com/segmentio/kafka-go"
)

type gaugeRead struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Degrees int64  `json:"degrees"`
}

// GaugeWorker only counts in its metrics.
type GaugeWorker struct {
	reader *kafka.Reader
	seen   *expvar.Map
}

func NewGaugeWorker(brokers []string, seen *expvar.Map) *GaugeWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "gauge.read", GroupID: "gauge"})
	return &GaugeWorker{reader: r, seen: seen}
}

func (w *GaugeWorker) Run(ctx context.Context) error {
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

func (w *GaugeWorker) handle(ctx context.Context, m kafka.Message) error {
	var e gaugeRead
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	w.seen.Add(e.Room, 1)
	w.seen.Add("degrees", e.Degrees)
	return ctx.Err()
}
