package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
	"github.com/uptrace/bun"
)

type wagonEmptied struct {
	EventID string `json:"eventId"`
	Wagon   string `json:"wagon"`
}

// WagonWorker is a guarded write: bun's Where asks for the state that the update ends.
type WagonWorker struct {
	reader *kafka.Reader
	db     *bun.DB
}

func NewWagonWorker(brokers []string, db *bun.DB) *WagonWorker {
	return &WagonWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "wagon.emptied", GroupID: "wagon"}),
		db:     db,
	}
}

func (w *WagonWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("wagon.emptied at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *WagonWorker) handle(ctx context.Context, body []byte) error {
	var e wagonEmptied
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.NewUpdate().Table("wagons").Set("state = ?", "empty").Where("id = ?", e.Wagon).Where("state = ?", "loaded").Exec(ctx)
	return err
}
