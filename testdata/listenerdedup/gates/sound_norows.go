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

type hiveWeighed struct {
	EventID string `json:"eventId"`
	Place   string `json:"place"`
	Grams   int    `json:"grams"`
}

// BeeWorker is sound: no row from RETURNING is a duplicate and returns.
type BeeWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBeeWorker(brokers []string, pool *pgxpool.Pool) *BeeWorker {
	return &BeeWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "hive.weighed", GroupID: "bee"}),
		pool:   pool,
	}
}

func (w *BeeWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("hive.weighed at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *BeeWorker) handle(ctx context.Context, body []byte) error {
	var e hiveWeighed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		var got string
		err := tx.QueryRow(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'weights') ON CONFLICT DO NOTHING RETURNING event_id`, e.EventID).Scan(&got)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return err
		}
		if errors.Is(err, pgx.ErrNoRows) {
			return nil
		}
		_, err = tx.Exec(ctx, `INSERT INTO weights (place, grams) VALUES ($1, $2)`, e.Place, e.Grams)
		return err
	})
}
