package silent

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type truckDeclared struct {
	EventID string `json:"eventId"`
	Truck   string `json:"truck"`
	Value   int64  `json:"value"`
}

// BorderWorker sends the record on to the next service's topic: a publish.
type BorderWorker struct {
	reader *kafka.Reader
	out    *kafka.Writer
}

func NewBorderWorker(brokers []string, out *kafka.Writer) *BorderWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "truck.declared", GroupID: "border"})
	return &BorderWorker{reader: r, out: out}
}

func (w *BorderWorker) Run(ctx context.Context) error {
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

func (w *BorderWorker) handle(ctx context.Context, m kafka.Message) error {
	var e truckDeclared
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	if e.Value > 0 {
		return w.out.WriteMessages(ctx, kafka.Message{Topic: "trucks.declared", Key: m.Key, Value: m.Value}) // want "R-KFK-IDEM-X1"
	}
	return nil
}
