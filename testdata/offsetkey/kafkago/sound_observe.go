package kafkago

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type logField struct {
	key   string
	value any
}

type fieldLogger interface {
	With(fields ...logField) fieldLogger
	Info(text string, fields ...logField)
}

type counterVec struct{ byLabels map[string]float64 }

func (c *counterVec) inc(labels string) { c.byLabels[labels]++ }

type valveTurned struct {
	EventID string `json:"event_id"`
	Valve   string `json:"valve"`
}

// valveLoop: fields of an own logger and labels of an own counter hold the coordinates, though the counter is a map keyed by them; the gate is the event id.
type valveLoop struct {
	reader  *kafka.Reader
	pool    *pgxpool.Pool
	log     fieldLogger
	records *counterVec
}

func (l *valveLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		at := fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
		log := l.log.With(logField{"record", at}, logField{"offset", msg.Offset})
		l.records.inc("offset=" + strconv.FormatInt(msg.Offset, 10))
		var ev valveTurned
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "valves")
			if err != nil {
				return err
			}
			if tag.RowsAffected() == 0 {
				log.Info("duplicate", logField{"event_id", ev.EventID})
				return nil
			}
			_, err = tx.Exec(ctx, "UPDATE valves SET turns = turns + 1 WHERE id = $1", ev.Valve)
			return err
		})
		if err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}
