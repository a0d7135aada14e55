// Package kafkago consumes Kafka records with kafka-go (github.com/segmentio/kafka-go) and
// takes each through a [consumer.Processor] before it is committed.
//
//	c, err := kafkago.New(processor, kafka.ReaderConfig{Brokers: []string{"localhost:9092"}, Topic: "orders"})
//	if err != nil {
//		return err
//	}
//	return c.Run(ctx) // until ctx is done
package kafkago

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/segmentio/kafka-go"

	"github.com/idemlint/idemlint/idem/consumer"
)

const (
	// maxBatch bounds the records of a transaction of HandleBatch.
	maxBatch = 500
	// batchWait is how long a batch waits for its next record: what the reader has
	// fetched already comes at once.
	batchWait = 5 * time.Millisecond
)

// Consumer is a member of a consumer group.
//
// It works on the group's generations instead of a [kafka.Reader] with a group: that one
// commits under whatever generation is the current one, so a record which was fetched
// before a rebalance would be committed for a partition that is somebody else's by then,
// and move the other's offset back. Here the broker refuses such a commit.
type Consumer struct {
	processor *consumer.Processor
	reader    kafka.ReaderConfig
	group     kafka.ConsumerGroupConfig
}

// New returns a consumer of the processor's group. cfg is what a [kafka.Reader] would get:
// the brokers, Topic or GroupTopics, and what else the user needs; GroupID may be left
// out. It returns an error for a cfg that asks for another group, for commits at an
// interval (CommitInterval), or that kafka-go refuses.
func New(p *consumer.Processor, cfg kafka.ReaderConfig) (*Consumer, error) {
	switch {
	case cfg.GroupID != "" && cfg.GroupID != p.Group():
		return nil, fmt.Errorf("kafkago: ReaderConfig.GroupID is %q and the processor's group %q; leave GroupID out", cfg.GroupID, p.Group())
	case cfg.CommitInterval != 0:
		return nil, fmt.Errorf("kafkago: ReaderConfig.CommitInterval is %s; leave it 0, records are committed one by one after their transactions", cfg.CommitInterval)
	}
	cfg.GroupID = p.Group()
	if err := cfg.Validate(); err != nil {
		return nil, fmt.Errorf("kafkago: %w", err)
	}
	topics := cfg.GroupTopics
	if len(topics) == 0 {
		topics = []string{cfg.Topic}
	}
	group := kafka.ConsumerGroupConfig{
		ID: cfg.GroupID, Brokers: cfg.Brokers, Dialer: cfg.Dialer, Topics: topics,
		GroupBalancers: cfg.GroupBalancers, HeartbeatInterval: cfg.HeartbeatInterval,
		PartitionWatchInterval: cfg.PartitionWatchInterval, WatchPartitionChanges: cfg.WatchPartitionChanges,
		SessionTimeout: cfg.SessionTimeout, RebalanceTimeout: cfg.RebalanceTimeout, JoinGroupBackoff: cfg.JoinGroupBackoff,
		RetentionTime: cfg.RetentionTime, StartOffset: cfg.StartOffset, Logger: cfg.Logger, ErrorLogger: cfg.ErrorLogger,
	}
	if err := group.Validate(); err != nil {
		return nil, fmt.Errorf("kafkago: %w", err)
	}
	cfg.GroupID, cfg.GroupTopics = "", nil // the readers are for one partition each
	return &Consumer{p, cfg, group}, nil
}

// Run consumes until ctx is done, and then returns nil: the records in hand are finished
// or given up within the processor's grace, what is settled is committed, and the consumer
// leaves the group. It returns an error when a record could not be dead-lettered, which is
// then not committed. It may be called again when it has returned.
//
// The partitions are worked on side by side, each in its order.
func (c *Consumer) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	failed := make(chan error, 1) // the first partition's error
	group, err := kafka.NewConsumerGroup(c.group)
	if err != nil {
		return fmt.Errorf("kafkago: %w", err)
	}
	for ctx.Err() == nil {
		generation, err := group.Next(ctx)
		switch {
		case ctx.Err() != nil:
			continue
		case err != nil:
			// The group joins again by itself, after a pause.
			c.processor.Logger().ErrorContext(ctx, "kafkago: the group", "group", c.group.ID, "error", err)
			continue
		}
		for topic, partitions := range generation.Assignments {
			for _, p := range partitions {
				generation.Start(func(ctx context.Context) {
					if err := c.consume(ctx, generation, topic, p); err != nil {
						select {
						case failed <- err:
						default:
						}
						cancel()
					}
				})
			}
		}
	}
	// Close ends the generation, waits until its partitions are done, and leaves the group.
	if err := group.Close(); err != nil {
		return fmt.Errorf("kafkago: %w", err)
	}
	select {
	case err := <-failed:
		return err
	default:
		return nil
	}
}

// consume works on a partition until the generation ends, as it does when the group
// rebalances, when the consumer stops, and when one of its partitions returns.
func (c *Consumer) consume(ctx context.Context, generation *kafka.Generation, topic string, p kafka.PartitionAssignment) error {
	cfg := c.reader
	cfg.Topic, cfg.Partition = topic, p.ID
	reader := kafka.NewReader(cfg)
	defer func() { _ = reader.Close() }()
	if err := reader.SetOffset(p.Offset); err != nil {
		return fmt.Errorf("kafkago: %s/%d: %w", topic, p.ID, err)
	}
	for {
		batch, err := c.fetch(ctx, reader)
		if ctx.Err() != nil {
			return nil
		}
		if err != nil {
			// The reader goes on by itself, and to stop would not help the partition.
			c.processor.Logger().ErrorContext(ctx, "kafkago: fetch", "topic", topic, "partition", p.ID, "error", err)
			continue
		}
		settled, err := c.processor.Process(ctx, batch...)
		if settled > 0 {
			// An error loses nothing: after a rebalance the new owner finds duplicates, and
			// otherwise the next commit makes it good.
			next := batch[settled-1].Offset + 1
			if err := generation.CommitOffsets(map[string]map[int]int64{topic: {p.ID: next}}); err != nil {
				c.processor.Logger().ErrorContext(ctx, "kafkago: the offset is not committed, records may come again", "topic", topic, "partition", p.ID, "offset", next, "error", err)
			}
		}
		switch {
		case errors.Is(err, consumer.ErrStopped):
			return nil
		case err != nil:
			return err
		}
	}
}

// fetch returns the next record, and those that are there with it when the processor works
// on batches.
func (c *Consumer) fetch(ctx context.Context, reader *kafka.Reader) ([]consumer.Record, error) {
	m, err := reader.FetchMessage(ctx)
	if err != nil {
		return nil, err
	}
	batch := []consumer.Record{record(m)}
	for c.processor.Batches() && len(batch) < maxBatch {
		soon, cancel := context.WithTimeout(ctx, batchWait)
		m, err := reader.FetchMessage(soon)
		cancel()
		if err != nil {
			break // none soon, or an error that the reader meets again
		}
		batch = append(batch, record(m))
	}
	return batch, nil
}

func record(m kafka.Message) consumer.Record {
	headers := make([]consumer.Header, len(m.Headers))
	for i, h := range m.Headers {
		headers[i] = consumer.Header{Key: h.Key, Value: h.Value}
	}
	return consumer.Record{Topic: m.Topic, Partition: int32(m.Partition), Offset: m.Offset, Key: m.Key, Value: m.Value, Headers: headers, Timestamp: m.Time}
}
