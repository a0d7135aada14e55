package silent

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type doorOpened struct {
	EventID string `json:"eventId"`
	Door    string `json:"door"`
}

// CounterWorker has an exemption with a reason above the line of its effect.
type CounterWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewCounterWorker(brokers []string, pool *pgxpool.Pool) *CounterWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "door.opened", GroupID: "counter"})
	return &CounterWorker{reader: r, pool: pool}
}

func (w *CounterWorker) Run(ctx context.Context) error {
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

func (w *CounterWorker) handle(ctx context.Context, m kafka.Message) error {
	var e doorOpened
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	//idemlint:ignore R-KFK-IDEM-X1 the door counter is an estimate, twice is good enough
	_, err := w.pool.Exec(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, e.Door)
	return err
}
