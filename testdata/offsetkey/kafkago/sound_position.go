package kafkago

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"strconv"
	"sync/atomic"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// lagWatch: high water minus offset is a metric; the record itself is always written.
type lagWatch struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	lag    atomic.Int64
}

func (w *lagWatch) Run(ctx context.Context) error {
	for {
		msg, err := w.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if behind := msg.HighWaterMark - msg.Offset; behind > 10_000 {
			log.Printf("far behind on %s/%d: %d", msg.Topic, msg.Partition, behind)
		}
		w.lag.Store(msg.HighWaterMark - msg.Offset)
		if _, err := w.pool.Exec(ctx, "INSERT INTO readings (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
	}
}

// replayRange: a bounded replay tool stops at the end offset of its flags; that is a range, not a memory of what was done.
func replayRange(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool, from, end int64) error {
	if err := reader.SetOffset(from); err != nil {
		return err
	}
	for {
		msg, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if msg.Offset >= end {
			return nil
		}
		if _, err := pool.Exec(ctx, "INSERT INTO readings (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
	}
}

type crateSealed struct {
	EventID string `json:"event_id"`
	Crate   string `json:"crate"`
}

// crateLoop: the failed record travels to the dead-letter topic with its coordinates in headers; the gate asks for the event id.
type crateLoop struct {
	reader *kafka.Reader
	dead   *kafka.Writer
	pool   *pgxpool.Pool
}

func (l *crateLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.seal(ctx, msg); err != nil {
			dead := kafka.Message{
				Key:   msg.Key,
				Value: msg.Value,
				Headers: append(msg.Headers,
					kafka.Header{Key: "dlq-topic", Value: []byte(msg.Topic)},
					kafka.Header{Key: "dlq-offset", Value: []byte(strconv.FormatInt(msg.Offset, 10))},
					kafka.Header{Key: "dlq-id", Value: fmt.Appendf(nil, "%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)},
				),
			}
			if err := l.dead.WriteMessages(ctx, dead); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (l *crateLoop) seal(ctx context.Context, msg kafka.Message) error {
	var ev crateSealed
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "crates")
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE crates SET seals = seals + 1 WHERE id = $1", ev.Crate); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// commitLedger remembers what is committed and leaves early for an older offset: it saves a request, after the work is done.
type commitLedger struct {
	reader    *kafka.Reader
	committed map[int]int64
}

func (c *commitLedger) commit(ctx context.Context, topic string, partition int, offset int64) error {
	if last, ok := c.committed[partition]; ok && offset <= last {
		return nil
	}
	c.committed[partition] = offset
	return c.reader.CommitMessages(ctx, kafka.Message{Topic: topic, Partition: partition, Offset: offset})
}

// trayLoop: does the work for every record and then asks commitLedger to commit, which alone compares offsets.
type trayLoop struct {
	ledger *commitLedger
	pool   *pgxpool.Pool
}

func (l *trayLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.ledger.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO trays (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
		if err := l.ledger.commit(ctx, msg.Topic, msg.Partition, msg.Offset); err != nil {
			return err
		}
	}
}

// batchTop: keeps the highest record of a batch a partition, only to commit that one.
func batchTop(ctx context.Context, reader *kafka.Reader, pool *pgxpool.Pool, size int) error {
	top := make(map[int]kafka.Message)
	for range size {
		msg, err := reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := pool.Exec(ctx, "INSERT INTO boxes (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
		if high, ok := top[msg.Partition]; !ok || msg.Offset > high.Offset {
			top[msg.Partition] = msg
		}
	}
	for _, msg := range top {
		if err := reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
	return nil
}

type pageAsked struct {
	EventID string `json:"event_id"`
	Shop    string `json:"shop"`
	Limit   int    `json:"limit"`
	Offset  int    `json:"offset"`
}

// pageLoop: limit and offset of a page from the payload; the export is keyed by event id and page, no Kafka offset in it.
type pageLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	done   map[string]bool
}

func (l *pageLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var ev pageAsked
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		page := fmt.Sprintf("%s-%d-%d", ev.EventID, ev.Limit, ev.Offset)
		if l.done[page] {
			continue
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO exports (order_id) SELECT id FROM orders WHERE shop = $1 ORDER BY id LIMIT $2 OFFSET $3", ev.Shop, ev.Limit, ev.Offset); err != nil {
			return err
		}
		l.done[page] = true
	}
}
