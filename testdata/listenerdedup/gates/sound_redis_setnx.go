package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type labelPrinted struct {
	EventID string `json:"eventId"`
	Parcel  string `json:"parcel"`
	Copies  int    `json:"copies"`
}

// LabelWorker is sound here: SETNX says false for a known event.
type LabelWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	db     *sql.DB
}

func NewLabelWorker(brokers []string, rdb *redis.Client, db *sql.DB) *LabelWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "label.printed", GroupID: "label"})
	return &LabelWorker{reader: r, rdb: rdb, db: db}
}

func (w *LabelWorker) Run(ctx context.Context) error {
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

func (w *LabelWorker) handle(ctx context.Context, m kafka.Message) error {
	var e labelPrinted
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	ok, err := w.rdb.SetNX(ctx, "evt:"+e.EventID, "1", 48*time.Hour).Result()
	if err != nil {
		return err
	}
	if !ok {
		return nil
	}
	_, err = w.db.ExecContext(ctx, `UPDATE parcels SET copies = copies + $1 WHERE id = $2`, e.Copies, e.Parcel)
	return err
}
