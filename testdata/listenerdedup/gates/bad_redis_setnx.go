package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/segmentio/kafka-go"
)

type stickerPrinted struct {
	EventID string `json:"eventId"`
	Parcel  string `json:"parcel"`
	Copies  int    `json:"copies"`
}

// StickerWorker returns when SETNX says true, that is the first time.
type StickerWorker struct {
	reader *kafka.Reader
	rdb    *redis.Client
	db     *sql.DB
}

func NewStickerWorker(brokers []string, rdb *redis.Client, db *sql.DB) *StickerWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "sticker.printed", GroupID: "sticker"})
	return &StickerWorker{reader: r, rdb: rdb, db: db}
}

func (w *StickerWorker) Run(ctx context.Context) error {
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

func (w *StickerWorker) handle(ctx context.Context, m kafka.Message) error {
	var e stickerPrinted
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	ok, err := w.rdb.SetNX(ctx, "evt:"+e.EventID, "1", 48*time.Hour).Result()
	if err != nil {
		return err
	}
	if ok {
		return nil
	}
	_, err = w.db.ExecContext(ctx, `UPDATE parcels SET copies = copies + $1 WHERE id = $2`, e.Copies, e.Parcel) // want "R-KFK-IDEM-X1"
	return err
}
