package idemtest_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem/idemtest"
)

// recorder is a test that only notes what it is told.
type recorder struct {
	testing.TB
	errors []string
}

func (r *recorder) Helper()             {}
func (r *recorder) Logf(string, ...any) {}
func (r *recorder) Errorf(format string, args ...any) {
	r.errors = append(r.errors, fmt.Sprintf(format, args...))
}
func (r *recorder) Fatal(args ...any) { r.errors = append(r.errors, fmt.Sprint(args...)) }

// A failure names its schedule, and the variable runs that one alone, with the same end.
func TestAFailureCanBeRunAgain(t *testing.T) {
	b := newBench(t)
	c := b.consumer(swallowsCommit)
	report, err := idemtest.Explore(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if len(report.Failures) == 0 {
		t.Fatal("nothing was found")
	}
	found := report.Failures[0]
	t.Setenv(idemtest.ScheduleVariable, found.Schedule)
	again := &recorder{TB: t}
	idemtest.Test(again, c)
	if len(again.errors) != 1 {
		t.Fatalf("the schedule %s alone has %d errors, want 1: %q", found.Schedule, len(again.errors), again.errors)
	}
	for _, want := range []string{found.Error(), "before request", "(commit)", "IDEMTEST_SCHEDULE=" + found.Schedule, "order 1 has 0 invoices"} {
		if !strings.Contains(again.errors[0], want) {
			t.Errorf("the error does not say %q:\n%s", want, again.errors[0])
		}
	}
	t.Setenv(idemtest.ScheduleVariable, "crash@0")
	wrong := &recorder{TB: t}
	idemtest.Test(wrong, c)
	if len(wrong.errors) != 1 || !strings.Contains(wrong.errors[0], `IDEMTEST_SCHEDULE is "crash@0"; it must be one of`) {
		t.Errorf("a schedule that cannot be: %q", wrong.errors)
	}
}

// What could never fail, or never be reached, is no test and is said to be none.
func TestWhatCannotFailIsRefused(t *testing.T) {
	b := newBench(t)
	sound := func() idemtest.Consumer[order] { return b.consumer(b.process) }
	tests := []struct {
		want   string
		change func(c *idemtest.Consumer[order])
	}{
		{"although nothing was delivered", func(c *idemtest.Consumer[order]) {
			c.Check = func(context.Context) error { return nil }
		}},
		{"has sent nothing through the DSN", func(c *idemtest.Consumer[order]) {
			start := c.Start
			c.Start = func(ctx context.Context, _ string) (idemtest.Process[order], error) { return start(ctx, b.dsn) }
		}},
		{"failed 11 times with no fault in between", func(c *idemtest.Consumer[order]) {
			c.Start = func(context.Context, string) (idemtest.Process[order], error) {
				return idemtest.Process[order]{Deliver: func(context.Context, []order) error { return errors.New("no") }}, nil
			}
		}},
		{"has ended its goroutine, as FailNow does", func(c *idemtest.Consumer[order]) {
			c.Start = func(context.Context, string) (idemtest.Process[order], error) {
				return idemtest.Process[order]{Deliver: func(context.Context, []order) error {
					runtime.Goexit()
					return nil
				}}, nil
			}
		}},
		{"the delivery of record 1 has not returned 5s after its context was done", func(c *idemtest.Consumer[order]) {
			c.Timeout = time.Millisecond
			c.Start = func(context.Context, string) (idemtest.Process[order], error) {
				return idemtest.Process[order]{Deliver: func(context.Context, []order) error {
					<-t.Context().Done() // the test's, which is of no use here
					return nil
				}}, nil
			}
		}},
		{"a process does not start: no", func(c *idemtest.Consumer[order]) {
			c.Start = func(context.Context, string) (idemtest.Process[order], error) {
				return idemtest.Process[order]{}, errors.New("no")
			}
		}},
		{"without Deliver", func(c *idemtest.Consumer[order]) {
			c.Start = func(context.Context, string) (idemtest.Process[order], error) {
				return idemtest.Process[order]{}, nil
			}
		}},
		{"Reset failed: no", func(c *idemtest.Consumer[order]) {
			c.Reset = func(context.Context) error { return errors.New("no") }
		}},
		{"Consumer.DSN is empty", func(c *idemtest.Consumer[order]) { c.DSN = "" }},
		{"Consumer.Records is empty", func(c *idemtest.Consumer[order]) { c.Records = nil }},
		{"Start, Reset and Check must be set", func(c *idemtest.Consumer[order]) { c.Check = nil }},
		{"must not be negative", func(c *idemtest.Consumer[order]) { c.Poll = -1 }},
	}
	for _, tt := range tests {
		t.Run(tt.want, func(t *testing.T) {
			c := sound()
			tt.change(&c)
			report, err := idemtest.Explore(t.Context(), c)
			if err == nil && len(report.Failures) == 1 {
				err = report.Failures[0]
			}
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%v, want one that says %q", err, tt.want)
			}
		})
	}
}

