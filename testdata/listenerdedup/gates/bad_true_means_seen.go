package gates

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
)

type balletShown struct {
	EventID string `json:"eventId"`
	House   string `json:"house"`
	Viewers int    `json:"viewers"`
}

// BalletWorker reads the answer the wrong way round: its store's TryMarkProcessed answers true for "seen", and the worker returns on false.
type BalletWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	marks  balletMarks
}

func NewBalletWorker(brokers []string, db *sql.DB, marks balletMarks) *BalletWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "ballet.shown", GroupID: "ballet"})
	return &BalletWorker{reader: r, db: db, marks: marks}
}

func (w *BalletWorker) Run(ctx context.Context) error {
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

func (w *BalletWorker) handle(ctx context.Context, m kafka.Message) error {
	var e balletShown
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	marked, err := w.marks.TryMarkProcessed(ctx, tx, e.EventID)
	if err != nil {
		return err
	}
	if !marked {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE houses SET viewers = viewers + $1 WHERE id = $2`, e.Viewers, e.House); err != nil { // want "R-KFK-IDEM-X1"
		return err
	}
	return tx.Commit()
}

type balletMarks struct{ group string }

// TryMarkProcessed records the event and answers true when it had been known.
func (s balletMarks) TryMarkProcessed(ctx context.Context, tx *sql.Tx, id string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, id, s.group)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, err
	}
	return n == 0, nil
}
