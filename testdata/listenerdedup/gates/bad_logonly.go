package gates

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type vaccineGiven struct {
	EventID string `json:"eventId"`
	Clinic  string `json:"clinic"`
	Doses   int    `json:"doses"`
}

// VaccineWorker looks at the answer, logs the duplicate and goes on.
type VaccineWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewVaccineWorker(brokers []string, pool *pgxpool.Pool) *VaccineWorker {
	return &VaccineWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "vaccine.given", GroupID: "vaccine"}),
		pool:   pool,
	}
}

func (w *VaccineWorker) Run(ctx context.Context) {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return
		}
		if err := w.handle(ctx, m.Value); err != nil {
			log.Printf("vaccine.given at offset %d: %v", m.Offset, err)
		}
	}
}

func (w *VaccineWorker) handle(ctx context.Context, body []byte) error {
	var e vaccineGiven
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
		}
		_, err = tx.Exec(ctx, `UPDATE clinics SET doses = doses - $1 WHERE id = $2`, e.Doses, e.Clinic) // want "R-KFK-IDEM-X1"
		return err
	})
}
