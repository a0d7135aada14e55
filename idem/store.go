package idem

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"
)

// Store remembers which events were processed. Tx is the type of the transactions of its
// [Driver], such as pgx.Tx or *sql.Tx. A Store is safe for use by several goroutines.
type Store[Tx any] struct {
	driver Driver[Tx]
	cfg    Config
}

// New returns a store that works through driver. It fails when cfg holds something that
// cannot be used or that the database cannot do. It does not ask the database.
func New[Tx any](driver Driver[Tx], cfg Config) (*Store[Tx], error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if err := driver.Check(cfg); err != nil {
		return nil, err
	}
	return &Store[Tx]{driver, cfg}, nil
}

// Config returns the store's configuration with its defaults filled in.
func (s *Store[Tx]) Config() Config { return s.cfg }

// TryMarkProcessed records in the caller's transaction that group processes the event id,
// and returns whether this is the first time. When it returns false the caller does
// nothing and acknowledges the record. The mark is there when the caller commits, and is
// gone when the caller rolls back; it must be the first statement of the transaction, so
// that two consumers that hold the same events wait for each other and don't deadlock.
//
// While another transaction holds the same event it waits for that one's end. A
// [RefusedError] has not touched the transaction, except where the table had no partition
// for the id: then, as after any other error, the transaction is to be rolled back.
func (s *Store[Tx]) TryMarkProcessed(ctx context.Context, tx Tx, id, group string) (first bool, err error) {
	given := Event{ID: id, Group: group}
	e, err := s.cfg.admit(given, s.cfg.Now())
	if err != nil {
		s.report(ctx, e, Refusal(err), err)
		return false, err
	}
	begun := time.Now()
	firsts, err := s.driver.Claim(ctx, s.cfg, tx, []Event{e})
	if err != nil {
		err = s.claimError([]Event{e}, err)
		s.report(ctx, e, Refusal(err), err)
		return false, err
	}
	s.claimed(ctx, []Event{e}, begun)
	if !firsts[0] {
		s.report(ctx, e, Duplicate, nil)
	}
	return firsts[0], nil
}

// Process runs work for an event that its group has not processed yet, in a transaction
// of its own that also records the event, and returns what became of it. The transaction
// claims the event before anything else; work gets the transaction, and a context that
// carries the event (see [EventFrom]). It must write through tx alone and neither commit
// nor roll back. A panic in work rolls back and goes on.
//
// The transaction is tried again, with work in it, when the database gives it up for
// reasons of timing, and when the connection breaks before work has begun or during the
// COMMIT: if that one has succeeded, the retry finds the event recorded and the outcome
// is Duplicate. So work may run more than once, while what it wrote is there once.
//
// The outcome is Processed or Duplicate with a nil error: acknowledge the record. It is a
// refusal with a [*RefusedError]: put it into quarantine, then acknowledge. It is Unknown
// with any other error, an error of work among them: nothing is known to be recorded,
// don't acknowledge.
func (s *Store[Tx]) Process(ctx context.Context, e Event, work func(ctx context.Context, tx Tx) error) (outcome Outcome, err error) {
	if f := s.cfg.Observer.Process; f != nil {
		var end func(Outcome, error)
		ctx, end = f(ctx, e)
		defer func() { end(outcome, err) }()
	}
	e, err = s.cfg.admit(e, s.cfg.Now())
	if err != nil {
		s.report(ctx, e, Refusal(err), err)
		return Refusal(err), err
	}
	outcome, failed := s.process(ctx, e, func(ctx context.Context, tx Tx) error {
		return work(WithEvent(ctx, e), tx)
	})
	return outcome, failed.error()
}

// process is Process for an event that was admitted.
func (s *Store[Tx]) process(ctx context.Context, e Event, work func(ctx context.Context, tx Tx) error) (Outcome, *failure) {
	first, failed := s.transact(ctx, []Event{e}, func(ctx context.Context, tx Tx, _ []bool) error {
		return work(ctx, tx)
	})
	outcome := Duplicate
	switch {
	case failed != nil:
		outcome = failed.outcome()
	case first[0]:
		outcome = Processed
	}
	s.report(ctx, e, outcome, failed.error())
	return outcome, failed
}

// A stage is a part of a transaction. What an error means depends on where it came up: a
// broken connection or a violated CHECK is another thing in the caller's work than in the
// store's own statements.
type stage int

const (
	claiming stage = iota
	working
	committing
)

// failure is how a transaction failed for good.
type failure struct {
	stage stage
	kind  FaultKind
	err   error
	// first is what the claim answered, where the failure came after it.
	first []bool
}

func (f *failure) error() error {
	if f == nil {
		return nil
	}
	return f.err
}

