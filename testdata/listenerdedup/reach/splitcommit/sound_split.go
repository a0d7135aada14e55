package splitcommit

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type cargoLoaded struct {
	EventID string `json:"eventId"`
	Train   string `json:"train"`
	Tons    int    `json:"tons"`
}

// CargoWorker fetches in next and commits in done; sound: load marks the event between the two.
type CargoWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewCargoWorker(reader *kafka.Reader, pool *pgxpool.Pool) *CargoWorker {
	return &CargoWorker{reader: reader, pool: pool}
}

// Run is the loop.
func (w *CargoWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		m, e, err := w.next(ctx)
		if err != nil {
			return err
		}
		if err := w.load(ctx, e); err != nil {
			return err
		}
		if err := w.done(ctx, m); err != nil {
			return err
		}
	}
	return nil
}

func (w *CargoWorker) next(ctx context.Context) (kafka.Message, *cargoLoaded, error) {
	m, err := w.reader.FetchMessage(ctx)
	if err != nil {
		return m, nil, err
	}
	e := new(cargoLoaded)
	return m, e, json.Unmarshal(m.Value, e)
}

func (w *CargoWorker) done(ctx context.Context, m kafka.Message) error {
	return w.reader.CommitMessages(ctx, m)
}

func (w *CargoWorker) load(ctx context.Context, e *cargoLoaded) error {
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'trains') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE trains SET tons = tons + $1 WHERE id = $2`, e.Tons, e.Train)
		return err
	})
}
