// Package confluent consumes Kafka records with confluent-kafka-go
// (github.com/confluentinc/confluent-kafka-go/v2) and takes each through a
// [consumer.Processor] before its offset is stored.
//
//	c, err := confluent.New(processor, kafka.ConfigMap{"bootstrap.servers": "localhost:9092"}, "orders")
//	if err != nil {
//		return err
//	}
//	return c.Run(ctx) // until ctx is done
package confluent

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/idemlint/idemlint/idem/consumer"
)

const (
	// maxBatch bounds the records of a transaction of HandleBatch.
	maxBatch = 500
	// pollTimeout bounds the time until Run notices that it is to stop.
	pollTimeout = 100 * time.Millisecond
	// keepAlive is how often the client is polled while a record is in hand: rebalances
	// are served by polls alone, and who does not poll for max.poll.interval.ms is expelled.
	keepAlive = 500 * time.Millisecond
)

// Consumer is a member of a consumer group.
//
// It stores the offset of a record after its transaction (enable.auto.offset.store is
// false), and leaves it to librdkafka to commit what is stored: at auto.commit.interval.ms,
// before it gives a partition up, and when it closes. librdkafka refuses to store for a
// partition that is not assigned.
type Consumer struct {
	processor *consumer.Processor
	client    *kafka.Consumer
	topics    []string
	// hand is the batch that is being worked on, nil between two. It belongs to the
	// goroutine of Run, as do the calls of rebalance, which polls make.
	hand *hand
}

// hand is a batch on its way through the processor.
type hand struct {
	batch   []*kafka.Message
	stop    context.CancelFunc
	done    chan struct{} // closed when settled and err are set
	settled int
	err     error
	stored  bool
}

// New returns a consumer with a client of its own, made with cfg: bootstrap.servers and
// what else the user needs; group.id may be left out. It returns an error, which names the
// option, for a cfg that asks for another group, that acknowledges by itself
// (enable.auto.offset.store), or that never commits what is stored (enable.auto.commit),
// and the client's own errors. The caller runs the consumer, or closes its client.
func New(p *consumer.Processor, cfg kafka.ConfigMap, topics ...string) (*Consumer, error) {
	cfg = maps.Clone(cfg)
	for _, option := range []struct {
		name, value, why string
	}{
		{"group.id", p.Group(), "that is the processor's group"},
		{"enable.auto.offset.store", "false", "with true a record is acknowledged before its transaction"},
		{"enable.auto.commit", "true", "it commits stored offsets only, and with false they would not be committed"},
		{"go.events.channel.enable", "false", "the consumer polls"},
	} {
		if set, ok := cfg[option.name]; ok && fmt.Sprint(set) != option.value {
			return nil, fmt.Errorf("confluent: the option %s is %v; leave it out or set it to %s: %s", option.name, set, option.value, option.why)
		}
	}
	cfg["group.id"], cfg["enable.auto.offset.store"] = p.Group(), false
	client, err := kafka.NewConsumer(&cfg)
	if err != nil {
		return nil, fmt.Errorf("confluent: %w", err)
	}
	return &Consumer{processor: p, client: client, topics: topics}, nil
}

// Client returns the consumer's client, for its metrics or its administration. It must
// not be polled.
func (c *Consumer) Client() *kafka.Consumer { return c.client }

// Run consumes until ctx is done, and then returns nil: the records in hand are finished
// or given up within the processor's grace, what is settled is committed, and the consumer
// leaves the group. It returns an error when the topics cannot be subscribed to, when the
// client has failed for good, and when a record could not be dead-lettered, which is then
// not committed. The consumer cannot be run again.
//
// The records of all partitions are worked on one after the other.
func (c *Consumer) Run(ctx context.Context) (err error) {
	defer func() {
		if closing := c.client.Close(); closing != nil {
			err = errors.Join(err, fmt.Errorf("confluent: %w", closing))
		}
	}()
	if err := c.client.SubscribeTopics(c.topics, c.rebalance); err != nil {
		return fmt.Errorf("confluent: subscribe to %v: %w", c.topics, err)
	}
	for ctx.Err() == nil {
		first, err := c.poll(pollTimeout)
		if err != nil {
			return err
		}
		if first == nil {
			continue
		}
		batch := []*kafka.Message{first}
		for c.processor.Batches() && len(batch) < maxBatch {
			m, err := c.poll(0)
			if err != nil {
				return err
			}
			if m == nil {
				break
			}
			batch = append(batch, m)
		}
		if err := c.work(ctx, batch); err != nil {
			return err
		}
	}
	return nil
}

// poll returns the next record, or nil when there is none within the timeout. The error is
// one from which the client does not recover.
func (c *Consumer) poll(timeout time.Duration) (*kafka.Message, error) {
	switch event := c.client.Poll(int(timeout / time.Millisecond)).(type) {
	case *kafka.Message:
		if err := event.TopicPartition.Error; err != nil {
			c.processor.Logger().Error("confluent: fetch", "partition", event.TopicPartition.String(), "error", err)
			return nil, nil
		}
		return event, nil
	case kafka.Error:
		if event.IsFatal() {
			return nil, fmt.Errorf("confluent: the client cannot go on: %w", event)
		}
		c.processor.Logger().Error("confluent: the client goes on after an error", "error", event)
	}
	return nil, nil
}

