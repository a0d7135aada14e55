package gates

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/gomodule/redigo/redis"
	"github.com/jmoiron/sqlx"
)

type flagSewn struct {
	EventID string `json:"eventId"`
	Club    string `json:"club"`
	Pieces  int    `json:"pieces"`
}

// FlagWorker is sound here: SET NX gives redigo's ErrNil for a known event, which returns.
type FlagWorker struct {
	pool *redis.Pool
	db   *sqlx.DB
}

func NewFlagWorker(pool *redis.Pool, db *sqlx.DB) *FlagWorker {
	return &FlagWorker{pool: pool, db: db}
}

func (w *FlagWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *FlagWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *FlagWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *FlagWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e flagSewn
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	conn := w.pool.Get()
	defer conn.Close()
	_, err := redis.String(conn.Do("SET", "flag:"+e.EventID, 1, "NX", "EX", 86400))
	if errors.Is(err, redis.ErrNil) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE clubs SET pieces = pieces + $1 WHERE id = $2`, e.Pieces, e.Club)
	return err
}
