package poolinside

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type stageBooked struct {
	EventID string `json:"eventId"`
	Stage   string `json:"stage"`
}

// StageWorker builds its repository with the transaction inside the closure; right: the repository writes where the mark is.
type StageWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewStageWorker(brokers []string, pool *pgxpool.Pool) *StageWorker {
	return &StageWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "stage.booked", GroupID: "stage-ledger"}),
		pool:   pool,
	}
}

func (w *StageWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.book(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *StageWorker) book(ctx context.Context, payload []byte) error {
	var e stageBooked
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		stages := &stageRepo{tx: tx}
		return stages.addBooking(ctx, e.Stage)
	})
}

type stageRepo struct {
	tx pgx.Tx
}

func (r *stageRepo) addBooking(ctx context.Context, stage string) error {
	_, err := r.tx.Exec(ctx, `UPDATE stages SET bookings = bookings + 1 WHERE id = $1`, stage)
	return err
}
