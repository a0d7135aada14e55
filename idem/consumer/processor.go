package consumer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"time"

	"github.com/idemlint/idemlint/idem"
)

// Processor takes records through a store. It is what the adapters work with, and is safe
// for use by several goroutines.
type Processor struct {
	group   string
	batches bool
	logger  *slog.Logger
	process func(ctx context.Context, records []Record) (int, error)
}

// New returns a processor, or an error that names the field of cfg which is missing or
// cannot be used.
func New[Tx, E any](cfg Config[Tx, E]) (*Processor, error) {
	cfg, err := cfg.withDefaults()
	if err != nil {
		return nil, err
	}
	e := &engine[Tx, E]{cfg}
	return &Processor{cfg.Group, cfg.HandleBatch != nil, cfg.Logger, e.process}, nil
}

// Group returns the consumer group.
func (p *Processor) Group() string { return p.group }

// Batches reports whether the processor works with HandleBatch, so that an adapter does
// well to hand it all the records it has.
func (p *Processor) Batches() bool { return p.batches }

// Logger returns the configured logger, never nil.
func (p *Processor) Logger() *slog.Logger { return p.logger }

// Process takes records through the store, those of one partition in their order, and
// returns how many from the front are settled: processed, duplicates, skipped or
// dead-lettered. These may be acknowledged, also when there is an error; those behind must
// not be.
//
// The error is nil when all are settled. It wraps [ErrStopped] and ctx's error when ctx is
// done; the attempt in hand is then finished within Config.Grace. It wraps DeadLetter's
// when that has failed. There is no other: Process waits out everything else.
func (p *Processor) Process(ctx context.Context, records ...Record) (settled int, err error) {
	return p.process(ctx, records)
}

// ErrStopped is the error of [Processor.Process] when its context was done before all
// records were settled.
var ErrStopped = errors.New("consumer: stopped")

func stopped(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("%w: %w", ErrStopped, err)
	}
	return nil
}

type engine[Tx, E any] struct{ cfg Config[Tx, E] }

// item is a record on its way.
type item[E any] struct {
	record  Record
	event   idem.Event
	payload E
	// settled says that the record may be acknowledged.
	settled bool
	// failures counts those that are the event's own fault.
	failures int

	// What the last round said. ran is whether the handler was called.
	outcome idem.Outcome
	err     error
	ran     bool
}

func (e *engine[Tx, E]) process(ctx context.Context, records []Record) (int, error) {
	work, cancel := e.withGrace(ctx)
	defer cancel()
	if e.cfg.HandleBatch != nil {
		return e.settle(ctx, work, records, e.tryBatch)
	}
	for i := range records {
		if _, err := e.settle(ctx, work, records[i:i+1], e.tryOne); err != nil {
			return i, err
		}
	}
	return len(records), nil
}

// withGrace returns the context of the work: it ends Grace after ctx.
func (e *engine[Tx, E]) withGrace(ctx context.Context) (context.Context, context.CancelFunc) {
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	unhook := context.AfterFunc(ctx, func() {
		grace := time.NewTimer(e.cfg.Grace)
		defer grace.Stop()
		select {
		case <-grace.C:
			cancel()
		case <-work.Done():
		}
	})
	return work, func() { unhook(); cancel() }
}

// settle runs rounds over the records that are not settled, until none is left. ctx says
// whether another round may begin, work is the context of what is in hand.
func (e *engine[Tx, E]) settle(ctx, work context.Context, records []Record, try func(context.Context, []*item[E])) (int, error) {
	items := make([]*item[E], len(records))
	pending := make([]*item[E], 0, len(records))
	for i, r := range records {
		items[i] = &item[E]{record: r}
		if err := stopped(ctx); err != nil {
			return prefix(items[:i]), err
		}
		switch err := e.decode(items[i]); {
		case err == nil:
			pending = append(pending, items[i])
		case errors.Is(err, ErrSkip):
			items[i].settled = true
		default:
			if err := e.deadLetter(work, items[i], err); err != nil {
				return prefix(items[:i]), err
			}
		}
	}
	for round := 1; len(pending) > 0; round++ {
		if err := e.pause(ctx, round); err != nil {
			return prefix(items), err
		}
		for _, it := range pending {
			it.ran = false
		}
		try(work, pending)
		var left []*item[E]
		for _, it := range pending {
			if it.err != nil && work.Err() != nil {
				return prefix(items), stopped(ctx) // it was cut off, which says nothing about the event
			}
			if err := e.judge(work, it); err != nil {
				return prefix(items), err
			}
			if !it.settled {
				left = append(left, it)
			}
		}
		pending = left
	}
	return len(items), nil
}

