package otherpkg

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/otherpkg/ledger"
)

type feeDue struct {
	EventID string `json:"eventId"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// FeeWorker reaches its effect in another package, which has no gate either.
type FeeWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewFeeWorker(brokers []string, pool *pgxpool.Pool) *FeeWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "fee.due", GroupID: "fee"})
	return &FeeWorker{reader: r, pool: pool}
}

func (w *FeeWorker) Run(ctx context.Context) error {
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

func (w *FeeWorker) handle(ctx context.Context, m kafka.Message) error {
	var e feeDue
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return ledger.Book(ctx, w.pool, e.Account, e.Cents) // want "R-KFK-IDEM-X1"
}
