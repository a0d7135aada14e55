package goroutine

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/segmentio/kafka-go"
	"golang.org/x/sync/errgroup"
)

type tourEnded struct {
	EventID string `json:"eventId"`
	Gallery string `json:"gallery"`
}

// GalleryWorker writes in an errgroup and waits for it before the commit; right: the transaction outlives the group.
type GalleryWorker struct {
	reader *kafka.Reader
	db     *sql.DB
}

func NewGalleryWorker(brokers []string, db *sql.DB) *GalleryWorker {
	return &GalleryWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tour.ended", GroupID: "tour-ledger"}),
		db:     db,
	}
}

func (w *GalleryWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.end(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *GalleryWorker) end(ctx context.Context, payload []byte) error {
	var e tourEnded
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
		_, err := tx.ExecContext(gctx, `UPDATE galleries SET tours = tours - 1 WHERE id = $1`, e.Gallery)
		return err
	})
	if err := g.Wait(); err != nil {
		return err
	}
	return tx.Commit()
}
