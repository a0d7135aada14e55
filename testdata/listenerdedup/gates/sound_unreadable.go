package gates

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type tramArrived struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	People  int    `json:"people"`
}

// TramWorker is sound: an id that is not a UUID ends the attempt before anything is written.
type TramWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewTramWorker(brokers []string, pool *pgxpool.Pool) *TramWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tram.arrived", GroupID: "tram"})
	return &TramWorker{reader: r, pool: pool}
}

func (w *TramWorker) Run(ctx context.Context) error {
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

func (w *TramWorker) handle(ctx context.Context, m kafka.Message) error {
	var e tramArrived
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	id, perr := uuid.Parse(e.EventID)
	if perr != nil {
		return fmt.Errorf("event id %q: %w", e.EventID, perr)
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'lines') ON CONFLICT DO NOTHING`, id)
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		_, err = tx.Exec(ctx, `UPDATE lines SET tram_people = tram_people + $1 WHERE id = $2`, e.People, e.Line)
		return err
	})
}
