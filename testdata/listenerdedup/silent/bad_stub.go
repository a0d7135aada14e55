package silent

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type sofaReserved struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Count   int    `json:"count"`
}

type sofaDeduper interface {
	First(ctx context.Context, id string) (bool, error)
}

// SofaWorker asks an interface; its constructor binds a stub that says "first" to everything.
type SofaWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	dedup  sofaDeduper
}

func NewSofaWorker(reader *kafka.Reader, pool *pgxpool.Pool) *SofaWorker {
	return &SofaWorker{reader: reader, pool: pool, dedup: sofaAlways{}}
}

func (w *SofaWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var e sofaReserved
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		first, err := w.dedup.First(ctx, e.EventID)
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if _, err := w.pool.Exec(ctx, `UPDATE rooms SET sofas = sofas - $1 WHERE id = $2`, e.Count, e.Room); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
	}
}

type sofaAlways struct{}

func (sofaAlways) First(context.Context, string) (bool, error) { return true, nil }
