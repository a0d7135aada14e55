package splitcommit

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type freightLoaded struct {
	EventID string `json:"eventId"`
	Train   string `json:"train"`
	Tons    int    `json:"tons"`
}

// FreightWorker fetches in next and commits in done; what stands between the two has no gate.
type FreightWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewFreightWorker(reader *kafka.Reader, pool *pgxpool.Pool) *FreightWorker {
	return &FreightWorker{reader: reader, pool: pool}
}

// Run is the loop.
func (w *FreightWorker) Run(ctx context.Context) error {
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

func (w *FreightWorker) next(ctx context.Context) (kafka.Message, *freightLoaded, error) {
	m, err := w.reader.FetchMessage(ctx)
	if err != nil {
		return m, nil, err
	}
	e := new(freightLoaded)
	return m, e, json.Unmarshal(m.Value, e)
}

func (w *FreightWorker) done(ctx context.Context, m kafka.Message) error {
	return w.reader.CommitMessages(ctx, m)
}

func (w *FreightWorker) load(ctx context.Context, e *freightLoaded) error {
	_, err := w.pool.Exec(ctx, `UPDATE trains SET tons = tons + $1 WHERE id = $2`, e.Tons, e.Train) // want "R-KFK-IDEM-X1"
	return err
}
