package idempgx_test

import (
	"context"
	"errors"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem"
)

func events(t testing.TB, n int) []idem.Event {
	t.Helper()
	all := make([]idem.Event, n)
	for i := range all {
		all[i] = event(newID(t))
	}
	return all
}

func outcomes(results []idem.Result) []idem.Outcome {
	all := make([]idem.Outcome, len(results))
	for i, r := range results {
		all[i] = r.Outcome
	}
	return all
}

func TestBatch(t *testing.T) {
	for _, schema := range []idem.Schema{idem.Partitioned, idem.Plain} {
		t.Run(schema.String(), func(t *testing.T) {
			f := newFixture(t, func(c *idem.Config) { c.Schema = schema })
			e := events(t, 4)
			f.want(e[1], idem.Processed)
			claims := f.seen.claims
			shipping := idem.Event{ID: e[1].ID, Group: "shipping"}
			poll := []idem.Event{e[3], e[1], e[0], e[3], {ID: "", Group: group}, e[2], shipping, e[0]}
			var worked [][]idem.Event
			results, err := f.store.ProcessBatch(t.Context(), poll, func(ctx context.Context, tx pgx.Tx, fresh []idem.Event) error {
				worked = append(worked, fresh)
				if _, carried := idem.EventFrom(ctx); carried {
					t.Error("the context of a batch carries an event")
				}
				return effect(ctx, tx, fresh)
			})
			if want := [][]idem.Event{{e[3], e[0], e[2], shipping}}; !slices.EqualFunc(worked, want, slices.Equal) {
				t.Errorf("work got %v, want %v", worked, want)
			}
			want := []idem.Outcome{idem.Processed, idem.Duplicate, idem.Processed, idem.Duplicate, idem.Unknown, idem.Processed, idem.Processed, idem.Duplicate}
			if got := outcomes(results); !slices.Equal(got, want) {
				t.Errorf("%v, want %v", got, want)
			}
			for i, r := range results {
				if r.Event != poll[i] {
					t.Errorf("result %d is of %s", i, r.Event)
				}
			}
			if !errors.Is(err, idem.ErrInvalidEvent) || !errors.Is(results[4].Err, idem.ErrInvalidEvent) {
				t.Errorf("%v, %v", err, results[4].Err)
			}
			if f.seen.claims != claims+1 {
				t.Errorf("%d claims, want one for the batch", f.seen.claims-claims)
			}
			again, err := f.store.ProcessBatch(t.Context(), e, func(context.Context, pgx.Tx, []idem.Event) error {
				t.Error("work was called for duplicates alone")
				return nil
			})
			if err != nil || !slices.Equal(outcomes(again), slices.Repeat([]idem.Outcome{idem.Duplicate}, len(e))) {
				t.Errorf("%v, %v", again, err)
			}
		})
	}
}

func TestEmptyBatch(t *testing.T) {
	f := newFixture(t)
	if results, err := f.store.ProcessBatch(t.Context(), nil, effect); len(results) != 0 || err != nil {
		t.Errorf("%v, %v", results, err)
	}
}

// TestBadEventInABatch: the others are processed, the bad one can come again.
func TestBadEventInABatch(t *testing.T) {
	f := newFixture(t)
	e := events(t, 5)
	f.want(e[4], idem.Processed)
	poison := errors.New("poison")
	calls := 0
	work := func(ctx context.Context, tx pgx.Tx, fresh []idem.Event) error {
		calls++
		if err := effect(ctx, tx, fresh); err != nil {
			return err
		}
		if slices.Contains(fresh, e[2]) {
			return poison
		}
		return nil
	}
	poll := append(slices.Clone(e), e[2])
	results, err := f.store.ProcessBatch(t.Context(), poll, work)
	want := []idem.Outcome{idem.Processed, idem.Processed, idem.Unknown, idem.Processed, idem.Duplicate, idem.Unknown}
	if !slices.Equal(outcomes(results), want) || !errors.Is(err, poison) || !errors.Is(results[2].Err, poison) || !errors.Is(results[5].Err, poison) {
		t.Errorf("%v, %v", results, err)
	}
	if calls != 1+4 {
		t.Errorf("work was called %d times", calls)
	}
	for i, n := range []int{1, 1, 0, 1, 1} {
		if got := f.effects(e[i].ID); got != n {
			t.Errorf("event %d: %d effects, want %d", i, got, n)
		}
	}
	calls = 0
	if _, err := f.store.ProcessBatch(t.Context(), e[2:3], work); !errors.Is(err, poison) || calls != 1 {
		t.Errorf("a batch of one: %v after %d calls", err, calls)
	}
	f.want(e[2], idem.Processed)
}

// TestDeferredConstraint: a failure that comes up at the COMMIT is a bad event as well.
func TestDeferredConstraint(t *testing.T) {
	f := newFixture(t)
	f.exec("CREATE TABLE bill (event_id text UNIQUE DEFERRABLE INITIALLY DEFERRED)")
	e := events(t, 3)
	f.exec("INSERT INTO bill VALUES ($1)", e[1].ID)
	results, err := f.store.ProcessBatch(t.Context(), e, func(ctx context.Context, tx pgx.Tx, fresh []idem.Event) error {
		for _, e := range fresh {
			if _, err := tx.Exec(ctx, "INSERT INTO bill VALUES ($1)", e.ID); err != nil {
				return err
			}
		}
		return nil
	})
	want := []idem.Outcome{idem.Processed, idem.Unknown, idem.Processed}
	if !slices.Equal(outcomes(results), want) || err == nil {
		t.Errorf("%v, %v", results, err)
	}
}

// TestOverlappingBatches: a rebalance gives the same records to two consumers. Their
// batches, in opposite orders, wait for each other; unsorted they would deadlock.
func TestOverlappingBatches(t *testing.T) {
	f := newFixture(t)
	const rounds, size = 12, 1000
	for range rounds {
		e := events(t, size)
		reversed := slices.Clone(e)
		slices.Reverse(reversed)
		done := make([]int, 2)
		start := make(chan struct{})
		var wait sync.WaitGroup
		for i, poll := range [][]idem.Event{e, reversed} {
			wait.Go(func() {
				<-start
				results, err := f.store.ProcessBatch(t.Context(), poll, func(context.Context, pgx.Tx, []idem.Event) error { return nil })
				if err != nil {
					t.Error(err)
				}
				for _, r := range results {
					if r.Outcome == idem.Processed {
						done[i]++
					}
				}
			})
		}
		close(start)
		wait.Wait()
		if done[0]+done[1] != size {
			t.Fatalf("%d and %d of %d events were processed", done[0], done[1], size)
		}
	}
	if len(f.seen.retries) > 0 {
		t.Errorf("there were retries because of %v", f.seen.retries)
	}
}

// TestBatchWithoutTable: without the table every event fails at once, not one by one.
func TestBatchWithoutTable(t *testing.T) {
	f := newFixture(t)
	f.exec("DROP TABLE processed_event")
	e := events(t, 3)
	results, err := f.store.ProcessBatch(t.Context(), e, effect)
	if err == nil || !slices.Equal(outcomes(results), make([]idem.Outcome, 3)) || f.seen.claims != 0 {
		t.Errorf("%v, %v", results, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	cancel()
	if results, err := f.store.ProcessBatch(ctx, e, effect); !errors.Is(err, context.Canceled) || !errors.Is(results[2].Err, context.Canceled) {
		t.Errorf("with a context that is done: %v", err)
	}
}
