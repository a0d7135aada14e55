package idemtest

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

// run is one schedule on its way: the processes one after the other, and what happens to
// them.
type run[R any] struct {
	c        *Consumer[R]
	schedule schedule
	name     string // of the owner, where there are two
	parent   *run[R]
	monitor  *pgx.Conn // to see who waits for a lock
	// held is what happens while the schedule overlap holds a request up.
	held func()

	process      *process[R]
	processes    int
	acknowledged int // how far the stream is
	deliveries   int

	mu     sync.Mutex // over the following, which the proxies' goroutines use
	rand   *rand.Rand
	armed  bool
	at     int // the points so far
	faults int
	steps  []string
}

// process is a process of the consumer with its way to the database.
type process[R any] struct {
	Process[R]
	number int
	proxy  *Proxy
	// delivery is what it works on; dead says that it has crashed. The run's mu is over
	// both.
	delivery *delivery
	dead     bool
}

// delivery is one call of Deliver.
type delivery struct {
	cancel       context.CancelFunc
	done         chan struct{} // closed when Deliver has returned
	acknowledged bool
}

// arm says whether the schedule's faults happen from now on.
func (r *run[R]) arm(on bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.armed = on
}

func (r *run[R]) points() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.at
}

func (r *run[R]) faultsSoFar() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.faults
}

// intn returns a random number below n.
func (r *run[R]) intn(n int) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rand.IntN(n)
}

// note adds a step. Those of a second owner stand among the first one's.
func (r *run[R]) note(format string, args ...any) {
	if r.parent != nil {
		r.parent.note(r.name+": "+format, args...)
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.steps = append(r.steps, fmt.Sprintf(format, args...))
}

// patience is how often in a row a delivery may fail with no fault in between.
const patience = 10

// consume delivers the records from one index up to another, each poll until it is
// acknowledged.
func (r *run[R]) consume(ctx context.Context, from, to int) error {
	r.acknowledged = from
	for r.acknowledged < to {
		var poll []int
		for i := r.acknowledged; i < min(r.acknowledged+r.c.Poll, to); i++ {
			poll = append(poll, i)
		}
		if err := r.persist(ctx, poll); err != nil {
			return err
		}
		r.acknowledged += len(poll)
	}
	return nil
}

// persist delivers a poll until it is acknowledged.
func (r *run[R]) persist(ctx context.Context, poll []int) error {
	for failures, faults := 0, r.faultsSoFar(); ; {
		acknowledged, err := r.deliver(ctx, poll)
		var fatal *fatalError
		switch {
		case acknowledged:
			return nil
		case errors.As(err, &fatal):
			return err
		case ctx.Err() != nil:
			return ctx.Err()
		}
		if now := r.faultsSoFar(); now > faults {
			failures, faults = 0, now
		}
		if failures++; failures > patience {
			return fmt.Errorf("%s failed %d times with no fault in between, and would hold up the partition for ever: %w", naming(poll), failures, err)
		}
	}
}

// grace is how long a delivery has to return once its context is done.
const grace = 5 * time.Second

// fatalError is an error after which the run has no sense.
type fatalError struct{ error }

func (e *fatalError) Unwrap() error { return e.error }

// deliver delivers a poll once, and says whether it was acknowledged.
func (r *run[R]) deliver(ctx context.Context, poll []int) (bool, error) {
	p, err := r.running(ctx)
	if err != nil {
		return false, err
	}
	records := make([]R, len(poll))
	for i, n := range poll {
		records[i] = r.c.Records[n]
	}
	ctx, cancel := context.WithTimeout(ctx, r.c.Timeout)
	defer cancel()
	d := &delivery{cancel: cancel, done: make(chan struct{})}
	acknowledge := func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		d.acknowledged = d.acknowledged || !p.dead // a dead process tells nobody anything
	}
	r.mu.Lock()
	p.delivery = d
	r.mu.Unlock()
	r.deliveries++
	err = errors.New("the call of Deliver did not return: it has ended its goroutine, as FailNow does")
	go func() {
		defer close(d.done)
		err = p.Deliver(context.WithValue(ctx, ackKey{}, acknowledge), records)
		if err == nil {
			acknowledge()
		}
	}()
	select {
	case <-d.done:
	case <-time.After(r.c.Timeout + grace):
		return false, &fatalError{fmt.Errorf("the delivery of %s has not returned %s after its context was done", naming(poll), grace)}
	}
	r.mu.Lock()
	acknowledged, dead := d.acknowledged, p.dead
	p.delivery = nil
	r.mu.Unlock()
	switch {
	case dead && acknowledged:
		r.note("process %d had acknowledged %s", p.number, naming(poll))
	case dead:
		r.note("process %d took no more notice of %s", p.number, naming(poll))
	case err != nil:
		r.note("process %d: %s: error: %v", p.number, naming(poll), err)
	default:
		r.note("process %d: %s: acknowledged", p.number, naming(poll))
	}
	if dead {
		r.stop()
	}
	return acknowledged, err
}

