package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type pointScored struct {
	EventID string `json:"eventId"`
	Team    string `json:"team"`
	Goals   int    `json:"goals"`
}

// PointWorker is sound: a prepared statement stands behind the mark in its own transaction.
type PointWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewPointWorker(brokers string, db *sql.DB) (*PointWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "point"})
	if err != nil {
		return nil, err
	}
	return &PointWorker{consumer: c, db: db}, c.Subscribe("point.scored", nil)
}

func (w *PointWorker) Run(ctx context.Context) error {
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

func (w *PointWorker) handle(ctx context.Context, body []byte) error {
	var e pointScored
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	tx, err := w.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'point') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	stmt, err := tx.PrepareContext(ctx, `UPDATE teams SET points = points + $1 WHERE id = $2`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	if _, err = stmt.ExecContext(ctx, e.Goals, e.Team); err != nil {
		return err
	}
	return tx.Commit()
}
