package gateoutside

import (
	"context"
	"encoding/json"

	"example.com/cases/deduptx/gateoutside/dedup"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type bidWon struct {
	EventID string `json:"eventId"`
	Bidder  string `json:"bidder"`
	Cents   int64  `json:"cents"`
}

// BidWorker calls a gate of another package with its transaction; right: the mark is in it.
type BidWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBidWorker(brokers []string, pool *pgxpool.Pool) *BidWorker {
	return &BidWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "bids", GroupID: "bidders"}),
		pool:   pool,
	}
}

func (w *BidWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.debit(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *BidWorker) debit(ctx context.Context, payload []byte) error {
	var e bidWon
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		first, err := dedup.FirstTimeTx(ctx, tx, e.EventID, "bidders")
		if err != nil || !first {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE bidders SET owed = owed + $1 WHERE id = $2`, e.Cents, e.Bidder)
		return err
	})
}
