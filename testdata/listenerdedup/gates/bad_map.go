package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type draughtsWon struct {
	EventID string `json:"eventId"`
	Player  string `json:"player"`
	Points  int    `json:"points"`
}

// DraughtsWorker looks into the map but never fills it.
type DraughtsWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	seen   map[string]bool
}

func NewDraughtsWorker(brokers []string, pool *pgxpool.Pool) *DraughtsWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "draughts.won", GroupID: "draughts"})
	return &DraughtsWorker{reader: r, pool: pool, seen: map[string]bool{}}
}

func (w *DraughtsWorker) Run(ctx context.Context) error {
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

func (w *DraughtsWorker) handle(ctx context.Context, m kafka.Message) error {
	var e draughtsWon
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	if w.seen[e.EventID] {
		return nil
	}
	_, err := w.pool.Exec(ctx, `UPDATE players SET points = points + $1 WHERE id = $2`, e.Points, e.Player) // want "R-KFK-IDEM-X1"
	return err
}
