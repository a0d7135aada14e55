package silent

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type gateOpened struct {
	EventID string `json:"eventId"`
	Gate    string `json:"gate"`
}

// SwingWorker has the exemption above another effect only.
type SwingWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewSwingWorker(brokers []string, pool *pgxpool.Pool) *SwingWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "gate.opened", GroupID: "swing"})
	return &SwingWorker{reader: r, pool: pool}
}

func (w *SwingWorker) Run(ctx context.Context) error {
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

func (w *SwingWorker) handle(ctx context.Context, m kafka.Message) error {
	var e gateOpened
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	//idemlint:ignore R-KFK-IDEM-X1 the gate counter is an estimate, twice is good enough
	if _, err := w.pool.Exec(ctx, `UPDATE gates SET opened = opened + 1 WHERE id = $1`, e.Gate); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO gate_log (gate) VALUES ($1)`, e.Gate) // want "R-KFK-IDEM-X1"
	return err
}
