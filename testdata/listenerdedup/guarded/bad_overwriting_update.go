package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/jackc/pgx/v5/pgxpool"
)

type addressChanged struct {
	EventID  string `json:"eventId"`
	Customer string `json:"customer"`
	Address  string `json:"address"`
}

// AddressWorker is an unguarded overwriting update.
type AddressWorker struct {
	pool *pgxpool.Pool
}

func NewAddressWorker(pool *pgxpool.Pool) *AddressWorker {
	return &AddressWorker{pool: pool}
}

func (w *AddressWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *AddressWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *AddressWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *AddressWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e addressChanged
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.pool.Exec(ctx, `UPDATE customers SET address = $2 WHERE id = $1`, e.Customer, e.Address) // want "R-KFK-IDEM-X1.*overwrit"
	return err
}