// prefix returns how many items from the front are settled.
func prefix[E any](items []*item[E]) int {
	for i, it := range items {
		if !it.settled {
			return i
		}
	}
	return len(items)
}

func (e *engine[Tx, E]) decode(it *item[E]) (err error) {
	if it.payload, err = e.cfg.Decode(it.record.Value); err != nil {
		return fmt.Errorf("consumer: record %s cannot be decoded: %w", it.record, err)
	}
	it.event = idem.Event{ID: e.cfg.ID(it.payload), Group: e.cfg.Group} // the store refuses an empty id
	return nil
}

func (e *engine[Tx, E]) tryOne(ctx context.Context, pending []*item[E]) {
	it := pending[0]
	it.outcome, it.err = e.cfg.Store.Process(ctx, it.event, func(ctx context.Context, tx Tx) error {
		it.ran = true
		return e.cfg.Handle(ctx, tx, it.payload)
	})
}

func (e *engine[Tx, E]) tryBatch(ctx context.Context, pending []*item[E]) {
	events := make([]idem.Event, len(pending))
	firstOf := make(map[idem.Event]*item[E], len(pending))
	for i, it := range pending {
		events[i] = it.event
		if firstOf[it.event] == nil {
			firstOf[it.event] = it
		}
	}
	results, _ := e.cfg.Store.ProcessBatch(ctx, events, func(ctx context.Context, tx Tx, fresh []idem.Event) error {
		payloads := make([]E, len(fresh))
		for i, event := range fresh {
			firstOf[event].ran = true
			payloads[i] = firstOf[event].payload
		}
		return e.cfg.HandleBatch(ctx, tx, payloads)
	})
	for i, it := range pending {
		it.outcome, it.err, it.ran = results[i].Outcome, results[i].Err, firstOf[it.event].ran
	}
}

// judge settles the item, leaves it for another round, or returns why it could not be
// dead-lettered.
func (e *engine[Tx, E]) judge(ctx context.Context, it *item[E]) error {
	if it.err == nil {
		it.settled = true
		return nil
	}
	verdict := e.verdict(it)
	if verdict != Wait && it.ran {
		it.failures++
	}
	if verdict == Reject || it.failures >= e.cfg.MaxAttempts {
		return e.deadLetter(ctx, it, it.err)
	}
	e.cfg.Logger.WarnContext(ctx, "consumer: the record is tried again", "record", it.record.String(), "event", it.event.String(), "verdict", verdict.String(), "failures", it.failures, "error", it.err)
	return nil
}

func (e *engine[Tx, E]) verdict(it *item[E]) Verdict {
	switch {
	case it.ran:
		return e.cfg.Classify(it.err)
	case it.outcome.Refused(), errors.Is(it.err, idem.ErrInvalidEvent):
		return Reject
	}
	return Wait // the claim failed, and would for any other event
}

// deadLetter hands the record over. An error leaves it unsettled.
func (e *engine[Tx, E]) deadLetter(ctx context.Context, it *item[E], cause error) error {
	e.cfg.Logger.ErrorContext(ctx, "consumer: the record is dead-lettered", "record", it.record.String(), "event", it.event.String(), "failures", it.failures, "error", cause)
	failed := Failed{Record: it.record, EventID: it.event.ID, Attempts: it.failures, Err: cause}
	if err := e.cfg.DeadLetter(ctx, failed); err != nil {
		return fmt.Errorf("consumer: record %s could not be dead-lettered and is not acknowledged: %w", it.record, err)
	}
	it.settled = true
	return nil
}

// pause waits before a round, except the first. It returns ErrStopped as soon as ctx is
// done.
func (e *engine[Tx, E]) pause(ctx context.Context, round int) error {
	if round == 1 {
		return stopped(ctx)
	}
	limit := min(e.cfg.Backoff<<min(round-2, 16), e.cfg.MaxBackoff)
	timer := time.NewTimer(limit - rand.N(limit/2+1))
	defer timer.Stop()
	select {
	case <-timer.C:
		return stopped(ctx)
	case <-ctx.Done():
		return stopped(ctx)
	}
}
