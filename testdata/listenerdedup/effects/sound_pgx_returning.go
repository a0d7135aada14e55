package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type tokenDrawn struct {
	EventID string `json:"eventId"`
	Desk    string `json:"desk"`
}

// TokenWorker is sound: an INSERT … RETURNING stands behind the mark in its own transaction.
type TokenWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewTokenWorker(brokers []string, pool *pgxpool.Pool) *TokenWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "token.drawn", GroupID: "token"})
	return &TokenWorker{reader: r, pool: pool}
}

func (w *TokenWorker) Run(ctx context.Context) error {
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

func (w *TokenWorker) handle(ctx context.Context, m kafka.Message) error {
	var e tokenDrawn
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'token') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		var id int64
		if err := tx.QueryRow(ctx, `INSERT INTO tokens (desk) VALUES ($1) RETURNING id`, e.Desk).Scan(&id); err != nil {
			return err
		}
		log.Printf("token %d", id)
		return nil
	})
}