// work takes a batch through the processor, and polls the client meanwhile.
func (c *Consumer) work(parent context.Context, batch []*kafka.Message) error {
	ctx, stop := context.WithCancel(parent)
	defer stop()
	h := &hand{batch: batch, stop: stop, done: make(chan struct{})}
	c.hand = h
	go func() {
		defer close(h.done)
		h.settled, h.err = c.processor.Process(ctx, records(batch)...)
	}()
	err := c.await(h)
	c.hand = nil
	c.store(h)
	if !errors.Is(h.err, consumer.ErrStopped) {
		return errors.Join(err, h.err)
	}
	if err != nil || parent.Err() != nil {
		return err
	}
	return c.rewind(batch[h.settled:]) // a rebalance has stopped it
}

// await waits until the batch is done. A quick one costs nothing; for a slow one the
// partitions are paused, so that the client can be polled without handing out more.
func (c *Consumer) await(h *hand) error {
	ticker := time.NewTicker(keepAlive)
	defer ticker.Stop()
	var paused []kafka.TopicPartition
	defer func() { _ = c.client.Resume(paused) }() // those that are gone need no resuming
	for {
		select {
		case <-h.done:
			return nil
		case <-ticker.C:
		}
		if assigned, err := c.client.Assignment(); err == nil {
			paused = assigned // again each time, for a rebalance may have brought new ones
			_ = c.client.Pause(paused)
		}
		early, err := c.poll(0)
		if early != nil { // of a partition that a rebalance has brought just now
			err = c.rewind([]*kafka.Message{early})
		}
		if err != nil {
			h.stop()
			<-h.done
			return err
		}
	}
}

// rebalance is called by a poll. Before partitions of the batch in hand are given up it is
// brought to an end and stored: librdkafka commits what is stored when this returns. The
// assignment itself is left to the client.
func (c *Consumer) rebalance(_ *kafka.Consumer, event kafka.Event) error {
	revoked, ok := event.(kafka.RevokedPartitions)
	if !ok || c.hand == nil || !c.hand.touches(revoked.Partitions) {
		return nil
	}
	c.hand.stop()
	<-c.hand.done
	c.store(c.hand)
	return nil
}

func (h *hand) touches(partitions []kafka.TopicPartition) bool {
	for _, m := range h.batch {
		for _, p := range partitions {
			if of(p) == of(m.TopicPartition) {
				return true
			}
		}
	}
	return false
}

// partition is a comparable name of one.
type partition struct {
	topic string
	id    int32
}

func of(p kafka.TopicPartition) partition { return partition{*p.Topic, p.Partition} }

// store stores the offsets behind the settled records, once. An error is of a partition
// that is no longer assigned: whoever has it finds duplicates.
func (c *Consumer) store(h *hand) {
	if h.stored {
		return
	}
	h.stored = true
	last := map[partition]kafka.TopicPartition{}
	for _, m := range h.batch[:h.settled] {
		next := m.TopicPartition
		next.Offset++
		last[of(next)] = next
	}
	for _, next := range last {
		if _, err := c.client.StoreOffsets([]kafka.TopicPartition{next}); err != nil {
			c.processor.Logger().Warn("confluent: the offset is not stored, records may come again", "partition", next.String(), "error", err)
		}
	}
}

// rewind makes the client deliver records again, those of partitions that are still
// assigned: the next record would otherwise be one behind them, and its offset lose them.
// So an error must end the consumer.
func (c *Consumer) rewind(batch []*kafka.Message) error {
	assigned, err := c.client.Assignment()
	if err != nil {
		return fmt.Errorf("confluent: the assignment: %w", err)
	}
	here := map[partition]bool{}
	for _, p := range assigned {
		here[of(p)] = true
	}
	for _, m := range batch {
		p := m.TopicPartition
		if !here[of(p)] {
			continue
		}
		here[of(p)] = false // the first record of a partition takes the others along
		sought, err := c.client.SeekPartitions([]kafka.TopicPartition{p})
		if err == nil && len(sought) == 1 {
			err = sought[0].Error
		}
		if err != nil {
			return fmt.Errorf("confluent: no return to record %s, which was not processed: %w", p, err)
		}
	}
	return nil
}

func records(batch []*kafka.Message) []consumer.Record {
	out := make([]consumer.Record, len(batch))
	for i, m := range batch {
		headers := make([]consumer.Header, len(m.Headers))
		for h, header := range m.Headers {
			headers[h] = consumer.Header{Key: header.Key, Value: header.Value}
		}
		out[i] = consumer.Record{Topic: *m.TopicPartition.Topic, Partition: m.TopicPartition.Partition, Offset: int64(m.TopicPartition.Offset), Key: m.Key, Value: m.Value, Headers: headers, Timestamp: m.Timestamp}
	}
	return out
}
