//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"testing"
	"time"
)

func TestMain(m *testing.M) {
	if os.Getenv(childVariable) != "" {
		os.Exit(child())
	}
	os.Exit(m.Run())
}

// TestFaults lets two processes of the service consume thousands of events while hundreds
// of things go wrong: they are killed at each point between the poll and the
// acknowledgement, their connections to PostgreSQL break before and after each request,
// the server crashes, the provider's answers are lost, and a third process comes and goes.
// At the end each event has had its effect exactly once.
func TestFaults(t *testing.T) {
	w := newWorld(t, false)
	begun := time.Now()
	w.run(2000, 5, 5, 5)
	if err := w.check(); err != nil {
		t.Error(err)
	}
	w.report(time.Since(begun))
}

// TestFaultsFindTheBrokenTable is the control of TestFaults: with a dedup table whose key
// is (event_id, processed_at), the same faults charge orders twice.
func TestFaultsFindTheBrokenTable(t *testing.T) {
	w := newWorld(t, true)
	begun := time.Now()
	w.run(300, 1, 1, 1)
	if err := w.check(); err == nil {
		t.Error("nothing is found wrong with a table that takes every event for new")
	} else {
		t.Log("as it must be: ", err)
	}
	w.report(time.Since(begun))
}

// check returns an error unless each event has had its effect exactly once, in the
// database and at the provider.
func (w *world) check() error {
	ctx := context.Background()
	count := w.provider.Count()
	var wrong []error
	complain := func(format string, args ...any) { wrong = append(wrong, fmt.Errorf(format, args...)) }
	for _, kind := range []struct {
		table     string
		published map[string]string
		done      map[string]int
	}{{"charge", w.placed, count.Charges}, {"refund", w.cancelled, count.Refunds}} {
		rows := map[string]int{}
		result, err := w.pool.Query(ctx, `SELECT event_id::text, count(*) FROM `+kind.table+` GROUP BY event_id`)
		if err != nil {
			return err
		}
		for result.Next() {
			var id string
			var n int
			if err := result.Scan(&id, &n); err != nil {
				return err
			}
			rows[id] = n
		}
		if err := result.Err(); err != nil {
			return err
		}
		lost, repeated, unpaid := 0, 0, 0
		for id, body := range kind.published {
			switch n := rows[id]; {
			case n == 0:
				lost++
			case n > 1:
				repeated++
			}
			if kind.done[body] != 1 {
				unpaid++
			}
		}
		if lost > 0 || repeated > 0 || len(rows) != len(kind.published) {
			complain("of %d events, %d have no %s and %d have several; %d events have one", len(kind.published), lost, kind.table, repeated, len(rows))
		}
		if unpaid > 0 || len(kind.done) != len(kind.published) {
			complain("the provider has done %d of %d %ss not exactly once, and %d in all", unpaid, len(kind.published), kind.table, len(kind.done))
		}
	}
	if count.Keyless > 0 || count.Refused > 0 {
		complain("the provider got %d requests without a key and %d whose key had come with another body", count.Keyless, count.Refused)
	}
	if dead := w.end(w.child.DeadLetters); dead > 0 {
		complain("%d records were dead-lettered", dead)
	}
	return errors.Join(wrong...)
}

// report logs what has happened, and fails the test where a fault of the plan has not.
func (w *world) report(took time.Duration) {
	w.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	count := w.provider.Count()
	total := count.Lost
	for what, n := range w.seen {
		total += n
		w.Logf("%4d %s", n, what)
	}
	w.Logf("%4d lost answers of the provider", count.Lost)
	w.Logf("%d events, %d records, %d faults in %s", len(w.placed)+len(w.cancelled), w.records, total, took.Round(time.Second))
	for _, s := range w.slots {
		if len(s.plan) > 0 {
			w.Errorf("%d faults of the plan were not reached, the first: %s", len(s.plan), s.plan[0])
		}
	}
	if count.Lost == 0 {
		w.Error("no answer of the provider was lost")
	}
}
