package gateoutside

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/gateoutside/dedup"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type lotSold struct {
	EventID string `json:"eventId"`
	Seller  string `json:"seller"`
	Cents   int64  `json:"cents"`
}

// LotWorker calls a gate of another package, which marks on the pool, from inside its transaction.
type LotWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	marks  *dedup.Store
}

func NewLotWorker(brokers []string, pool *pgxpool.Pool) *LotWorker {
	return &LotWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "lots", GroupID: "sellers"}),
		pool:   pool,
		marks:  dedup.NewStore(pool),
	}
}

func (w *LotWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.credit(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *LotWorker) credit(ctx context.Context, payload []byte) error {
	var e lotSold
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		first, err := w.marks.FirstTime(ctx, e.EventID, "sellers") // want "R-KFK-IDEM-3"
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE sellers SET earned = earned + $1 WHERE id = $2`, e.Cents, e.Seller)
		return err
	})
}
