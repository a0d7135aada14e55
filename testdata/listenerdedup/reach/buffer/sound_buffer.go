package buffer

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/IBM/sarama"
)

type pulseMeasured struct {
	EventID string `json:"eventId"`
	Patient string `json:"patient"`
	Count   int    `json:"count"`
}

// PulseWorker collects events and flushes them by size or by ticker; sound: flush marks each event in the transaction and writes only the new ones.
type PulseWorker struct {
	db  *sql.DB
	buf []pulseMeasured
}

func NewPulseWorker(db *sql.DB) *PulseWorker { return &PulseWorker{db: db} }

func (w *PulseWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *PulseWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *PulseWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return w.flush(session.Context())
			}
			var e pulseMeasured
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

func (w *PulseWorker) flush(ctx context.Context) error {
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	for _, e := range w.buf {
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'pulses') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		n, err := res.RowsAffected()
		if err != nil {
			return err
		}
		if n == 0 {
			continue
		}
		if _, err := tx.ExecContext(ctx, `INSERT INTO pulses (patient, pieces) VALUES ($1, $2)`, e.Patient, e.Count); err != nil {
			return err
		}
	}
	w.buf = w.buf[:0]
	return tx.Commit()
}
