package idemtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
)

// schedule is one way to deliver the stream. at is the point of its fault or its seed, and
// 0 for those that have none.
type schedule struct {
	kind string
	at   int
}

// The kinds of schedules. Those in swept have a point, and are run for each.
const (
	nothing = "nothing"
	once    = "once"
	twice   = "twice"
	replay  = "replay"
	restart = "restart"
	crash   = "crash"
	cut     = "cut"
	cancel  = "cancel"
	overlap = "overlap"
	random  = "random"
)

var (
	plain = []string{nothing, once, twice, replay, restart}
	swept = []string{crash, cut, cancel, overlap}
)

func (s schedule) String() string {
	if s.at == 0 {
		return s.kind
	}
	return s.kind + "@" + strconv.Itoa(s.at)
}

// parse reads the name of a schedule.
func parse(name string) (schedule, error) {
	kind, at, pointed := strings.Cut(name, "@")
	n, err := strconv.Atoi(at)
	for _, k := range plain {
		if k == kind && !pointed {
			return schedule{kind: kind}, nil
		}
	}
	for _, k := range append(swept, random) {
		if k == kind && err == nil && n > 0 {
			return schedule{kind, n}, nil
		}
	}
	return schedule{}, fmt.Errorf("idemtest: %s is %q; it must be one of %s, or one of %s, %s with a number: crash@7", ScheduleVariable, name, strings.Join(plain, ", "), strings.Join(swept, ", "), random)
}

func explore[R any](ctx context.Context, c Consumer[R], only string) (Report, error) {
	var report Report
	if err := c.validate(); err != nil {
		return report, err
	}
	monitor, err := pgx.Connect(ctx, c.DSN)
	if err != nil {
		return report, fmt.Errorf("idemtest: connect to Consumer.DSN: %w", err)
	}
	defer func() { _ = monitor.Close(context.WithoutCancel(ctx)) }()
	// try runs a schedule and says whether its point was reached and whether it held.
	try := func(s schedule) (hit, held bool) {
		r := &run[R]{c: &c, schedule: s, monitor: monitor, rand: rand.New(rand.NewPCG(uint64(s.at), 0))}
		err := r.do(ctx)
		report.Runs++
		report.Deliveries += r.deliveries
		report.Faults += r.faults
		if err != nil && ctx.Err() == nil {
			report.Failures = append(report.Failures, &Failure{s.String(), r.steps, err})
		}
		return r.faults > 0, err == nil
	}
	if only != "" {
		s, err := parse(only)
		if err == nil {
			try(s)
		}
		return report, errors.Join(err, ctx.Err())
	}
	for _, kind := range plain {
		// What does not hold without any fault says nothing with one.
		if _, held := try(schedule{kind: kind}); !held && (kind == nothing || kind == once) {
			return report, ctx.Err()
		}
	}
	for _, kind := range swept {
		for at := 1; ; at++ {
			if hit, held := try(schedule{kind, at}); !hit || !held {
				break
			}
		}
	}
	for seed := 1; seed <= c.Seeds; seed++ {
		if _, held := try(schedule{random, seed}); !held {
			break
		}
	}
	return report, ctx.Err()
}

