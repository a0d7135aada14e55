package idem

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"regexp"
	"time"
)

// Schema is the shape of the dedup table.
type Schema int

const (
	// Partitioned is a table that is partitioned by range of the event id, which must be a
	// UUID of version 7. Old ids leave by whole partitions, and an id whose partition is
	// gone is refused rather than processed again.
	Partitioned Schema = iota
	// Plain is one table for ids of any text. It has no fence: an event that comes again
	// after its row was deleted is processed again.
	Plain
)

// String returns the schema's name.
func (s Schema) String() string {
	if s == Plain {
		return "plain"
	}
	return "partitioned"
}

// Config says how a [Store] works. Retention must be set on the partitioned schema; every
// other field has a default.
type Config struct {
	// Table is the dedup table, "table" or "schema.table" in lower case. The default is
	// processed_event.
	Table string
	// Schema is the table's shape.
	Schema Schema
	// Retention is how long an event is remembered, counted from the creation of its id.
	// It must exceed the topic's retention, the longest delay of the outbox, the longest
	// replay of a dead-letter topic and the clocks' skew together. On the plain schema it
	// counts from the processing, and 0 keeps the rows for ever.
	Retention time.Duration
	// Skew is how far a producer's clock may be ahead of this one. The default is 5
	// minutes. The partitioned schema refuses ids from further ahead.
	Skew time.Duration
	// Isolation is the level of the transactions that the store begins. The default is
	// READ COMMITTED, at which a delivery that waited for another one's commit sees its
	// row; at higher levels it fails with 40001 and is retried.
	Isolation sql.IsolationLevel
	// LockTimeout bounds the wait for a lock in the transactions that the store begins,
	// such as the wait for a consumer that holds the same event and does not come to an
	// end. The event is then retried. 0 leaves the server's setting. PostgreSQL only.
	LockTimeout time.Duration
	// MaxAttempts is how often a transaction is tried in all, the first time included. The
	// default is 5.
	MaxAttempts int
	// Backoff is the longest pause before the second attempt. It doubles with each further
	// one up to a second; the pause is a random part of it. The default is 20 ms.
	Backoff time.Duration
	// Logger gets retries, refusals and duplicates. The default discards them.
	Logger *slog.Logger
	// Observer is told what happens, for metrics.
	Observer Observer
	// Now is the clock. The default is time.Now.
	Now func() time.Time
}

// Observer is told what a [Store] does. Each function may be nil; they are called from
// the goroutines that use the store and must be quick. Package otelidem makes one for
// OpenTelemetry.
type Observer struct {
	// Outcome is told what became of an event. age is the time since the creation of its
	// id, or 0 where the id does not tell. [Store.TryMarkProcessed] reports duplicates and
	// refusals only, since whether the mark will be committed is the caller's business.
	Outcome func(ctx context.Context, e Event, o Outcome, age time.Duration)
	// Claimed is told how long a claim of n events took, which is mostly the wait for
	// other transactions that hold one of them.
	Claimed func(ctx context.Context, group string, n int, took time.Duration)
	// Retry is told that a transaction will be tried again, and because of which code of
	// the database: a SQLSTATE, or "connection" where the connection was lost.
	Retry func(ctx context.Context, group, code string)
	// Process is told that [Store.Process] begins, before anything else is done. It returns
	// the context in which all of it is done, the work and the calls of the other functions
	// included, and a function, not nil, that is told what Process returns. That one gets
	// Unknown without an error while a panic of the work passes through.
	Process func(ctx context.Context, e Event) (context.Context, func(Outcome, error))
	// Batch is Process for [Store.ProcessBatch]. Its function gets no results and no error
	// while a panic of the work passes through.
	Batch func(ctx context.Context, events []Event) (context.Context, func([]Result, error))
}

// maxText is the longest id and the longest group in bytes: what the key of every
// supported database can hold.
const maxText = 255

var tableName = regexp.MustCompile(`^([a-z_][a-z0-9_]{0,62}\.)?[a-z_][a-z0-9_]{0,39}$`)

// WithDefaults returns c with its defaults filled in, or an error that names the field
// which cannot be used and says what it should hold.
func (c Config) WithDefaults() (Config, error) {
	if c.Table == "" {
		c.Table = "processed_event"
	}
	if !tableName.MatchString(c.Table) {
		return c, fmt.Errorf("idem: Config.Table is %q; it must be a name of lower-case letters, digits and _ with at most 40 characters, after a schema and a dot if need be", c.Table)
	}
	switch c.Schema {
	case Partitioned:
		if c.Retention <= 0 {
			return c, errors.New("idem: Config.Retention is not set; the partitioned schema needs it: longer than the topic's retention, the outbox's delay, the longest replay of a dead-letter topic and the clocks' skew together")
		}
	case Plain:
		if c.Retention < 0 {
			return c, fmt.Errorf("idem: Config.Retention is %s; it must not be negative", c.Retention)
		}
	default:
		return c, fmt.Errorf("idem: Config.Schema is %d; it must be Partitioned or Plain", c.Schema)
	}
	if c.Skew == 0 {
		c.Skew = 5 * time.Minute
	}
	if c.MaxAttempts == 0 {
		c.MaxAttempts = 5
	}
	if c.Backoff == 0 {
		c.Backoff = 20 * time.Millisecond
	}
	for name, d := range map[string]time.Duration{"Skew": c.Skew, "LockTimeout": c.LockTimeout, "Backoff": c.Backoff, "MaxAttempts": time.Duration(c.MaxAttempts)} {
		if d < 0 {
			return c, fmt.Errorf("idem: Config.%s is negative", name)
		}
	}
	switch c.Isolation {
	case sql.LevelDefault:
		c.Isolation = sql.LevelReadCommitted
	case sql.LevelReadCommitted, sql.LevelRepeatableRead, sql.LevelSerializable:
	default:
		return c, fmt.Errorf("idem: Config.Isolation is %s; it must be Read Committed, Repeatable Read or Serializable", c.Isolation)
	}
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	if c.Now == nil {
		c.Now = time.Now
	}
	return c, nil
}