// outcome is a refusal only where a claim failed: an error of the work that happens to
// hold one, from another store perhaps, refuses nothing here.
func (f *failure) outcome() Outcome {
	if f.stage != claiming {
		return Unknown
	}
	return Refusal(f.err)
}

// lost says whether the database is out of reach, so that other events would fare no
// better. An error of the work says nothing about that: the connection that it tells of
// may be another one.
func (f *failure) lost() bool { return f.kind == Lost && f.stage != working }

// transact runs whole transactions until one of them ends well, fails for good, or the
// attempts are used up. It returns which claims were new.
func (s *Store[Tx]) transact(ctx context.Context, claims []Event, work func(ctx context.Context, tx Tx, first []bool) error) ([]bool, *failure) {
	for attempt := 1; ; attempt++ {
		first, failed := s.once(ctx, claims, work)
		if failed == nil {
			return first, nil
		}
		fault := s.driver.Fault(failed.err)
		failed.kind = fault.Kind
		again := fault.Kind == Transient || failed.lost()
		if again && attempt < s.cfg.MaxAttempts && ctx.Err() == nil {
			s.cfg.Logger.WarnContext(ctx, "idem: the transaction is tried again", "group", claims[0].Group, "events", len(claims), "code", fault.Code, "attempt", attempt, "error", failed.err)
			if f := s.cfg.Observer.Retry; f != nil {
				f(ctx, claims[0].Group, fault.Code)
			}
			if pause(ctx, s.cfg.Backoff, attempt) == nil {
				continue
			}
		}
		switch failed.stage {
		case claiming:
			failed.err = s.claimError(claims, failed.err)
		case committing:
			failed.err = fmt.Errorf("idem: the commit of %s failed: %w", naming(claims), failed.err)
		}
		return nil, failed
	}
}

// once runs one transaction.
func (s *Store[Tx]) once(ctx context.Context, claims []Event, work func(ctx context.Context, tx Tx, first []bool) error) ([]bool, *failure) {
	begun := time.Now()
	tx, first, err := s.driver.Begin(ctx, s.cfg, claims)
	if err != nil {
		return nil, &failure{stage: claiming, err: err}
	}
	open := true
	defer func() {
		if open { // also while a panic or runtime.Goexit of work passes through
			s.driver.Rollback(ctx, tx)
		}
	}()
	s.claimed(ctx, claims, begun)
	if !anyOf(first) {
		return first, nil
	}
	if err := work(ctx, tx, first); err != nil {
		return nil, &failure{stage: working, err: err, first: first}
	}
	open = false
	if err := s.driver.Commit(ctx, tx); err != nil {
		return nil, &failure{stage: committing, err: err, first: first}
	}
	return first, nil
}

// claimError says what the error of a claim means.
func (s *Store[Tx]) claimError(claims []Event, err error) error {
	if s.driver.Fault(err).Kind == NoPartition && len(claims) == 1 {
		return s.cfg.outside(claims[0], err)
	}
	return fmt.Errorf("idem: the claim of %s in %s failed: %w", naming(claims), s.cfg.Table, err)
}

func (s *Store[Tx]) claimed(ctx context.Context, claims []Event, begun time.Time) {
	if f := s.cfg.Observer.Claimed; f != nil {
		f(ctx, claims[0].Group, len(claims), time.Since(begun))
	}
}

// report tells the logger and the observer what became of an event. It costs nothing when
// neither wants to know: a replay reports every event of a poll.
func (s *Store[Tx]) report(ctx context.Context, e Event, o Outcome, err error) {
	level := slog.LevelDebug
	if o.Refused() || errors.Is(err, ErrInvalidEvent) {
		level = slog.LevelWarn
	}
	observe, log := s.cfg.Observer.Outcome, s.cfg.Logger.Enabled(ctx, level)
	if observe == nil && !log {
		return
	}
	age, _ := s.cfg.age(e)
	if observe != nil {
		observe(ctx, e, o, age)
	}
	if log {
		attrs := []slog.Attr{slog.String("group", e.Group), slog.String("event", e.ID), slog.String("outcome", o.String()), slog.Duration("age", age)}
		if err != nil {
			attrs = append(attrs, slog.Any("error", err))
		}
		s.cfg.Logger.LogAttrs(ctx, level, "idem: event", attrs...)
	}
}

func naming(claims []Event) string {
	if len(claims) == 1 {
		return "event " + claims[0].String()
	}
	return fmt.Sprintf("%d events of group %s", len(claims), claims[0].Group)
}

func anyOf(flags []bool) bool {
	for _, f := range flags {
		if f {
			return true
		}
	}
	return false
}