// do runs the schedule.
func (r *run[R]) do(ctx context.Context) error {
	if err := r.c.Reset(ctx); err != nil {
		return fmt.Errorf("the consumer's Reset failed: %w", err)
	}
	defer r.stop()
	all := len(r.c.Records)
	var err error
	switch r.schedule.kind {
	case nothing:
		if r.c.Check(ctx) == nil {
			return errors.New("the consumer's Check finds nothing wrong although nothing was delivered, so it cannot find a lost record")
		}
		return nil
	case twice:
		err = r.twice(ctx)
	case restart:
		err = r.restart(ctx)
	case overlap:
		err = r.overlap(ctx)
	case random:
		err = r.random(ctx)
	default:
		r.arm(true)
		err = r.consume(ctx, 0, all)
	}
	r.arm(false)
	if err != nil {
		return err
	}
	r.stop() // in good order, so that what it does behind its acknowledgements is done
	if err := r.c.Check(ctx); err != nil {
		return fmt.Errorf("once every record was acknowledged: %w", err)
	}
	switch r.schedule.kind {
	case once:
		if r.points() == 0 {
			return errors.New("the consumer has sent nothing through the DSN that its Start was given, so no fault can reach it")
		}
		return nil
	case twice, restart, crash, overlap: // which deliver again what may have been done
		return nil
	}
	if err := r.consume(ctx, 0, all); err != nil {
		return err
	}
	r.stop()
	if err := r.c.Check(ctx); err != nil {
		return fmt.Errorf("when the whole stream was delivered again: %w", err)
	}
	return nil
}

// twice delivers every record twice in a row, in one poll where a poll has several.
func (r *run[R]) twice(ctx context.Context) error {
	var doubled []int
	for i := range r.c.Records {
		doubled = append(doubled, i, i)
	}
	for len(doubled) > 0 {
		n := min(r.c.Poll, len(doubled))
		if err := r.persist(ctx, doubled[:n]); err != nil {
			return err
		}
		doubled = doubled[n:]
	}
	return nil
}

// again is how many polls a new process gets again in the schedule restart.
const again = 3

func (r *run[R]) restart(ctx context.Context) error {
	all := len(r.c.Records)
	for from := 0; from < all; from += r.c.Poll {
		to := min(from+r.c.Poll, all)
		if err := r.consume(ctx, from, to); err != nil {
			return err
		}
		r.stop()
		if err := r.consume(ctx, max(0, to-again*r.c.Poll), to); err != nil {
			return err
		}
	}
	return nil
}

// random delivers the stream with faults at random points, seeks back and restarts.
func (r *run[R]) random(ctx context.Context) error {
	all := len(r.c.Records)
	r.arm(true)
	for at, seeks := 0, 0; at < all; {
		next := min(at+1+r.intn(2*r.c.Poll), all)
		if err := r.consume(ctx, at, next); err != nil {
			return err
		}
		at = next
		if r.intn(8) == 0 {
			r.stop()
		}
		if seeks < all && r.intn(4) == 0 {
			seeks++
			at -= r.intn(at + 1)
		}
	}
	return nil
}

// overlap holds the first owner of the stream up before one of its requests, and lets a
// second one take over what was not acknowledged. The first then goes on too, as one does
// that has not heard of the rebalance.
func (r *run[R]) overlap(ctx context.Context) error {
	second := &run[R]{c: r.c, schedule: schedule{kind: once}, name: "the second owner", parent: r}
	defer second.stop()
	taken := make(chan error, 1)
	r.held = func() {
		from := r.acknowledged
		go func() { taken <- second.consume(ctx, from, len(r.c.Records)) }()
		waitFor(ctx, r.monitor, taken)
	}
	r.arm(true)
	first := r.consume(ctx, 0, len(r.c.Records))
	if r.faultsSoFar() == 0 {
		return first
	}
	// An error of the first owner concerns nobody: it has lost its records to the second.
	err := <-taken
	second.stop()
	r.deliveries += second.deliveries
	return err
}

// longestHold ends a hold-up behind which the other owner waits for something that is no
// lock of the database.
const longestHold = 5 * time.Second

// waitFor returns when the second owner has come to its end or waits for a lock, which
// can only be the first one's. taken keeps its value.
func waitFor(ctx context.Context, monitor *pgx.Conn, taken chan error) {
	end := time.After(longestHold)
	for waits := false; !waits && len(taken) == 0; {
		err := monitor.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity
			WHERE datname = current_database() AND wait_event_type = 'Lock')`).Scan(&waits)
		if err != nil {
			return
		}
		select {
		case <-end:
			return
		case <-time.After(2 * time.Millisecond):
		}
	}
}
