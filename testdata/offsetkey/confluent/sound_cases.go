package confluent

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

type policyEnded struct {
	EventID string `json:"event_id"`
	Policy  string `json:"policy"`
}

// endPoll: the formatted TopicPartition is part of the error's text; the gate takes the payload's id.
type endPoll struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func (p *endPoll) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		switch ev := p.consumer.Poll(100).(type) {
		case *kafka.Message:
			if err := p.end(ctx, ev); err != nil {
				return fmt.Errorf("record %v: %w", ev.TopicPartition, err)
			}
			if _, err := p.consumer.CommitMessage(ev); err != nil {
				return err
			}
		case kafka.Error:
			return ev
		}
	}
	return ctx.Err()
}

func (p *endPoll) end(ctx context.Context, msg *kafka.Message) error {
	var ev policyEnded
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var one int
	err = tx.QueryRowContext(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1", ev.EventID, "policies").Scan(&one)
	if errors.Is(err, sql.ErrNoRows) {
		slog.Info("duplicate", "event_id", ev.EventID, "at", msg.TopicPartition.String())
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO policy_ends (policy, source_offset) VALUES ($1, $2)", ev.Policy, int64(msg.TopicPartition.Offset)); err != nil {
		return err
	}
	return tx.Commit()
}

type claimFiled struct {
	EventID string `json:"event_id"`
	Claim   string `json:"claim"`
}

// fileBoard: the topic is taken out of TopicPartition to prefix the event id; a topic's name is no position.
type fileBoard struct {
	consumer *kafka.Consumer
	rdb      *redis.Client
	pool     *pgxpool.Pool
}

func (b *fileBoard) Run(ctx context.Context) error {
	for {
		msg, err := b.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if msg.TopicPartition.Error != nil {
			return msg.TopicPartition.Error
		}
		var ev claimFiled
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		first, err := b.rdb.SetNX(ctx, *msg.TopicPartition.Topic+":"+ev.EventID, "1", time.Hour).Result()
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if _, err := b.pool.Exec(ctx, "INSERT INTO claims (id) VALUES ($1)", ev.Claim); err != nil {
			return err
		}
		if _, err := b.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// premiumCommit: the remembered offsets of the partitions are the ones to commit; each record is written first.
type premiumCommit struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
}

func (c *premiumCommit) Run(ctx context.Context, batch int) error {
	for {
		next := make(map[int32]kafka.TopicPartition)
		for range batch {
			msg, err := c.consumer.ReadMessage(time.Second)
			if err != nil {
				return err
			}
			if _, err := c.pool.Exec(ctx, "INSERT INTO premiums (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", string(msg.Key), msg.Value); err != nil {
				return err
			}
			tp := msg.TopicPartition
			if have, ok := next[tp.Partition]; !ok || have.Offset <= tp.Offset {
				tp.Offset++
				next[tp.Partition] = tp
			}
		}
		offsets := make([]kafka.TopicPartition, 0, len(next))
		for _, tp := range next {
			offsets = append(offsets, tp)
		}
		if _, err := c.consumer.CommitOffsets(offsets); err != nil {
			return err
		}
	}
}

type excessDue struct {
	EventID string `json:"event_id"`
	Amount  int64  `json:"amount"`
}

// dueFeed: Offset.String() goes into the Referer-like header of the source; the Idempotency-Key is the event id.
type dueFeed struct {
	consumer *kafka.Consumer
	client   *http.Client
	url      string
}

func (f *dueFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		var ev excessDue
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, strings.NewReader(fmt.Sprint(ev.Amount)))
		if err != nil {
			return err
		}
		req.Header.Set("X-Source-Record", msg.TopicPartition.Offset.String())
		req.Header.Set("Idempotency-Key", "excess-"+ev.EventID)
		resp, err := f.client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// retryFeed: seeks back to the failed record and counts the tries by position; the count only decides how long to wait.
type retryFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	tries    map[string]int
}

func (f *retryFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		at := msg.TopicPartition.String()
		if _, err := f.pool.Exec(ctx, "INSERT INTO quotes (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			f.tries[at]++
			time.Sleep(time.Duration(f.tries[at]) * 100 * time.Millisecond)
			if err := f.consumer.Seek(msg.TopicPartition, 1000); err != nil {
				return err
			}
			continue
		}
		delete(f.tries, at)
		if _, err := f.consumer.StoreMessage(msg); err != nil {
			return err
		}
	}
}

// lagFeed: the watermark minus the offset feeds a gauge and a warning.
type lagFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	lag      atomic.Int64
}

func (f *lagFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		_, high, err := f.consumer.GetWatermarkOffsets(*msg.TopicPartition.Topic, msg.TopicPartition.Partition)
		if err != nil {
			return err
		}
		f.lag.Store(high - int64(msg.TopicPartition.Offset))
		if f.lag.Load() > 5000 {
			slog.Warn("lagging", "high", high, "offset", msg.TopicPartition.Offset)
		}
		if _, err := f.pool.Exec(ctx, "INSERT INTO lagging (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
	}
}

// deadFeed: the dead letter carries the position in its headers and the original error beside it.
type deadFeed struct {
	consumer *kafka.Consumer
	producer *kafka.Producer
	pool     *pgxpool.Pool
}

func (f *deadFeed) Run(ctx context.Context) error {
	deadTopic := "quotes.dlq"
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if _, err := f.pool.Exec(ctx, "INSERT INTO quotes (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			dead := &kafka.Message{
				TopicPartition: kafka.TopicPartition{Topic: &deadTopic, Partition: kafka.PartitionAny},
				Key:            msg.Key,
				Value:          msg.Value,
				Headers: []kafka.Header{
					{Key: "source", Value: []byte(msg.TopicPartition.String())},
					{Key: "source-offset", Value: []byte(msg.TopicPartition.Offset.String())},
					{Key: "error", Value: []byte(err.Error())},
				},
			}
			if err := f.producer.Produce(dead, nil); err != nil {
				return err
			}
		}
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// replaySlice: a bounded replay between two offsets of the command line; records outside are of no interest to it.
func replaySlice(ctx context.Context, consumer *kafka.Consumer, pool *pgxpool.Pool, topic string, from, end kafka.Offset) error {
	if err := consumer.Assign([]kafka.TopicPartition{{Topic: &topic, Partition: 0, Offset: from}}); err != nil {
		return err
	}
	for {
		msg, err := consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if msg.TopicPartition.Offset < from {
			continue
		}
		if msg.TopicPartition.Offset >= end {
			return nil
		}
		if _, err := pool.Exec(ctx, "INSERT INTO replays (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
	}
}
