package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type patentFiled struct {
	EventID string `json:"eventId"`
	Holder  string `json:"holder"`
}

// PatentWorker forgives a foreign key violation (23503), which a second insert does not raise.
type PatentWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewPatentWorker(brokers []string, pool *pgxpool.Pool) *PatentWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "patent.filed", GroupID: "patent"})
	return &PatentWorker{reader: r, pool: pool}
}

func (w *PatentWorker) Run(ctx context.Context) error {
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

func (w *PatentWorker) handle(ctx context.Context, m kafka.Message) error {
	var e patentFiled
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO patents (holder) VALUES ($1)`, e.Holder) // want "R-KFK-IDEM-X1"
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23503" {
		return nil
	}
	return err
}
