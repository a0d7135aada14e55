package goroutine

import (
	"context"
	"encoding/json"
	"log"
	"sync"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type wheelChanged struct {
	EventID string `json:"eventId"`
	Car     string `json:"car"`
	Pieces  int    `json:"pieces"`
}

// WheelWorker starts a goroutine for each record; sound: the goroutine marks the event before it writes.
type WheelWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewWheelWorker(brokers []string, db *sqlx.DB) *WheelWorker {
	return &WheelWorker{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "wheels", GroupID: "garage"}), db: db}
}

func (w *WheelWorker) Run(ctx context.Context) error {
	var wg sync.WaitGroup
	defer wg.Wait()
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			w.handle(ctx, m)
		}()
	}
}

func (w *WheelWorker) handle(ctx context.Context, m kafka.Message) {
	var e wheelChanged
	if err := json.Unmarshal(m.Value, &e); err != nil {
		log.Printf("wheel at %d: %v", m.Offset, err)
		return
	}
	if err := w.write(ctx, e); err != nil {
		log.Printf("wheel at %d: %v", m.Offset, err)
	}
}

func (w *WheelWorker) write(ctx context.Context, e wheelChanged) error {
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'garage') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE cars SET wheels = wheels + $1 WHERE id = $2`, e.Pieces, e.Car); err != nil {
		return err
	}
	return tx.Commit()
}
