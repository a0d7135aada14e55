package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/segmentio/kafka-go"
)

type hikeBooked struct {
	EventID string `json:"eventId"`
	Guide   string `json:"guide"`
	People  int    `json:"people"`
}

// HikeWorker is sound for this rule: IsProcessed before the work, MarkProcessed after it, in the work's own transaction.
type HikeWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewHikeWorker(brokers []string, db *sql.DB) *HikeWorker {
	return &HikeWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "hike.booked", GroupID: "hike"}),
		db:     db,
	}
}

func (w *HikeWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("hike.booked at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *HikeWorker) handle(ctx context.Context, body []byte) error {
	var e hikeBooked
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	done, err := w.IsProcessed(ctx, tx, e.EventID)
	if err != nil || done {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE guides SET hikers = hikers + $1 WHERE id = $2`, e.People, e.Guide); err != nil {
		return err
	}
	if err := w.MarkProcessed(ctx, tx, e.EventID); err != nil {
		return err
	}
	return tx.Commit()
}

// IsProcessed looks the event up.
func (w *HikeWorker) IsProcessed(ctx context.Context, tx *sql.Tx, id string) (bool, error) {
	var n int
	err := tx.QueryRowContext(ctx, `SELECT count(*) FROM processed_events WHERE event_id = $1`, id).Scan(&n)
	return n > 0, err
}

// MarkProcessed records the event.
func (w *HikeWorker) MarkProcessed(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'hikes')`, id)
	return err
}
