package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type willSigned struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Notary  string `json:"notary"`
}

// WillWorker is guarded: the unique violation returns before the notary's counter.
type WillWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewWillWorker(brokers []string, pool *pgxpool.Pool) *WillWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "will.signed", GroupID: "will"})
	return &WillWorker{reader: r, pool: pool}
}

func (w *WillWorker) Run(ctx context.Context) error {
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

func (w *WillWorker) handle(ctx context.Context, m kafka.Message) error {
	var e willSigned
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO wills (number, notary) VALUES ($1, $2)`, e.Number, e.Notary)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE notaries SET wills = wills + 1 WHERE id = $1`, e.Notary)
		return err
	})
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return nil
	}
	return err
}
