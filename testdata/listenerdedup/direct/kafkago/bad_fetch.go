package kafkagocase

import (
	"context"
	"encoding/json"

	"github.com/jmoiron/sqlx"
	"github.com/segmentio/kafka-go"
)

type paymentSettled struct {
	EventID  string `json:"eventId"`
	WalletID string `json:"walletId"`
	Cents    int64  `json:"cents"`
}

// WalletWorker is FetchMessage + CommitMessages; a crash before the commit adds the amount twice.
type WalletWorker struct {
	reader *kafka.Reader
	db     *sqlx.DB
}

func NewWalletWorker(brokers []string, db *sqlx.DB) *WalletWorker {
	return &WalletWorker{
		reader: kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "payments", GroupID: "wallets"}),
		db:     db,
	}
}

func (w *WalletWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var e paymentSettled
		if err := json.Unmarshal(m.Value, &e); err != nil {
			return err
		}
		if _, err := w.db.ExecContext(ctx, `UPDATE wallets SET cents = cents + $1 WHERE id = $2`, e.Cents, e.WalletID); err != nil { // want "R-KFK-IDEM-X1"
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}
