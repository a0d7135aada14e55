package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type cranePlaced struct {
	EventID string `json:"eventId"`
	Quay    string `json:"quay"`
}

type craneKey struct{}

type craneLog interface{ Note(string) }

func craneLogOf(ctx context.Context) craneLog {
	log, ok := ctx.Value(craneKey{}).(craneLog)
	if !ok {
		panic("no log in the context")
	}
	return log
}

// CraneWorker calls the interface that it finds in its context.
type CraneWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewCraneWorker(brokers []string, pool *pgxpool.Pool) *CraneWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "crane.placed", GroupID: "crane"})
	return &CraneWorker{reader: r, pool: pool}
}

func (w *CraneWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		craneLogOf(ctx).Note("crane placed")
		var e cranePlaced
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if _, err := w.pool.Exec(ctx, `UPDATE quays SET cranes = cranes + 1 WHERE name = $1`, e.Quay); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
