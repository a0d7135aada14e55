package embedded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type cometSeen struct {
	EventID string `json:"eventId"`
	Site    string `json:"site"`
	Count   int    `json:"count"`
}

// cometReader is what the worker needs of a reader.
type cometReader interface {
	FetchMessage(ctx context.Context) (kafka.Message, error)
	CommitMessages(ctx context.Context, msgs ...kafka.Message) error
}

// CometWorker knows its reader only as the package's own interface; sound: the event is marked in the insert's transaction.
type CometWorker struct {
	reader cometReader
	pool   *pgxpool.Pool
}

func NewCometWorker(brokers []string, pool *pgxpool.Pool) *CometWorker {
	return &CometWorker{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "comets", GroupID: "sky"}), pool: pool}
}

func (w *CometWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.note(ctx, m.Value); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *CometWorker) note(ctx context.Context, body []byte) error {
	var e cometSeen
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, w.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'sky') ON CONFLICT DO NOTHING`, e.EventID)
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO sightings (site, pieces) VALUES ($1, $2)`, e.Site, e.Count)
		return err
	})
}
