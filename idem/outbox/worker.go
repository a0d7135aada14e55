package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/rand/v2"
	"runtime/debug"
	"slices"
	"sync"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/money"
)

// Config is what a [Worker] needs to know. Senders is required.
type Config struct {
	// Senders has the Sender of each kind. A call of another kind is left alone, for a
	// worker that knows it: during a deployment both versions run.
	Senders map[string]Sender
	// Guard has the provider's window. It counts from the call's first attempt, so a call
	// that waited is still sent, and one whose retries outlast the window is dead. A
	// money.Transport that the Senders use counts likewise, and may have none of its own.
	Guard money.Guard
	// Concurrency is how many calls are sent at the same time; 0 is 4.
	Concurrency int
	// Poll is how long to wait when nothing is due; 0 is a second.
	Poll time.Duration
	// Timeout is how long one attempt may take; 0 is 30 seconds. A call whose worker died
	// is taken up by another after this and 30 seconds more.
	Timeout time.Duration
	// MaxAttempts is after how many attempts a call is dead; 0 is 40, which with the
	// default Backoff is some eight hours.
	MaxAttempts int
	// Backoff returns how long to wait after the attempt of that number, from 1. Nil is
	// [Backoff].
	Backoff func(attempt int) time.Duration
	// OnDead, if set, is told of each call that became dead, after that is committed. A
	// crash in between loses the telling, so what must not be missed is counted in the
	// table: state = 'dead'.
	OnDead func(ctx context.Context, a Attempt, err error)
	// Logger gets failed attempts as warnings, and dead calls and errors of the database
	// as errors; nil is slog.Default.
	Logger *slog.Logger
}

// leaseMargin is what a lease lasts beyond the timeout of a send: for marking the row, and
// for a Sender that does not mind its context. A lease that is too short harms nothing but
// the provider's patience, since the second worker sends the same key.
const leaseMargin = 30 * time.Second

// statementTimeout bounds each statement of a worker. Two of them fit into leaseMargin.
const statementTimeout = 10 * time.Second

// Worker sends the calls in idem_outbox. Any number of workers, in any number of
// processes, share the table.
type Worker struct {
	table table
	cfg   Config
	kinds []string
}

// NewWorker makes a worker on db, which must be PostgreSQL. It wants a *sql.DB, as single
// statements are all it needs and every driver has that; with pgx it is
// stdlib.OpenDBFromPool(pool).
func NewWorker(db *sql.DB, cfg Config) (*Worker, error) {
	if len(cfg.Senders) == 0 {
		return nil, errors.New("outbox: the worker has no Senders, so it would send nothing")
	}
	for kind, send := range cfg.Senders {
		if send == nil {
			return nil, fmt.Errorf("outbox: the Sender of kind %q is nil", kind)
		}
	}
	if cfg.Concurrency < 0 || cfg.Poll < 0 || cfg.Timeout < 0 || cfg.MaxAttempts < 0 {
		return nil, errors.New("outbox: Concurrency, Poll, Timeout and MaxAttempts cannot be negative")
	}
	setDefault(&cfg.Concurrency, 4)
	setDefault(&cfg.Poll, time.Second)
	setDefault(&cfg.Timeout, 30*time.Second)
	setDefault(&cfg.MaxAttempts, 40)
	if cfg.Backoff == nil {
		cfg.Backoff = Backoff
	}
	if cfg.Logger == nil {
		cfg.Logger = slog.Default()
	}
	return &Worker{table: table{db}, cfg: cfg, kinds: slices.Sorted(maps.Keys(cfg.Senders))}, nil
}

func setDefault[T int | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}

// Backoff is the default backoff: a second after the first attempt, twice as long after
// each further one, at most 15 minutes; of that a random part between a half and all of
// it, so that the calls that failed together do not return together.
func Backoff(attempt int) time.Duration {
	d := 15 * time.Minute
	if attempt < 11 { // 2^10 seconds are more than that
		d = min(d, time.Second<<max(attempt-1, 0))
	}
	return d/2 + rand.N(d/2+1)
}

