package gates

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type palletMoved struct {
	EventID string `json:"eventId"`
	Dock    string `json:"dock"`
	Pallets int    `json:"pallets"`
}

// PalletWorker has no gate at all: the event id is decoded and never looked at.
type PalletWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func NewPalletWorker(brokers []string, pool *pgxpool.Pool) *PalletWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "pallet.moved", GroupID: "pallet"})
	return &PalletWorker{reader: r, pool: pool}
}

func (w *PalletWorker) Run(ctx context.Context) error {
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

func (w *PalletWorker) handle(ctx context.Context, m kafka.Message) error {
	var e palletMoved
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE docks SET pallets = pallets + $1 WHERE name = $2`, e.Pallets, e.Dock) // want "R-KFK-IDEM-X1"
	return err
}
