package silent

import (
	"context"
	"encoding/json"
	"log"
	"net/http"

	"github.com/segmentio/kafka-go"
)

type tideAsked struct {
	EventID string `json:"eventId"`
	Port    string `json:"port"`
}

// TideWorker uses http.Get and http.Head.
type TideWorker struct {
	reader *kafka.Reader
	prefix string
}

func NewTideWorker(brokers []string, prefix string) *TideWorker {
	return &TideWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tide.asked", GroupID: "tide"}),
		prefix: prefix,
	}
}

func (w *TideWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("tide.asked at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *TideWorker) handle(ctx context.Context, body []byte) error {
	var e tideAsked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	if _, err := http.Head(w.prefix + "/ping"); err != nil {
		return err
	}
	resp, err := http.Get(w.prefix + "/tides/" + e.Port)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	log.Printf("%s: %s", e.Port, resp.Status)
	return ctx.Err()
}
