package gateoutside

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type snackOrdered struct {
	EventID string `json:"eventId"`
	Bar     string `json:"bar"`
}

var errBusy = errors.New("bar is busy")

// SnackWorker takes a lock on the bar by SETNX; right: the lock is no gate, its key is the bar, and the gate is in the transaction.
type SnackWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	db     *sql.DB
}

func NewSnackWorker(brokers []string, rdb *redis.Client, db *sql.DB) *SnackWorker {
	return &SnackWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "snacks", GroupID: "bars"}),
		rdb:    rdb,
		db:     db,
	}
}

func (w *SnackWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.serve(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *SnackWorker) serve(ctx context.Context, payload []byte) error {
	var e snackOrdered
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	lock := "lock:bar:" + e.Bar
	held, err := w.rdb.SetNX(ctx, lock, "1", 10*time.Second).Result()
	if err != nil {
		return err
	}
	if !held {
		return errBusy
	}
	defer w.rdb.Del(ctx, lock)
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
	if _, err := tx.ExecContext(ctx, `UPDATE bars SET snacks = snacks + 1 WHERE id = $1`, e.Bar); err != nil {
		return err
	}
	return tx.Commit()
}
