package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type bonusGranted struct {
	EventID  string `json:"eventId"`
	WalletID string `json:"walletId"`
	Cents    int64  `json:"cents"`
}

// BonusWorker is FetchMessage + CommitMessages; sound: the mark and the update share a transaction, and zero rows end it.
type BonusWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewBonusWorker(brokers []string, db *sqlx.DB) *BonusWorker {
	return &BonusWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "bonuses", GroupID: "wallets"}),
		db:     db,
	}
}

func (w *BonusWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e bonusGranted
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if err := w.apply(ctx, e); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *BonusWorker) apply(ctx context.Context, e bonusGranted) error {
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id, consumer_group) DO NOTHING`, e.EventID, "wallets")
	if err != nil {
		return err
	}
	n, err := res.RowsAffected()
	if err != nil {
		return err
	}
	if n > 0 {
		if _, err := tx.ExecContext(ctx, `UPDATE wallets SET cents = cents + $1 WHERE id = $2`, e.Cents, e.WalletID); err != nil {
			return err
		}
	}
	return tx.Commit()
}
