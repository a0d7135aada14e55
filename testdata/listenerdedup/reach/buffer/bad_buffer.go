package buffer

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/IBM/sarama"
)

type beatMeasured struct {
	EventID string `json:"eventId"`
	Patient string `json:"patient"`
	Count   int    `json:"count"`
}

// BeatWorker collects events and flushes them by size or by ticker; flush writes whatever was collected.
type BeatWorker struct {
	db  *sql.DB
	buf []beatMeasured
}

func NewBeatWorker(db *sql.DB) *BeatWorker { return &BeatWorker{db: db} }

func (w *BeatWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *BeatWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *BeatWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return w.flush(session.Context())
			}
			var e beatMeasured
			if err := json.Unmarshal(msg.Value, &e); err != nil {
				return err
			}
			w.buf = append(w.buf, e)
			if len(w.buf) >= 100 {
				if err := w.flush(session.Context()); err != nil {
					return err
				}
			}
			session.MarkMessage(msg, "")
		case <-tick.C:
			if err := w.flush(session.Context()); err != nil {
				return err
			}
		}
	}
}

func (w *BeatWorker) flush(ctx context.Context) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, e := range w.buf {
		if _, err := tx.ExecContext(ctx, `INSERT INTO beats (patient, pieces) VALUES ($1, $2)`, e.Patient, e.Count); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
	}
	w.buf = w.buf[:0]
	return tx.Commit()
}
