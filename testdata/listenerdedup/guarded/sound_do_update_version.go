package guarded

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type tariffChanged struct {
	EventID string `json:"eventId"`
	Code    string `json:"code"`
	Cents   int64  `json:"cents"`
	Version int64  `json:"version"`
}

// TariffWorker is a guarded write: the upsert only replaces an older version.
type TariffWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewTariffWorker(brokers []string, db *sqlx.DB) *TariffWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tariff.changed", GroupID: "tariff"})
	return &TariffWorker{reader: r, db: db}
}

func (w *TariffWorker) Run(ctx context.Context) error {
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

func (w *TariffWorker) handle(ctx context.Context, m kafka.Message) error {
	var e tariffChanged
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.db.ExecContext(ctx, `INSERT INTO tariffs (code, cents, version) VALUES ($1, $2, $3)
		ON CONFLICT (code) DO UPDATE SET cents = excluded.cents, version = excluded.version WHERE tariffs.version < excluded.version`, e.Code, e.Cents, e.Version)
	return err
}
