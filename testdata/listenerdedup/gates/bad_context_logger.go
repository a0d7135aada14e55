package gates

import (
	"context"
	"encoding/json"
	"log/slog"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type berthTaken struct {
	EventID string `json:"eventId"`
	Quay    string `json:"quay"`
	Metres  int    `json:"metres"`
}

type berthLoggerKey struct{}

func berthLoggerIfAny(ctx context.Context) *slog.Logger {
	if v := ctx.Value(berthLoggerKey{}); v == nil {
		return nil
	} else if log, ok := v.(*slog.Logger); ok {
		return log
	}
	panic("the context holds something else under the logger's key")
}

func berthLogger(ctx context.Context) *slog.Logger {
	log := berthLoggerIfAny(ctx)
	if log == nil {
		panic("no logger in the context")
	}
	return log
}

// BerthWorker dies without a logger in its context. It has one, from whoever called Run.
type BerthWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewBerthWorker(brokers []string, pool *pgxpool.Pool) *BerthWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "berth.taken", GroupID: "berth"})
	return &BerthWorker{reader: r, pool: pool}
}

func (w *BerthWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		berthLogger(ctx).Debug("berth taken", "offset", m.Offset)
		var e berthTaken
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if _, err := w.pool.Exec(ctx, `UPDATE quays SET taken = taken + $1 WHERE name = $2`, e.Metres, e.Quay); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