// A proxy passes on whatever else a client does than to ask: COPY both ways, answers
// larger than any buffer, notifications, the cancellation of a query.
func TestProxyPassesEverything(t *testing.T) {
	b := newBench(t)
	var commits atomic.Int64
	proxy, err := idemtest.NewProxy(b.dsn+" application_name=through", func(p idemtest.Point) idemtest.Verdict {
		if p.Commit && p.Answered {
			commits.Add(1)
		}
		return idemtest.Pass
	})
	if err != nil {
		t.Fatal(err)
	}
	defer proxy.Close()
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	conn, err := pgx.Connect(ctx, proxy.DSN())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(context.Background()) }()

	var name string
	if err := conn.QueryRow(ctx, `SHOW application_name`).Scan(&name); err != nil || name != "through" {
		t.Errorf("application_name is %q, %v", name, err)
	}
	var rows [][]any
	for i := range 5000 {
		rows = append(rows, []any{fmt.Sprint(i), i})
	}
	if n, err := conn.CopyFrom(ctx, pgx.Identifier{"invoice"}, []string{"event_id", "cents"}, pgx.CopyFromRows(rows)); n != 5000 || err != nil {
		t.Fatalf("COPY in: %d rows, %v", n, err)
	}
	var out strings.Builder
	if _, err := conn.PgConn().CopyTo(ctx, &out, `COPY (SELECT repeat('x', 1000) FROM invoice) TO STDOUT`); err != nil || out.Len() != 5000*1001 {
		t.Errorf("COPY out: %d bytes, %v", out.Len(), err)
	}
	if _, err := conn.Exec(ctx, `LISTEN news`); err != nil {
		t.Fatal(err)
	}
	if _, err := b.pool.Exec(ctx, `NOTIFY news, 'hello'`); err != nil {
		t.Fatal(err)
	}
	if n, err := conn.WaitForNotification(ctx); err != nil || n.Payload != "hello" {
		t.Errorf("notification %v, %v", n, err)
	}
	if err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error { return invoice(ctx, tx, b.orders[0]) }); err != nil || commits.Load() != 1 {
		t.Errorf("%d commits were seen, want 1; %v", commits.Load(), err)
	}

	slow, cancel := context.WithTimeout(ctx, 50*time.Millisecond)
	defer cancel()
	if _, err := conn.Exec(slow, `SELECT pg_sleep(60)`); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("a cancelled query: %v", err)
	}
	for sleeping := true; sleeping; { // the server was told
		if err := b.pool.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_stat_activity WHERE state = 'active' AND query LIKE 'SELECT pg_sleep%')`).Scan(&sleeping); err != nil {
			t.Fatal(err)
		}
	}

	proxy.Kill()
	if conn, err := pgx.Connect(ctx, proxy.DSN()); err == nil {
		_ = conn.Close(ctx)
		t.Error("a killed proxy takes connections")
	}
}
