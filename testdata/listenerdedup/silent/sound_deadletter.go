package silent

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type parcelDeclared struct {
	EventID string `json:"eventId"`
	Parcel  string `json:"parcel"`
	Value   int64  `json:"value"`
}

// CustomsWorker does no more than send refused records to the dead-letter topic.
type CustomsWorker struct {
	reader *kafka.Reader
	dlq    *kafka.Writer
}

func NewCustomsWorker(brokers []string, dlq *kafka.Writer) *CustomsWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "parcel.declared", GroupID: "customs"})
	return &CustomsWorker{reader: r, dlq: dlq}
}

func (w *CustomsWorker) Run(ctx context.Context) error {
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

func (w *CustomsWorker) handle(ctx context.Context, m kafka.Message) error {
	var e parcelDeclared
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	if e.Value < 0 {
		return w.dlq.WriteMessages(ctx, kafka.Message{Topic: "parcels.dlq", Key: m.Key, Value: m.Value})
	}
	return nil
}
