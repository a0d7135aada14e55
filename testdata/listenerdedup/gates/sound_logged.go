package gates

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type bandageUsed struct {
	EventID string `json:"eventId"`
	Clinic  string `json:"clinic"`
	Pieces  int    `json:"pieces"`
}

// BandageWorker is sound: it logs the duplicate and returns.
type BandageWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBandageWorker(brokers []string, pool *pgxpool.Pool) *BandageWorker {
	return &BandageWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "bandage.used", GroupID: "bandage"}),
		pool:   pool,
	}
}

func (w *BandageWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("bandage.used at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *BandageWorker) handle(ctx context.Context, body []byte) error {
	var e bandageUsed
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'clinics') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			log.Printf("event %s came again", e.EventID)
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE clinics SET bandages = bandages - $1 WHERE id = $2`, e.Pieces, e.Clinic)
		return err
	})
}
