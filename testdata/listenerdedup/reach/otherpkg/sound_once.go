package otherpkg

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"

	"example.com/cases/listenerdedup/reach/otherpkg/ledger"
)

type interestDue struct {
	EventID string `json:"eventId"`
	Account string `json:"account"`
	Cents   int64  `json:"cents"`
}

// InterestWorker is sound: the other package's BookOnce marks the event before it books.
type InterestWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewInterestWorker(brokers []string, pool *pgxpool.Pool) *InterestWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "interest.due", GroupID: "interest"})
	return &InterestWorker{reader: r, pool: pool}
}

func (w *InterestWorker) Run(ctx context.Context) error {
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

func (w *InterestWorker) handle(ctx context.Context, m kafka.Message) error {
	var e interestDue
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return ledger.BookOnce(ctx, w.pool, e.EventID, e.Account, e.Cents)
}
