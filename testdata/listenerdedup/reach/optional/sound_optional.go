// Package optional wraps its handler in deduplication when it is given a store.
package optional

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/segmentio/kafka-go"
)

type bulbSold struct {
	EventID string `json:"eventId"`
	Shop    string `json:"shop"`
}

// Handler handles an event.
type Handler func(ctx context.Context, tx *sql.Tx, e bulbSold) error

// Deduplicated wraps a handler.
func Deduplicated(group string, inner Handler) Handler {
	return func(ctx context.Context, tx *sql.Tx, e bulbSold) error {
		if e.EventID == "" {
			return errors.New("no event id")
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, e.EventID, group)
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			return err
		}
		return inner(ctx, tx, e)
	}
}

// Consumer runs one handler.
type Consumer struct {
	reader *kafka.Reader
	db     *sql.DB
	handle Handler
}

func count(ctx context.Context, tx *sql.Tx, e bulbSold) error {
	_, err := tx.ExecContext(ctx, `UPDATE shops SET bulbs = bulbs - 1 WHERE id = $1`, e.Shop)
	return err
}

// NewConsumer wires the handler; right: without deduplication only where somebody
// asks for that.
func NewConsumer(r *kafka.Reader, db *sql.DB, group string) *Consumer {
	var h Handler = count
	if group != "" {
		h = Deduplicated(group, count)
	}
	return &Consumer{reader: r, db: db, handle: h}
}

// Run polls.
func (c *Consumer) Run(ctx context.Context) error {
	for {
		m, err := c.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e bulbSold
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		tx, err := c.db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		if err := c.handle(ctx, tx, e); err != nil {
			tx.Rollback()
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
		if err := c.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
