package guarded

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jmoiron/sqlx"
)

type repairFinished struct {
	EventID string `json:"eventId"`
	Repair  string `json:"repair"`
	Cents   int64  `json:"cents"`
}

// RepairWorker is a guarded write: CompletedAt, read under the row's lock, ends a repeated attempt.
type RepairWorker struct {
	consumer *ckafka.Consumer
	db       *sqlx.DB
}

func NewRepairWorker(brokers string, db *sqlx.DB) (*RepairWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "repair"})
	if err != nil {
		return nil, err
	}
	return &RepairWorker{consumer: c, db: db}, c.Subscribe("repair.finished", nil)
}

func (w *RepairWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		ev := w.consumer.Poll(200)
		msg, ok := ev.(*ckafka.Message)
		if !ok {
			continue
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.StoreMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

func (w *RepairWorker) handle(ctx context.Context, body []byte) error {
	var e repairFinished
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTxx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var row repairRow
	if err := tx.GetContext(ctx, &row, `SELECT id, completed_at FROM repairs WHERE id = $1 FOR UPDATE`, e.Repair); err != nil {
		return err
	}
	if row.CompletedAt.Valid {
		return nil
	}
	if _, err := tx.ExecContext(ctx, `UPDATE repairs SET completed_at = now(), cost = cost + $2 WHERE id = $1`, e.Repair, e.Cents); err != nil {
		return err
	}
	return tx.Commit()
}

type repairRow struct {
	ID          string       `db:"id"`
	CompletedAt sql.NullTime `db:"completed_at"`
}