// naming returns the poll in words, counting from 1.
func naming(poll []int) string {
	if len(poll) == 1 {
		return fmt.Sprintf("record %d", poll[0]+1)
	}
	numbers := make([]int, len(poll))
	for i, n := range poll {
		numbers[i] = n + 1
	}
	return fmt.Sprintf("records %v", numbers)
}

// running returns the process, and starts one where there is none.
func (r *run[R]) running(ctx context.Context) (*process[R], error) {
	if r.process != nil {
		return r.process, nil
	}
	r.processes++
	p := &process[R]{number: r.processes}
	var err error
	if p.proxy, err = NewProxy(r.c.DSN, func(point Point) Verdict { return r.hook(p, point) }); err != nil {
		return nil, &fatalError{err}
	}
	faults := r.faultsSoFar()
	if p.Process, err = r.c.Start(ctx, p.proxy.DSN()); err != nil {
		p.proxy.Close()
		err = fmt.Errorf("a process does not start: %w", err)
		r.note("process %d: %v", p.number, err)
		if r.faultsSoFar() == faults {
			err = &fatalError{err}
		}
		return nil, err
	}
	r.process = p
	if p.Deliver == nil {
		return nil, &fatalError{errors.New("the consumer's Start returned a Process without Deliver")}
	}
	return p, nil
}

// stop ends the process, where there is one.
func (r *run[R]) stop() {
	p := r.process
	if p == nil {
		return
	}
	r.process = nil
	if p.Stop != nil {
		p.Stop()
	}
	p.proxy.Close()
}

// hook decides what happens to a process at a point.
func (r *run[R]) hook(p *process[R], point Point) Verdict {
	kind, d := r.fault(p, point)
	if kind == "" {
		return Pass
	}
	r.note("process %d: %s %s", p.number, kind, point)
	switch kind {
	case crash:
		p.proxy.Kill()
		return Cut
	case cut:
		return Cut
	case cancel:
		return abandon(d)
	}
	r.held()
	return Pass
}

// fault returns the fault that happens at the next point, or "", and the delivery that it
// concerns, or nil.
func (r *run[R]) fault(p *process[R], point Point) (string, *delivery) {
	r.mu.Lock()
	defer r.mu.Unlock()
	kind := r.schedule.kind
	if kind == overlap && point.Answered {
		return "", nil // held up behind an answer is held up before the next request
	}
	r.at++
	if !r.armed {
		return "", nil
	}
	switch {
	case kind == random:
		if r.rand.IntN(10) > 0 || r.faults > len(r.c.Records) {
			return "", nil
		}
		kind = []string{crash, cut, cancel}[r.rand.IntN(3)]
	case r.schedule.at == 0 || r.at != r.schedule.at:
		return "", nil
	}
	d := p.delivery
	if kind == cancel && d == nil {
		kind = cut // there is no delivery whose context could be cancelled
	}
	r.faults++
	if kind == crash {
		p.dead = true
		if d != nil {
			d.cancel() // so that it ends soon; what it returns is not heard
		}
	}
	return kind, d
}

// abandon cancels the context of a delivery and holds the request or its answer back
// until the delivery has returned. A driver that waits for the answer all the same gets it
// after a while.
func abandon(d *delivery) Verdict {
	d.cancel()
	select {
	case <-d.done:
		return Cut
	case <-time.After(100 * time.Millisecond):
		return Pass
	}
}
