package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type lapRun struct {
	EventID string `json:"eventId"`
	Runner  string `json:"runner"`
	Metres  int    `json:"metres"`
}

// LapWorker has sqlx's MustExec as its effect and no gate.
type LapWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewLapWorker(brokers []string, db *sqlx.DB) *LapWorker {
	return &LapWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lap.run", GroupID: "lap"}),
		db:     db,
	}
}

func (w *LapWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("lap.run at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *LapWorker) handle(ctx context.Context, body []byte) error {
	var e lapRun
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	w.db.MustExecContext(ctx, `UPDATE runners SET metres = metres + $1 WHERE id = $2`, e.Metres, e.Runner) // want "R-KFK-IDEM-X1"
	return nil
}
