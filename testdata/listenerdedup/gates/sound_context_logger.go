package gates

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type berthFreed struct {
	EventID string `json:"eventId"`
	Quay    string `json:"quay"`
	Metres  int    `json:"metres"`
}

type berthLogKey struct{}

func berthLog(ctx context.Context) *slog.Logger {
	log, ok := ctx.Value(berthLogKey{}).(*slog.Logger)
	if !ok {
		panic("no logger in the context")
	}
	return log
}

// BerthClerk dies without a logger in its context too, and has a gate.
type BerthClerk struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBerthClerk(brokers []string, pool *pgxpool.Pool) *BerthClerk {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "berth.freed", GroupID: "berth"})
	return &BerthClerk{reader: r, pool: pool}
}

func (c *BerthClerk) Run(ctx context.Context) error {
	for {
		m, err := c.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		berthLog(ctx).Debug("berth freed", "offset", m.Offset)
		var e berthFreed
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := c.free(ctx, e); err != nil {
			return err
		}
		if err := c.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (c *BerthClerk) free(ctx context.Context, e berthFreed) error {
	return pgx.BeginFunc(ctx, c.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, 'berth') ON CONFLICT (event_id, consumer_group) DO NOTHING`, e.EventID)
		if err != nil {
			return errors.Join(errors.New("berth: mark"), err)
		}
		if tag.RowsAffected() == 0 {
			berthLog(ctx).Debug("berth freed before")
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE quays SET taken = taken - $1 WHERE name = $2`, e.Metres, e.Quay)
		return err
	})
}
