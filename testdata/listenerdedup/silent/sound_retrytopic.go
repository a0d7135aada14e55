package silent

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
)

type lockOpened struct {
	EventID string `json:"eventId"`
	Lock    string `json:"lock"`
	Level   int    `json:"level"`
}

// CanalWorker only puts what it cannot do yet onto its retry topic.
type CanalWorker struct {
	reader  *kafka.Reader
	retries *kafka.Writer
}

func NewCanalWorker(brokers []string, retries *kafka.Writer) *CanalWorker {
	return &CanalWorker{
		reader:  kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lock.opened", GroupID: "canal"}),
		retries: retries,
	}
}

func (w *CanalWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("lock.opened at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *CanalWorker) handle(ctx context.Context, body []byte) error {
	var e lockOpened
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	if e.Level == 0 {
		return w.retries.WriteMessages(ctx, kafka.Message{Topic: "locks.retry", Value: body})
	}
	log.Printf("lock %s stands at %d", e.Lock, e.Level)
	return nil
}
