// Package sarama consumes Kafka records with sarama (github.com/IBM/sarama) and takes each
// through a [consumer.Processor] before it is marked.
//
//	client, err := sarama.NewClient([]string{"localhost:9092"}, config)
//	if err != nil {
//		return err
//	}
//	defer client.Close()
//	return idemsarama.New(processor).Run(ctx, client, "orders") // until ctx is done
//
// where idemsarama is this package.
package sarama

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/IBM/sarama"

	"github.com/idemlint/idemlint/idem/consumer"
)

const (
	// maxBatch bounds the records of a transaction of HandleBatch.
	maxBatch = 500
	// pause is between two attempts to join the group.
	pause = time.Second
)

// Handler is a [sarama.ConsumerGroupHandler]: it takes the records of a claim, in their
// order, through a processor and marks those that are settled. sarama calls it for all
// claims of a session at once, and commits what is marked.
//
// [Handler.Run] is the loop that goes with it. A loop of one's own, over
// [sarama.ConsumerGroup.Consume], needs a configuration that [Check] accepts, and has to
// end when [Handler.Err] says that a record could not be dead-lettered: that record is not
// marked, and comes again in the next session.
//
// Under a cooperative balance strategy sarama tells of a claim that is taken away by
// closing its Messages alone, which is not seen while a record waits for the end of an
// outage: the group then goes on without this member after Group.Rebalance.Timeout.
type Handler struct {
	processor *consumer.Processor

	mu  sync.Mutex
	err error
}

var _ sarama.ConsumerGroupHandler = (*Handler)(nil)

// New returns a handler for the processor's group.
func New(p *consumer.Processor) *Handler { return &Handler{processor: p} }

// Check returns an error that names the option with which nothing would be acknowledged:
// sarama's auto-commit commits what is marked, and only what is marked, so it must be on.
func Check(cfg *sarama.Config) error {
	if !cfg.Consumer.Offsets.AutoCommit.Enable {
		return errors.New("sarama: Consumer.Offsets.AutoCommit.Enable is false, so marked records would not be committed; set it to true, sarama then commits marked records only")
	}
	return nil
}

// Run consumes the topics until ctx is done, and then returns nil: the records in hand are
// finished or given up within the processor's grace, what is settled is committed, and the
// consumer leaves the group. It returns an error for a client that [Check] refuses, when
// somebody has closed the client, and when a record could not be dead-lettered, which is
// then not committed; that handler cannot be run again. The client is the caller's to
// close, and not to be used by another group.
func (h *Handler) Run(ctx context.Context, client sarama.Client, topics ...string) error {
	if err := Check(client.Config()); err != nil {
		return err
	}
	group, err := sarama.NewConsumerGroupFromClient(h.processor.Group(), client)
	if err != nil {
		return fmt.Errorf("sarama: %w", err)
	}
	defer func() { _ = group.Close() }()
	go func() { // it ends with the group, and has nothing to read unless Return.Errors is set
		for err := range group.Errors() {
			h.processor.Logger().ErrorContext(ctx, "sarama: the group", "error", err)
		}
	}()
	for {
		// One call is one session, which ends with each rebalance.
		err := group.Consume(ctx, topics, h)
		switch {
		case h.Err() != nil:
			return h.Err()
		case ctx.Err() != nil:
			return nil
		case errors.Is(err, sarama.ErrClosedConsumerGroup):
			return fmt.Errorf("sarama: the client was closed while the consumer ran: %w", err)
		case err != nil:
			h.processor.Logger().ErrorContext(ctx, "sarama: the session, another one is tried", "error", err)
			select {
			case <-time.After(pause):
			case <-ctx.Done():
			}
		}
	}
}

// Err returns the error of a record that could not be dead-lettered, nil while there is
// none.
func (h *Handler) Err() error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.err
}

func (h *Handler) fail(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.err = errors.Join(h.err, err)
}

// Setup does nothing.
func (h *Handler) Setup(sarama.ConsumerGroupSession) error { return nil }

// Cleanup does nothing: sarama commits the marks after it.
func (h *Handler) Cleanup(sarama.ConsumerGroupSession) error { return nil }

// ConsumeClaim works on a partition until the session ends, or the claim does. It returns
// an error when a record could not be dead-lettered.
func (h *Handler) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	ctx := session.Context()
	for {
		select {
		case <-ctx.Done():
			return nil
		case m, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			batch := h.gather(m, claim.Messages())
			settled, err := h.processor.Process(ctx, records(batch)...)
			if settled > 0 {
				// Also when the session is ending: it commits the marks before it is over,
				// and the broker refuses them if another generation has begun.
				session.MarkMessage(batch[settled-1], "")
			}
			switch {
			case errors.Is(err, consumer.ErrStopped):
				return nil
			case err != nil:
				h.fail(err)
				return err
			}
		}
	}
}

// gather returns m, and what has been fetched behind it when the processor works on
// batches.
func (h *Handler) gather(m *sarama.ConsumerMessage, messages <-chan *sarama.ConsumerMessage) []*sarama.ConsumerMessage {
	batch := []*sarama.ConsumerMessage{m}
	for h.processor.Batches() && len(batch) < maxBatch {
		select {
		case m, ok := <-messages:
			if !ok {
				return batch
			}
			batch = append(batch, m)
		default:
			return batch
		}
	}
	return batch
}

func records(batch []*sarama.ConsumerMessage) []consumer.Record {
	out := make([]consumer.Record, len(batch))
	for i, m := range batch {
		headers := make([]consumer.Header, len(m.Headers))
		for h, header := range m.Headers {
			headers[h] = consumer.Header{Key: string(header.Key), Value: header.Value}
		}
		out[i] = consumer.Record{Topic: m.Topic, Partition: m.Partition, Offset: m.Offset, Key: m.Key, Value: m.Value, Headers: headers, Timestamp: m.Timestamp}
	}
	return out
}
