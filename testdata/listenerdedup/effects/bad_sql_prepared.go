package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type goalScored struct {
	EventID string `json:"eventId"`
	Team    string `json:"team"`
	Goals   int    `json:"goals"`
}

// ScoreWorker has a prepared statement as its effect and no gate.
type ScoreWorker struct {
	consumer *ckafka.Consumer
	db       *sql.DB
}

func NewScoreWorker(brokers string, db *sql.DB) (*ScoreWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "score"})
	if err != nil {
		return nil, err
	}
	return &ScoreWorker{consumer: c, db: db}, c.Subscribe("goal.scored", nil)
}

func (w *ScoreWorker) Run(ctx context.Context) error {
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

func (w *ScoreWorker) handle(ctx context.Context, body []byte) error {
	var e goalScored
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	stmt, err := w.db.PrepareContext(ctx, `UPDATE teams SET goals = goals + $1 WHERE id = $2`)
	if err != nil {
		return err
	}
	defer stmt.Close()
	_, err = stmt.ExecContext(ctx, e.Goals, e.Team) // want "R-KFK-IDEM-X1"
	return err
}
