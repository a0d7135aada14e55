package effects

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/segmentio/kafka-go"
)

type friendAdded struct {
	EventID string `json:"eventId"`
	Friend  string `json:"friend"`
}

// NotifyWorker has an HTTP POST as its effect and no gate.
type NotifyWorker struct {
	reader *kafka.Reader
	url    string
}

func NewNotifyWorker(brokers []string, url string) *NotifyWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "friend.added", GroupID: "notify"})
	return &NotifyWorker{reader: r, url: url}
}

func (w *NotifyWorker) Run(ctx context.Context) error {
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

func (w *NotifyWorker) handle(ctx context.Context, m kafka.Message) error {
	var e friendAdded
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	payload, err := json.Marshal(map[string]string{"friend": e.Friend})
	if err != nil {
		return err
	}
	resp, err := http.Post(w.url, "application/json", bytes.NewReader(payload)) // want "R-KFK-IDEM-X1"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
