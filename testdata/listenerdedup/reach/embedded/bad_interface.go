package embedded

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type meteorSeen struct {
	EventID string `json:"eventId"`
	Site    string `json:"site"`
	Count   int    `json:"count"`
}

// meteorReader is what the worker needs of a reader.
type meteorReader interface {
	FetchMessage(ctx context.Context) (kafka.Message, error)
	CommitMessages(ctx context.Context, msgs ...kafka.Message) error
}

// MeteorWorker knows its reader only as the package's own interface; the insert has no gate.
type MeteorWorker struct {
	reader meteorReader
	pool   *pgxpool.Pool
}

func NewMeteorWorker(brokers []string, pool *pgxpool.Pool) *MeteorWorker {
	return &MeteorWorker{reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "meteors", GroupID: "sky"}), pool: pool}
}

func (w *MeteorWorker) Run(ctx context.Context) error {
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

func (w *MeteorWorker) note(ctx context.Context, body []byte) error {
	var e meteorSeen
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `INSERT INTO sightings (site, pieces) VALUES ($1, $2)`, e.Site, e.Count) // want "R-KFK-IDEM-X1"
	return err
}
