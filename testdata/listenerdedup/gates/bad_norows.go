package gates

import (
	"context"
	"encoding/json"
	"errors"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type hillWeighed struct {
	EventID string `json:"eventId"`
	Place   string `json:"place"`
	Grams   int    `json:"grams"`
}

// AntWorker takes no row from RETURNING for the go-ahead and returns when there is one.
type AntWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewAntWorker(brokers []string, pool *pgxpool.Pool) *AntWorker {
	return &AntWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "hill.weighed", GroupID: "ant"}),
		pool:   pool,
	}
}

func (w *AntWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("hill.weighed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *AntWorker) handle(ctx context.Context, body []byte) error {
	var e hillWeighed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		var got string
		err := tx.QueryRow(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'weights') ON CONFLICT DO NOTHING RETURNING event_id`, e.EventID).Scan(&got)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if err == nil {
			return nil
		}
		_, err = tx.Exec(ctx, `INSERT INTO weights (place, grams) VALUES ($1, $2)`, e.Place, e.Grams) // want "R-KFK-IDEM-X1"
		return err
	})
}
