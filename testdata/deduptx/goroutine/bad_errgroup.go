package goroutine

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/errgroup"
)

type tourStarted struct {
	EventID string `json:"eventId"`
	Museum  string `json:"museum"`
}

// MuseumWorker writes in an errgroup and waits for it only after the commit.
type MuseumWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewMuseumWorker(brokers []string, db *sql.DB) *MuseumWorker {
	return &MuseumWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tour.started", GroupID: "tour-ledger"}),
		db:     db,
	}
}

func (w *MuseumWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.start(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *MuseumWorker) start(ctx context.Context, payload []byte) error {
	var e tourStarted
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		_, err := tx.ExecContext(gctx, `UPDATE museums SET tours = tours + 1 WHERE id = $1`, e.Museum) // want "R-KFK-IDEM-3"
		return err
	})
	if err := tx.Commit(); err != nil {
		return err
	}
	return g.Wait()
}
