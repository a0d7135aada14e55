package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type chessWon struct {
	EventID string `json:"eventId"`
	Player  string `json:"player"`
	Points  int    `json:"points"`
}

// ChessWorker is sound here: a key in the map returns, and the map is filled before the update.
type ChessWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	seen   map[string]bool
}

func NewChessWorker(brokers []string, pool *pgxpool.Pool) *ChessWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "chess.won", GroupID: "chess"})
	return &ChessWorker{reader: r, pool: pool, seen: map[string]bool{}}
}

func (w *ChessWorker) Run(ctx context.Context) error {
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

func (w *ChessWorker) handle(ctx context.Context, m kafka.Message) error {
	var e chessWon
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	if w.seen[e.EventID] {
		return nil
	}
	w.seen[e.EventID] = true
	_, err := w.pool.Exec(ctx, `UPDATE players SET points = points + $1 WHERE id = $2`, e.Points, e.Player)
	return err
}
