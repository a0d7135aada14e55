// Package franz consumes Kafka records with franz-go (github.com/twmb/franz-go) and takes
// each through a [consumer.Processor] before it is committed.
//
//	c, err := franz.New(processor, kgo.SeedBrokers("localhost:9092"), kgo.ConsumeTopics("orders"))
//	if err != nil {
//		return err
//	}
//	return c.Run(ctx) // until ctx is done
package franz

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/idemlint/idemlint/idem/consumer"
)

const (
	// maxPoll bounds the records of a poll, and with them a transaction of HandleBatch and
	// what is delivered again after a crash.
	maxPoll = 500
	// commitTimeout bounds a commit, which is also done while the consumer stops.
	commitTimeout = 10 * time.Second
)

// Consumer is a member of a consumer group.
type Consumer struct {
	processor *consumer.Processor
	client    *kgo.Client
	// blocked is signaled when a rebalance waits for the poll in hand.
	blocked chan struct{}
}

// New returns a consumer with a client of its own, made with opts: the seed brokers, the
// topics, and what else the user needs. It joins the processor's group, commits by itself
// alone (DisableAutoCommit), and holds rebalances up while it works on a poll
// (BlockRebalanceOnPoll and OnPartitionsCallbackBlocked, which replaces one in opts), so
// that it never commits for a partition that it has lost. It returns an error for options
// that contradict this, and those of the client. The caller runs the consumer, or closes
// its client.
func New(p *consumer.Processor, opts ...kgo.Opt) (*Consumer, error) {
	c := &Consumer{processor: p, blocked: make(chan struct{}, 1)}
	all := append([]kgo.Opt{kgo.ConsumerGroup(p.Group()), kgo.DisableAutoCommit(), kgo.BlockRebalanceOnPoll()}, opts...)
	client, err := kgo.NewClient(append(all, kgo.OnPartitionsCallbackBlocked(c.hurry))...)
	if err != nil {
		return nil, fmt.Errorf("franz: the client's options: %w", err)
	}
	if group := client.OptValue(kgo.ConsumerGroup); group != p.Group() {
		client.Close()
		return nil, fmt.Errorf("franz: the option ConsumerGroup is %q and the processor's group %q; leave the option out", group, p.Group())
	}
	c.client = client
	return c, nil
}

// Client returns the consumer's client, for its metrics or its administration. It must
// not be polled.
func (c *Consumer) Client() *kgo.Client { return c.client }

// hurry asks the work in hand to come to an end. A signal that nobody takes stays, for a
// rebalance may block before the work has begun.
func (c *Consumer) hurry(context.Context, *kgo.Client) {
	select {
	case c.blocked <- struct{}{}:
	default:
	}
}

// Run consumes until ctx is done, and then returns nil: the records in hand are finished
// or given up within the processor's grace, what is settled is committed, and the consumer
// leaves the group. It returns an error when a record could not be dead-lettered, which is
// then not committed, and when somebody else has closed the client. The consumer cannot be
// run again.
//
// The partitions of a poll are worked on side by side, each in its order; a processor with
// HandleBatch gets the whole poll at once. The next poll waits for all of them: a record
// that has to wait for the end of an outage holds this consumer's other partitions up.
func (c *Consumer) Run(ctx context.Context) error {
	defer c.client.CloseAllowingRebalance()
	for {
		fetches := c.client.PollRecords(ctx, maxPoll)
		if fetches.IsClientClosed() {
			return errors.New("franz: the client was closed while the consumer ran")
		}
		if ctx.Err() != nil {
			return nil // records that came with it are not committed, and come again
		}
		fetches.EachError(func(topic string, partition int32, err error) {
			// The client goes on by itself, and to stop would not help the partition.
			c.processor.Logger().ErrorContext(ctx, "franz: fetch", "topic", topic, "partition", partition, "error", err)
		})
		if err := c.work(ctx, fetches); err != nil {
			return err
		}
		c.client.AllowRebalance()
	}
}

// work takes a poll through the processor. No partition can be lost meanwhile, unless the
// group has expelled this member.
func (c *Consumer) work(ctx context.Context, fetches kgo.Fetches) error {
	polled, hurry := context.WithCancel(ctx)
	defer hurry()
	go func() {
		select {
		case <-c.blocked:
			hurry()
		case <-polled.Done():
		}
	}()

	lanes := c.lanes(fetches)
	settled := make([]int, len(lanes))
	errs := make([]error, len(lanes))
	var wg sync.WaitGroup
	for i, lane := range lanes {
		wg.Go(func() {
			settled[i], errs[i] = c.processor.Process(polled, records(lane)...)
			if errs[i] != nil {
				hurry() // the poll is not completed, so the other lanes need not be
			}
		})
	}
	wg.Wait()

	var done, undone []*kgo.Record
	var failed error
	for i, lane := range lanes {
		done = append(done, lane[:settled[i]]...)
		undone = append(undone, lane[settled[i]:]...)
		if err := errs[i]; err != nil && !errors.Is(err, consumer.ErrStopped) {
			failed = errors.Join(failed, err)
		}
	}
	c.commit(ctx, done)
	c.rewind(undone)
	return failed
}

// lanes returns what is worked on side by side.
func (c *Consumer) lanes(fetches kgo.Fetches) [][]*kgo.Record {
	if c.processor.Batches() {
		return [][]*kgo.Record{fetches.Records()}
	}
	var lanes [][]*kgo.Record
	fetches.EachPartition(func(p kgo.FetchTopicPartition) {
		if len(p.Records) > 0 {
			lanes = append(lanes, p.Records)
		}
	})
	return lanes
}

// commit commits records whose transactions are committed. An error loses nothing: the
// next commit of the partition makes it good, or whoever owns the partition next finds
// duplicates.
func (c *Consumer) commit(ctx context.Context, done []*kgo.Record) {
	if len(done) == 0 {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), commitTimeout)
	defer cancel()
	if err := c.client.CommitRecords(ctx, done...); err != nil {
		c.processor.Logger().ErrorContext(ctx, "franz: the offsets are not committed, the records may come again", "records", len(done), "error", err)
	}
}

// rewind makes the client fetch again what it has handed out and nobody has worked on: if
// the partition stays here, the next poll would otherwise begin behind it, and the commit
// of that poll would lose it.
func (c *Consumer) rewind(undone []*kgo.Record) {
	offsets := map[string]map[int32]kgo.EpochOffset{}
	for _, r := range undone {
		if offsets[r.Topic] == nil {
			offsets[r.Topic] = map[int32]kgo.EpochOffset{}
		}
		if first, ok := offsets[r.Topic][r.Partition]; !ok || r.Offset < first.Offset {
			offsets[r.Topic][r.Partition] = kgo.EpochOffset{Epoch: r.LeaderEpoch, Offset: r.Offset}
		}
	}
	c.client.SetOffsets(offsets)
}

func records(lane []*kgo.Record) []consumer.Record {
	out := make([]consumer.Record, len(lane))
	for i, r := range lane {
		headers := make([]consumer.Header, len(r.Headers))
		for h, header := range r.Headers {
			headers[h] = consumer.Header(header)
		}
		out[i] = consumer.Record{Topic: r.Topic, Partition: r.Partition, Offset: r.Offset, Key: r.Key, Value: r.Value, Headers: headers, Timestamp: r.Timestamp}
	}
	return out
}
