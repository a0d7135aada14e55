package gates

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/gomodule/redigo/redis"
	"github.com/jmoiron/sqlx"
)

type pennantSewn struct {
	EventID string `json:"eventId"`
	Club    string `json:"club"`
	Pieces  int    `json:"pieces"`
}

// PennantWorker looks only at the error of SET NX; the nil reply of a known event goes unread.
type PennantWorker struct {
	pool *redis.Pool
	db   *sqlx.DB
}

func NewPennantWorker(pool *redis.Pool, db *sqlx.DB) *PennantWorker {
	return &PennantWorker{pool: pool, db: db}
}

func (w *PennantWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *PennantWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *PennantWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *PennantWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e pennantSewn
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	conn := w.pool.Get()
	defer conn.Close()
	_, err := conn.Do("SET", "pennant:"+e.EventID, 1, "NX", "EX", 86400)
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE clubs SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Club) // want "R-KFK-IDEM-X1"
	return err
}
