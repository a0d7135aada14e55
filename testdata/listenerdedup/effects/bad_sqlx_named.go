package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type diveDone struct {
	EventID string `json:"eventId"`
	Diver   string `json:"diver"`
	Metres  int    `json:"metres"`
}

// DiveWorker has sqlx's NamedExec of a struct as its effect and no gate.
type DiveWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewDiveWorker(brokers []string, db *sqlx.DB) *DiveWorker {
	return &DiveWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "dive.done", GroupID: "dive"}),
		db:     db,
	}
}

func (w *DiveWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("dive.done at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *DiveWorker) handle(ctx context.Context, body []byte) error {
	var e diveDone
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.db.NamedExecContext(ctx, `INSERT INTO dives (diver, metres) VALUES (:diver, :metres)`, e) // want "R-KFK-IDEM-X1"
	return err
}
