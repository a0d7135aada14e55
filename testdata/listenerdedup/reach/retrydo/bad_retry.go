package retrydo

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/retrydo/retry"
)

type boxMoved struct {
	EventID string `json:"eventId"`
	Depot   string `json:"depot"`
	Boxes   int    `json:"boxes"`
}

// BoxWorker wraps its update in a retry helper and has no gate.
type BoxWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewBoxWorker(brokers []string, db *sql.DB) *BoxWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "box.moved", GroupID: "box"})
	return &BoxWorker{reader: r, db: db}
}

func (w *BoxWorker) Run(ctx context.Context) error {
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

func (w *BoxWorker) handle(ctx context.Context, m kafka.Message) error {
	var e boxMoved
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return retry.Do(ctx, 3, func(ctx context.Context) error {
		_, err := w.db.ExecContext(ctx, `UPDATE depots SET boxes = boxes + $1 WHERE id = $2`, e.Boxes, e.Depot) // want "R-KFK-IDEM-X1"
		return err
	})
}