// Run sends calls until ctx is done, and then waits for those it is sending, for
// [Config].Timeout at most if their Senders mind their context. It returns nil then, and
// an error only when it cannot begin because the table is not there. Trouble with the
// database later is logged, and mended by trying again.
func (w *Worker) Run(ctx context.Context) error {
	if err := w.table.check(ctx); err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	var all sync.WaitGroup
	for range w.cfg.Concurrency {
		all.Go(func() { w.loop(ctx) })
	}
	all.Wait()
	return nil
}

// loop sends one call after the other. Each loop claims for itself, so a slow provider
// holds up no call but the one it is slow with.
func (w *Worker) loop(ctx context.Context) {
	for ctx.Err() == nil {
		found, err := w.RunOnce(ctx)
		if err != nil && !errors.Is(err, ctx.Err()) { // the stop itself is no trouble
			w.cfg.Logger.ErrorContext(ctx, "outbox worker", "err", err)
		}
		if found && err == nil {
			continue
		}
		select {
		case <-ctx.Done():
		case <-time.After(w.cfg.Poll/2 + rand.N(w.cfg.Poll/2+1)):
		}
	}
}

// RunOnce makes one attempt at the call that is due longest, and reports whether there was
// one: for a cron job or a test. The error is one of the database, or ctx.Err() when ctx
// is done already; how the attempt went is in the table. What has begun goes on when ctx
// ends.
func (w *Worker) RunOnce(ctx context.Context) (found bool, err error) {
	if err := ctx.Err(); err != nil {
		return false, err
	}
	// A claim that is cancelled may have been made all the same, and the call would wait
	// for the end of a lease that nobody uses.
	ctx = context.WithoutCancel(ctx)
	claim, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	c, ok, err := w.table.claim(claim, w.kinds, w.cfg.Timeout+leaseMargin)
	if err != nil || !ok {
		return false, err
	}
	return true, w.finish(ctx, c, w.attempt(ctx, c))
}

// attempt sends the call.
func (w *Worker) attempt(ctx context.Context, c claimed) (err error) {
	// Only claims that ended with their process lead beyond the last attempt.
	if c.Number > w.cfg.MaxAttempts {
		return errors.New("the process ended during the last attempt, so its answer is unknown")
	}
	ctx = money.WithStep(idem.WithEvent(ctx, c.Event), c.Step)
	ctx = money.WithFirstUse(ctx, c.First)
	ctx, cancel := context.WithTimeout(ctx, w.cfg.Timeout)
	defer cancel()
	key, err := w.cfg.Guard.Key(ctx, "")
	if err != nil {
		return err
	}
	if key != c.Key {
		return fmt.Errorf("the row's idempotency_key is not the one of its event, group and step, which is %s; look up with the provider under which it was charged: %w", key, ErrPermanent)
	}
	// A call that makes its Sender panic would otherwise end the process at each attempt,
	// and with it all other calls.
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("the Sender of kind %q panicked: %v\n%s", c.Kind, p, debug.Stack())
		}
	}()
	return w.cfg.Senders[c.Kind](ctx, c.Attempt)
}

// finish notes how the attempt ended.
func (w *Worker) finish(ctx context.Context, c claimed, cause error) error {
	mark, cancel := context.WithTimeout(ctx, statementTimeout)
	defer cancel()
	if cause == nil {
		return w.table.markSent(mark, c)
	}
	log := w.cfg.Logger.With("event", c.Event.ID, "group", c.Event.Group, "step", c.Step, "key", c.Key, "attempt", c.Number)
	// The other refusals of package money are mistakes of the program: nothing was sent,
	// and the next version mends them.
	permanent := errors.Is(cause, ErrPermanent) || errors.Is(cause, money.ErrWindowPassed)
	if !permanent && c.Number < w.cfg.MaxAttempts {
		log.WarnContext(ctx, "outbox call failed, to be tried again", "err", cause)
		return w.table.markFailed(mark, c, cause, w.cfg.Backoff(c.Number))
	}
	dead, err := w.table.markDead(mark, c, cause)
	if err != nil || !dead {
		return err
	}
	log.ErrorContext(ctx, "outbox call is dead: look up with the provider whether it was done", "err", cause)
	if w.cfg.OnDead != nil {
		w.cfg.OnDead(ctx, c.Attempt, cause)
	}
	return nil
}
