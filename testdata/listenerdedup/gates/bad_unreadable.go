package gates

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type busArrived struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	People  int    `json:"people"`
}

// BusWorker gives up the gate when the id is not a UUID, and works anyway.
type BusWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBusWorker(brokers []string, pool *pgxpool.Pool) *BusWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "bus.arrived", GroupID: "bus"})
	return &BusWorker{reader: r, pool: pool}
}

func (w *BusWorker) Run(ctx context.Context) error {
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

func (w *BusWorker) handle(ctx context.Context, m kafka.Message) error {
	var e busArrived
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	id, perr := uuid.Parse(e.EventID)
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		if perr == nil {
			tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'lines') ON CONFLICT DO NOTHING`, id)
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				return nil
			}
		}
		_, err := tx.Exec(ctx, `UPDATE lines SET people = people + $1 WHERE id = $2`, e.People, e.Line) // want "R-KFK-IDEM-X1"
		return err
	})
}
