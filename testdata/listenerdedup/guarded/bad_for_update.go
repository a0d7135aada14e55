package guarded

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type taskFinished struct {
	EventID string `json:"eventId"`
	Job     string `json:"job"`
	Cents   int64  `json:"cents"`
}

// TaskWorker locks and reads the row, notes that it is finished, and adds all the same.
type TaskWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewTaskWorker(brokers []string, pool *pgxpool.Pool) *TaskWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "task.finished", GroupID: "task"})
	return &TaskWorker{reader: r, pool: pool}
}

func (w *TaskWorker) Run(ctx context.Context) error {
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

func (w *TaskWorker) handle(ctx context.Context, m kafka.Message) error {
	var e taskFinished
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		var status string
		if err := tx.QueryRow(ctx, `SELECT status FROM jobs WHERE id = $1 FOR UPDATE`, e.Job).Scan(&status); err != nil {
			return err
		}
		if status == "done" {
			log.Printf("%s is done already", e.Job)
		}
		_, err := tx.Exec(ctx, `UPDATE jobs SET status = 'done', paid = paid + $2 WHERE id = $1`, e.Job, e.Cents) // want "R-KFK-IDEM-X1"
		return err
	})
}
