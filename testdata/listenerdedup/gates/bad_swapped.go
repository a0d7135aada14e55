package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type plantWatered struct {
	EventID string `json:"eventId"`
	Bed     string `json:"bed"`
	Litres  int    `json:"litres"`
}

// PlantWorker has the branches swapped: it returns the first time and works on the duplicate.
type PlantWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewPlantWorker(brokers []string, pool *pgxpool.Pool) *PlantWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "plant.watered", GroupID: "plant"})
	return &PlantWorker{reader: r, pool: pool}
}

func (w *PlantWorker) Run(ctx context.Context) error {
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

func (w *PlantWorker) handle(ctx context.Context, m kafka.Message) error {
	var e plantWatered
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'beds') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 1 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE beds SET litres = litres + $1 WHERE id = $2`, e.Litres, e.Bed) // want "R-KFK-IDEM-X1"
		return err
	})
}
