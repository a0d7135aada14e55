package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type deedSigned struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Notary  string `json:"notary"`
}

// DeedWorker takes the unique violation as success and goes on to the notary's counter.
type DeedWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewDeedWorker(brokers []string, pool *pgxpool.Pool) *DeedWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "deed.signed", GroupID: "deed"})
	return &DeedWorker{reader: r, pool: pool}
}

func (w *DeedWorker) Run(ctx context.Context) error {
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

func (w *DeedWorker) handle(ctx context.Context, m kafka.Message) error {
	var e deedSigned
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO deeds (number, notary) VALUES ($1, $2)`, e.Number, e.Notary)
	var pgErr *pgconn.PgError
	if err != nil && !(errors.As(err, &pgErr) && pgErr.Code == "23505") {
		return err
	}
	_, err = w.pool.Exec(ctx, `UPDATE notaries SET deeds = deeds + 1 WHERE id = $1`, e.Notary) // want "R-KFK-IDEM-X1"
	return err
}
