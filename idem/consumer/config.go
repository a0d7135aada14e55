package consumer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/idemlint/idemlint/idem"
)

// Config says how a [Processor] works. Tx is the type of the store's transactions, E the
// type of a decoded event. Store, Group, Decode, ID, DeadLetter and one of Handle and
// HandleBatch must be set.
type Config[Tx, E any] struct {
	// Store remembers which events were processed.
	Store *idem.Store[Tx]
	// Group is the consumer group, the one that the client joins: each group does its own
	// work once.
	Group string
	// Decode makes an event of a record's value. It gets no headers: they are lost by
	// replays, mirrors and dead-letter tools, so nothing that the event needs may live
	// there. An error sends the record to DeadLetter, [ErrSkip] settles it unseen.
	Decode func(value []byte) (E, error)
	// ID returns the event's id, a field of the payload.
	ID func(e E) string
	// Handle does an event's work in tx. It is called again when it fails or when the
	// transaction does, so it must not change e. Its context carries the event, see
	// [idem.EventFrom], and outlives the consumer's by Grace.
	Handle func(ctx context.Context, tx Tx, e E) error
	// HandleBatch does the work of all new events of a poll in one transaction, see
	// [idem.Store.ProcessBatch]. When it fails it is called for each of them alone, and
	// those that fail alone are retried and dead-lettered like single ones, while the
	// others, also later ones of the same partition, are done.
	HandleBatch func(ctx context.Context, tx Tx, fresh []E) error
	// Classify says whose fault an error of the handler or of the commit is. The default
	// is [Classify].
	Classify func(err error) Verdict
	// MaxAttempts is how often an event may fail by its own fault before it is
	// dead-lettered. The default is 5.
	MaxAttempts int
	// Backoff is the pause before the second attempt; it doubles with each further one up
	// to MaxBackoff, and is shortened by up to a half at random. The defaults are 200 ms
	// and 10 s.
	Backoff, MaxBackoff time.Duration
	// DeadLetter keeps a record that cannot be processed, in a dead-letter topic or a
	// table. The record is acknowledged when it returns nil; an error stops the consumer.
	// It is called again for the same record when the acknowledgement is lost.
	DeadLetter func(ctx context.Context, f Failed) error
	// Grace is how long the attempt in hand may still run once the consumer is stopped or
	// is to give the partition up. It must be shorter than the time that the group, and
	// whoever kills the process, waits. The default is 10 s.
	Grace time.Duration
	// Logger gets retries as warnings and dead letters as errors. The default discards
	// them.
	Logger *slog.Logger
}

// ErrSkip is what Decode returns, possibly wrapped, for a record that is none of the
// consumer's business, such as a tombstone. The record is acknowledged and forgotten.
var ErrSkip = errors.New("consumer: the record is skipped")

// Record is a Kafka record, whatever client has read it.
type Record struct {
	Topic string
	// Partition and Offset are -1 where the client does not tell.
	Partition int32
	Offset    int64
	Key       []byte
	Value     []byte
	Headers   []Header
	// Timestamp is the producer's or the broker's, as the topic is configured.
	Timestamp time.Time
}

// Header is one header of a record. Names may repeat.
type Header struct {
	Key   string
	Value []byte
}

// String returns "topic/partition@offset", for logs and errors.
func (r Record) String() string { return fmt.Sprintf("%s/%d@%d", r.Topic, r.Partition, r.Offset) }

// Failed is a record that could not be processed.
type Failed struct {
	Record Record
	// EventID is the event's id, "" where it could not be read.
	EventID string
	// Attempts is how often the work has failed, 0 for a record that was turned away
	// before it.
	Attempts int
	// Err is why, the last attempt's error.
	Err error
}

func (c Config[Tx, E]) withDefaults() (Config[Tx, E], error) {
	missing := ""
	switch {
	case c.Store == nil:
		missing = "Store"
	case c.Group == "":
		missing = "Group"
	case c.Decode == nil:
		missing = "Decode"
	case c.ID == nil:
		missing = "ID"
	case c.DeadLetter == nil:
		missing = "DeadLetter"
	}
	if missing != "" {
		return c, fmt.Errorf("consumer: Config.%s is not set", missing)
	}
	if (c.Handle == nil) == (c.HandleBatch == nil) {
		return c, errors.New("consumer: one of Config.Handle and Config.HandleBatch must be set, and only one")
	}
	if c.MaxAttempts < 0 || c.Backoff < 0 || c.MaxBackoff < 0 || c.Grace < 0 {
		return c, errors.New("consumer: Config.MaxAttempts, Backoff, MaxBackoff and Grace must not be negative")
	}
	if c.Classify == nil {
		c.Classify = Classify
	}
	if c.MaxAttempts == 0 {
		c.MaxAttempts = 5
	}
	if c.Backoff == 0 {
		c.Backoff = 200 * time.Millisecond
	}
	if c.MaxBackoff == 0 {
		c.MaxBackoff = 10 * time.Second
	}
	if c.Grace == 0 {
		c.Grace = 10 * time.Second
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return c, nil
}
