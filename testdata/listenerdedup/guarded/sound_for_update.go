package guarded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type jobFinished struct {
	EventID string `json:"eventId"`
	Job     string `json:"job"`
	Cents   int64  `json:"cents"`
}

// JobWorker is a guarded write: the row is locked and read, and a finished job returns before the addition.
type JobWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewJobWorker(brokers []string, pool *pgxpool.Pool) *JobWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "job.finished", GroupID: "job"})
	return &JobWorker{reader: r, pool: pool}
}

func (w *JobWorker) Run(ctx context.Context) error {
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

func (w *JobWorker) handle(ctx context.Context, m kafka.Message) error {
	var e jobFinished
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		var status string
		if err := tx.QueryRow(ctx, `SELECT status FROM jobs WHERE id = $1 FOR UPDATE`, e.Job).Scan(&status); err != nil {
			return err
		}
		if status == "done" {
			return nil
		}
		_, err := tx.Exec(ctx, `UPDATE jobs SET status = 'done', paid = paid + $2 WHERE id = $1`, e.Job, e.Cents)
		return err
	})
}
