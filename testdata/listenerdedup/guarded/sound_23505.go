package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type contractSigned struct {
	EventID string `json:"eventId"`
	Number  string `json:"number"`
	Party   string `json:"party"`
}

// ContractWorker is a guarded write: the unique violation of the contract's number is taken as success.
type ContractWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewContractWorker(brokers []string, pool *pgxpool.Pool) *ContractWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "contract.signed", GroupID: "contract"})
	return &ContractWorker{reader: r, pool: pool}
}

func (w *ContractWorker) Run(ctx context.Context) error {
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

func (w *ContractWorker) handle(ctx context.Context, m kafka.Message) error {
	var e contractSigned
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO contracts (number, party) VALUES ($1, $2)`, e.Number, e.Party)
	var pgErr *pgconn.PgError
	if errors.As(err, &pgErr) && pgErr.Code == "23505" {
		return nil
	}
	return err
}
