package effects

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type numberDrawn struct {
	EventID string `json:"eventId"`
	Desk    string `json:"desk"`
}

// NumberWorker has an INSERT … RETURNING as its effect and no gate.
type NumberWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewNumberWorker(brokers []string, pool *pgxpool.Pool) *NumberWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "number.drawn", GroupID: "number"})
	return &NumberWorker{reader: r, pool: pool}
}

func (w *NumberWorker) Run(ctx context.Context) error {
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

func (w *NumberWorker) handle(ctx context.Context, m kafka.Message) error {
	var e numberDrawn
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	var id int64
	if err := w.pool.QueryRow(ctx, `INSERT INTO numbers (desk) VALUES ($1) RETURNING id`, e.Desk).Scan(&id); err != nil { // want "R-KFK-IDEM-X1"
		return err
	}
	log.Printf("number %d", id)
	return nil
}
