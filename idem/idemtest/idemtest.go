package idemtest

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

// ScheduleVariable is the environment variable that names the only schedule to run, such
// as crash@7: the one that a failure has named.
const ScheduleVariable = "IDEMTEST_SCHEDULE"

// Consumer is the code under test and what it is tried with. R is the type of a record:
// the client's own, or the decoded event.
type Consumer[R any] struct {
	// DSN names a PostgreSQL database that the test has for itself, as pgx reads it.
	DSN string
	// Records is the stream, in the order of the log. A handful is enough.
	Records []R
	// Start begins a process of the consumer. It must reach the database through dsn
	// alone, a URL, and share nothing with the processes before.
	Start func(ctx context.Context, dsn string) (Process[R], error)
	// Reset undoes whatever the consumer has done, in the database and elsewhere.
	Reset func(ctx context.Context) error
	// Check returns an error unless every record's effect is there exactly once. It looks
	// at the database directly, not through a process.
	Check func(ctx context.Context) error
	// Poll is how many records are delivered together; 0 is 1.
	Poll int
	// Seeds is the number of random schedules; 0 is 20.
	Seeds int
	// Timeout is how long a delivery may take before the run fails; 0 is 30 seconds.
	Timeout time.Duration
}

// Process is a running consumer.
type Process[R any] struct {
	// Deliver does what the consumer does with the records of a poll: nil acknowledges
	// them all, with an error they come again. See [Each].
	Deliver func(ctx context.Context, poll []R) error
	// Stop ends the process in good order, and frees what it holds. It is also called
	// after a crash, when its connections are gone. It may be nil.
	Stop func()
}

// Each makes a Deliver of a function that takes one record.
func Each[R any](deliver func(ctx context.Context, record R) error) func(ctx context.Context, poll []R) error {
	return func(ctx context.Context, poll []R) error {
		for _, record := range poll {
			if err := deliver(ctx, record); err != nil {
				return err
			}
		}
		return nil
	}
}

// Ack acknowledges the records of the delivery that ctx belongs to, for a consumer that
// does so before Deliver returns: its test calls Ack where the consumer commits the
// offsets. Records that were acknowledged don't come again after a crash. With another
// context it does nothing.
func Ack(ctx context.Context) {
	if ack, ok := ctx.Value(ackKey{}).(func()); ok {
		ack()
	}
}

type ackKey struct{}

// Report is what [Explore] has done and found.
type Report struct {
	// Runs is the number of schedules that were run, Deliveries that of the calls of
	// Deliver in them, Faults that of the crashes, cuts, cancellations and hold-ups.
	Runs, Deliveries, Faults int
	// Failures are the schedules that failed, the first of each kind.
	Failures []*Failure
}

// A Failure is a schedule after which the invariant does not hold, or that the consumer
// did not come through.
type Failure struct {
	// Schedule is the schedule's name, such as crash@7. It is the value for
	// [ScheduleVariable].
	Schedule string
	// Steps is what happened, in order.
	Steps []string
	// Err is what the check says, or why the consumer did not come through.
	Err error
}

// Error says which schedule failed, why, and what happened in it.
func (f *Failure) Error() string {
	return fmt.Sprintf("idemtest: schedule %s: %v\n\t%s", f.Schedule, f.Err, strings.Join(f.Steps, "\n\t"))
}

// Unwrap returns Err.
func (f *Failure) Unwrap() error { return f.Err }

// Test tries the consumer with every schedule, or with the one that [ScheduleVariable]
// names, and reports each failure as an error of the test, with its steps and how to run
// it alone.
func Test[R any](tb testing.TB, c Consumer[R]) {
	tb.Helper()
	report, err := explore(tb.Context(), c, os.Getenv(ScheduleVariable))
	if err != nil {
		tb.Fatal(err)
	}
	for _, failure := range report.Failures {
		tb.Errorf("%v\n\tthis one alone: %s=%s go test -run '^%s$'", failure, ScheduleVariable, failure.Schedule, tb.Name())
	}
	tb.Logf("idemtest: %d runs, %d deliveries, %d faults", report.Runs, report.Deliveries, report.Faults)
}

// Explore tries the consumer with every schedule and returns what it found: [Test]
// without a test. The error is that of a Consumer that cannot be tried, or of ctx.
func Explore[R any](ctx context.Context, c Consumer[R]) (Report, error) {
	return explore(ctx, c, "")
}

func (c *Consumer[R]) validate() error {
	switch {
	case c.DSN == "":
		return errors.New("idemtest: Consumer.DSN is empty; it must name a PostgreSQL database that the test has for itself")
	case len(c.Records) == 0:
		return errors.New("idemtest: Consumer.Records is empty, so nothing would be tried")
	case c.Start == nil || c.Reset == nil || c.Check == nil:
		return errors.New("idemtest: Consumer.Start, Reset and Check must be set")
	case c.Poll < 0 || c.Seeds < 0 || c.Timeout < 0:
		return errors.New("idemtest: Consumer.Poll, Seeds and Timeout must not be negative")
	}
	if c.Poll == 0 {
		c.Poll = 1
	}
	if c.Seeds == 0 {
		c.Seeds = 20
	}
	if c.Timeout == 0 {
		c.Timeout = 30 * time.Second
	}
	return nil
}
