package poolinside

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type spaVisited struct {
	EventID string `json:"eventId"`
	Spa     string `json:"spa"`
}

// SpaWorker keeps a row about a failure on the pool after the rollback; right: that row is no result of the event, mark and work are in the transaction.
type SpaWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewSpaWorker(brokers []string, pool *pgxpool.Pool) *SpaWorker {
	return &SpaWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "spa.visited", GroupID: "spa-ledger"}),
		pool:   pool,
	}
}

func (w *SpaWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.visit(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *SpaWorker) visit(ctx context.Context, payload []byte) error {
	var e spaVisited
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE spas SET visits = visits + 1 WHERE id = $1`, e.Spa)
		return err
	})
	if err != nil {
		if _, dbErr := w.pool.Exec(ctx, `INSERT INTO dead_letters (event_id, payload, reason) VALUES ($1, $2, $3)`, e.EventID, payload, err.Error()); dbErr != nil {
			return dbErr
		}
	}
	return nil
}
