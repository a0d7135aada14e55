package effects

import (
	"context"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"example.com/cases/listenerdedup/effects/labelpb"
)

type labelAsked struct {
	EventID string `json:"eventId"`
	Parcel  string `json:"parcel"`
}

// PrintWorker has a gRPC call as its effect and no gate.
type PrintWorker struct {
	reader *kafka.Reader
	labels labelpb.LabelServiceClient
}

func NewPrintWorker(brokers []string, labels labelpb.LabelServiceClient) *PrintWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "label.asked", GroupID: "print"})
	return &PrintWorker{reader: r, labels: labels}
}

func (w *PrintWorker) Run(ctx context.Context) error {
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

func (w *PrintWorker) handle(ctx context.Context, m kafka.Message) error {
	var e labelAsked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.labels.CreateLabel(ctx, wrapperspb.String(e.Parcel)) // want "R-KFK-IDEM-X1"
	return err
}
