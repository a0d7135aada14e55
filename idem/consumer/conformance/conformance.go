//go:build unix

// Package conformance tests the adapters of package consumer: what each of them has to do
// on an in-process Kafka and a real PostgreSQL. The adapters' tests are the packages below
// it.
package conformance

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/idempgx"
)

// Adapter is what is tested.
type Adapter struct {
	// Run runs one consumer of the processor's group on a topic, from its beginning where
	// nothing is committed, until ctx is done.
	Run func(ctx context.Context, p *consumer.Processor, brokers []string, topic string) error
	// HidesErrors says that Run goes on when a record could not be dead-lettered, because
	// the client's own loop delivers it again.
	HidesErrors bool
	// NoPosition says that records come without their partition and offset.
	NoPosition bool
	// ForgetsLast says that the record which was in hand at a stop is not acknowledged,
	// although it is finished.
	ForgetsLast bool
}

// Run runs all tests on an adapter.
func Run(t *testing.T, a Adapter) {
	for _, test := range []struct {
		name string
		run  func(*testing.T, Adapter)
	}{
		{"Once", testOnce},
		{"Batches", testBatches},
		{"Duplicates", testDuplicates},
		{"LostAcknowledgement", testLostAcknowledgement},
		{"OffsetReset", testOffsetReset},
		{"Rebalance", testRebalance},
		{"RebalanceInAnOutage", func(t *testing.T, a Adapter) { testRebalanceInAnOutage(t, a, false) }},
		{"RebalanceInAnOutageOfBatches", func(t *testing.T, a Adapter) { testRebalanceInAnOutage(t, a, true) }},
		{"HandlerFails", testHandlerFails},
		{"Refusals", testRefusals},
		{"DeadLetterFails", func(t *testing.T, a Adapter) { testDeadLetterFails(t, a, false) }},
		{"DeadLetterFailsInABatch", func(t *testing.T, a Adapter) { testDeadLetterFails(t, a, true) }},
		{"NotBeforeTheCommit", testNotBeforeTheCommit},
		{"GracefulStop", testGracefulStop},
		{"Abandoned", testAbandoned},
		{"TwoGroups", testTwoGroups},
		{"DatabaseOutage", testDatabaseOutage},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, a) })
	}
}

// Idle returns a processor that is never used, for tests of a client's options. Its group
// is billing.
func Idle(t *testing.T) *consumer.Processor {
	t.Helper()
	store, err := idem.New(idempgx.New(nil), idem.Config{Retention: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	p, err := consumer.New(consumer.Config[pgx.Tx, string]{
		Store: store, Group: "billing",
		Decode:     func(value []byte) (string, error) { return string(value), nil },
		ID:         func(e string) string { return e },
		Handle:     func(context.Context, pgx.Tx, string) error { return nil },
		DeadLetter: func(context.Context, consumer.Failed) error { return nil },
	})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func testOnce(t *testing.T, a Adapter) {
	w := newWorld(t, a, 2)
	w.produce(2, newEvents(t, 40)...)
	m := w.start("billing", "a")
	w.awaitEffects("billing", 40)
	w.awaitCommitted("billing", 40)
	if err := m.stop(); err != nil {
		t.Error(err)
	}
	if n := w.outcomes(idem.Processed); n != 40 {
		t.Errorf("%d events processed, want 40", n)
	}
}

// batch lets a consumer work on whole polls.
func batch(w *world, group, name string) func(*settings) {
	return func(s *settings) {
		s.Handle = nil
		s.HandleBatch = func(ctx context.Context, tx pgx.Tx, fresh []event) error {
			return w.effect(ctx, tx, group, name, fresh...)
		}
	}
}

func testBatches(t *testing.T, a Adapter) {
	w := newWorld(t, a, 2)
	events := newEvents(t, 40)
	events[10].Broken = true
	events = append(events, events[:5]...)
	w.produce(2, events...)
	m := w.start("billing", "a", batch(w, "billing", "a"))
	w.awaitEffects("billing", 39)
	w.awaitCommitted("billing", 45)
	if err := m.stop(); err != nil {
		t.Error(err)
	}
	if dead := w.deadLetters(); len(dead) != 1 || dead[0].EventID != events[10].EventID {
		t.Errorf("dead letters: %v, want event %s", dead, events[10].EventID)
	}
}

// testDuplicates: in one poll, and in another one.
func testDuplicates(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	events := newEvents(t, 10)
	w.produce(1, slices.Concat(events, events[:5])...)
	w.start("billing", "a")
	w.awaitCommitted("billing", 15)
	w.produce(1, events...)
	w.awaitCommitted("billing", 25)
	w.awaitEffects("billing", 10)
	if n := w.outcomes(idem.Duplicate); n != 15 {
		t.Errorf("%d duplicates, want 15", n)
	}
}

// testLostAcknowledgement: the consumer ends between its transactions and its commits, and
// another one gets the records again.
func testLostAcknowledgement(t *testing.T, a Adapter) {
	w := newWorld(t, a, 2)
	w.produce(2, newEvents(t, 20)...)
	restore := w.loseCommits()
	first := w.start("billing", "a")
	w.awaitEffects("billing", 20)
	_ = first.stop() // an adapter may tell of the commits
	if n := w.committed("billing"); n != 0 {
		t.Fatalf("%d records are acknowledged, want none", n)
	}
	restore()
	before := w.outcomes(idem.Duplicate)
	w.start("billing", "b")
	w.awaitCommitted("billing", 20)
	w.awaitEffects("billing", 20)
	if n := w.outcomes(idem.Duplicate) - before; n < 20 {
		t.Errorf("%d duplicates, want 20", n)
	}
}

func testOffsetReset(t *testing.T, a Adapter) {
	w := newWorld(t, a, 2)
	w.produce(2, newEvents(t, 20)...)
	m := w.start("billing", "a")
	w.awaitCommitted("billing", 20)
	if err := m.stop(); err != nil {
		t.Fatal(err)
	}
	w.rewind("billing", 2)
	w.start("billing", "b")
	w.await("the replay is seen", func() bool { return w.outcomes(idem.Duplicate) >= 20 })
	w.awaitCommitted("billing", 20)
	w.awaitEffects("billing", 20)
}

// testRebalance: a second consumer joins in the middle of the work, takes a part of it,
// and the first one leaves in the middle of the rest.
func testRebalance(t *testing.T, a Adapter) {
	w := newWorld(t, a, 4)
	w.produce(4, newEvents(t, 400)...)
	slowly := func(s *settings) {
		handle := s.Handle
		s.Handle = func(ctx context.Context, tx pgx.Tx, e event) error {
			time.Sleep(10 * time.Millisecond)
			return handle(ctx, tx, e)
		}
	}
	first := w.start("billing", "a", slowly)
	w.await("the first consumer works", func() bool { return w.worksOf("a") >= 20 })
	w.start("billing", "b", slowly)
	w.await("the second consumer works", func() bool { return w.worksOf("b") >= 20 })
	w.produce(4, newEvents(t, 100)...)
	if err := first.stop(); err != nil {
		t.Error(err)
	}
	w.awaitCommitted("billing", 500)
	w.awaitEffects("billing", 500)
}

// testRebalanceInAnOutage: a consumer whose records have to wait without end gives
// partitions up all the same.
func testRebalanceInAnOutage(t *testing.T, a Adapter, batches bool) {
	w := newWorld(t, a, 4)
	w.produce(4, newEvents(t, 40)...)
	start := func(name string, after error) *member {
		return w.start("billing", name, func(s *settings) {
			s.Handle = func(ctx context.Context, tx pgx.Tx, e event) error {
				return cmp.Or(w.effect(ctx, tx, "billing", name, e), after)
			}
			if batches {
				s.Handle, s.HandleBatch = nil, func(ctx context.Context, tx pgx.Tx, fresh []event) error {
					return cmp.Or(w.effect(ctx, tx, "billing", name, fresh...), after)
				}
			}
		})
	}
	first := start("a", fmt.Errorf("provider: %w", net.ErrClosed))
	w.await("the first consumer waits", func() bool { return w.worksOf("a") >= 5 })
	start("b", nil)
	w.await("the second consumer does its part", func() bool {
		_, events := w.effects("billing")
		return events >= 10
	})
	if err := first.stop(); err != nil {
		t.Error(err)
	}
	w.awaitEffects("billing", 40)
	w.awaitCommitted("billing", 40)
	if dead := w.deadLetters(); len(dead) != 0 {
		t.Errorf("dead letters: %v", dead)
	}
}

func testHandlerFails(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	events := newEvents(t, 10)
	events[3].Broken = true
	w.produce(1, events...)
	w.start("billing", "a")
	w.awaitEffects("billing", 9)
	w.awaitCommitted("billing", 10)
	dead := w.deadLetters()
	if len(dead) != 1 {
		t.Fatalf("%d dead letters, want 1", len(dead))
	}
	f := dead[0]
	if f.EventID != events[3].EventID || f.Attempts != 3 || !errors.Is(f.Err, errBroken) {
		t.Errorf("dead letter of %s after %d attempts: %v", f.EventID, f.Attempts, f.Err)
	}
	r := f.Record
	if r.Topic != topic || !strings.Contains(string(r.Value), f.EventID) || !a.NoPosition && (r.Partition != 0 || r.Offset != 3) {
		t.Errorf("the dead letter's record is %s, %s", r, r.Value)
	}
	if !slices.ContainsFunc(r.Headers, func(h consumer.Header) bool { return h.Key == "source" && string(h.Value) == "test" }) {
		t.Errorf("the dead letter's headers are %v", r.Headers)
	}
	if n := w.worksOf("a"); n != 12 {
		t.Errorf("the handler was called %d times, want 12", n)
	}
}

// testRefusals: what no retry can help is dead-lettered at once, and the rest goes on.
func testRefusals(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	good := newEvents(t, 2)
	values := [][]byte{
		[]byte(`{"event_id": "` + good[0].EventID + `"}`),
		[]byte(`not JSON`),
		[]byte(`{"order": 7}`), // the id may stand in a header, where nobody looks
		[]byte(`{"event_id": "` + uuid.NewString() + `"}`),
		[]byte(`{"event_id": "` + idAt(time.Now().Add(-72*time.Hour)) + `"}`),
		[]byte(`{"event_id": "` + idAt(time.Now().Add(time.Hour)) + `"}`),
		[]byte(`{"event_id": "` + good[1].EventID + `"}`),
	}
	w.produceRaw(1, values...)
	w.start("billing", "a")
	w.awaitEffects("billing", 2)
	w.awaitCommitted("billing", 7)
	dead := w.deadLetters()
	if len(dead) != 5 {
		t.Fatalf("%d dead letters, want 5: %v", len(dead), dead)
	}
	for i, f := range dead {
		if string(f.Record.Value) != string(values[i+1]) || f.Attempts != 0 || f.Err == nil {
			t.Errorf("dead letter %d is %s after %d attempts: %v", i, f.Record.Value, f.Attempts, f.Err)
		}
	}
}

// testDeadLetterFails: what could not be dead-lettered is not acknowledged, nor is what
// lies behind it, and comes again.
func testDeadLetterFails(t *testing.T, a Adapter, batches bool) {
	w := newWorld(t, a, 1)
	events := newEvents(t, 10)
	events[3].Broken = true
	w.produce(1, events...)
	w.deadErr = errors.New("the dead-letter topic is away")
	start := func(name string) *member {
		return w.start("billing", name, func(s *settings) {
			if batches {
				batch(w, "billing", name)(s)
			}
		})
	}
	m := start("a")
	if a.HidesErrors {
		w.await("the record is tried", func() bool { return w.worksOf("a") >= 4 })
	} else if err := m.wait(); !errors.Is(err, w.deadErr) {
		t.Errorf("the consumer ended with %v, want %v", err, w.deadErr)
	}
	w.awaitCommitted("billing", 3)
	w.never("the failed record is acknowledged", func() bool { return w.committed("billing") > 3 })
	if !batches { // of a batch, the others are done, and come again as duplicates
		w.awaitEffects("billing", 3)
	}

	w.mu.Lock()
	w.deadErr = nil
	w.mu.Unlock()
	if !a.HidesErrors {
		start("b")
	}
	w.awaitEffects("billing", 9)
	w.awaitCommitted("billing", 10)
	if dead := w.deadLetters(); len(dead) != 1 || dead[0].EventID != events[3].EventID {
		t.Errorf("dead letters: %v", dead)
	}
}

// held makes the handler of an event wait; entered is closed when it does.
func held(e event) (change func(*settings), entered, release chan struct{}) {
	entered, release = make(chan struct{}), make(chan struct{})
	return func(s *settings) {
		handle := s.Handle
		s.Handle = func(ctx context.Context, tx pgx.Tx, got event) error {
			err := handle(ctx, tx, got)
			if got.EventID == e.EventID {
				close(entered)
				select {
				case <-release:
				case <-ctx.Done():
					return ctx.Err()
				}
			}
			return err
		}
	}, entered, release
}

func (w *world) awaitClosed(what string, c chan struct{}) {
	w.Helper()
	select {
	case <-c:
	case <-time.After(patience):
		w.Fatalf("waited in vain: %s", what)
	}
}

// testNotBeforeTheCommit: as long as a transaction is open its record is not acknowledged.
func testNotBeforeTheCommit(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	events := newEvents(t, 3)
	w.produce(1, events...)
	hold, entered, release := held(events[1])
	w.start("billing", "a", hold)
	w.awaitClosed("the handler is in its transaction", entered)
	// Long enough for an adapter that pauses the client over a slow record to do so.
	for range 3 {
		w.never("the record in hand is acknowledged", func() bool { return w.committed("billing") > 1 })
	}
	close(release)
	w.awaitEffects("billing", 3)
	w.awaitCommitted("billing", 3)
}

// testGracefulStop: the record in hand is finished and acknowledged, no other is begun.
func testGracefulStop(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	events := newEvents(t, 10)
	w.produce(1, events...)
	hold, entered, release := held(events[4])
	m := w.start("billing", "a", hold)
	w.awaitClosed("the handler is in its transaction", entered)
	m.cancel()
	time.Sleep(100 * time.Millisecond) // so that the adapter is well into its stop
	close(release)
	if err := m.wait(); err != nil {
		t.Errorf("the consumer ended with %v", err)
	}
	again := 0
	if a.ForgetsLast {
		again = 1
	}
	w.awaitEffects("billing", 5)
	if n := w.committed("billing"); n != 5-again {
		t.Errorf("%d records are acknowledged, want %d", n, 5-again)
	}
	w.start("billing", "b")
	w.awaitEffects("billing", 10)
	w.awaitCommitted("billing", 10)
	if n := w.outcomes(idem.Duplicate); n != again {
		t.Errorf("%d records came again after a graceful stop, want %d", n, again)
	}
}

// testAbandoned: a handler that does not come to its end within the grace is cut off and
// rolled back, and its record comes again.
func testAbandoned(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	events := newEvents(t, 5)
	w.produce(1, events...)
	hold, entered, _ := held(events[2])
	m := w.start("billing", "a", hold, func(s *settings) { s.Grace = 50 * time.Millisecond })
	w.awaitClosed("the handler is in its transaction", entered)
	if err := m.stop(); err != nil {
		t.Errorf("the consumer ended with %v", err)
	}
	w.awaitEffects("billing", 2)
	if n := w.committed("billing"); n != 2 {
		t.Errorf("%d records are acknowledged, want 2", n)
	}
	if dead := w.deadLetters(); len(dead) != 0 {
		t.Errorf("dead letters: %v", dead)
	}
	w.start("billing", "b")
	w.awaitEffects("billing", 5)
}

func testTwoGroups(t *testing.T, a Adapter) {
	w := newWorld(t, a, 2)
	w.produce(2, newEvents(t, 20)...)
	w.start("billing", "a")
	w.start("mailing", "b")
	for _, group := range []string{"billing", "mailing"} {
		w.awaitEffects(group, 20)
		w.awaitCommitted(group, 20)
	}
}

// testDatabaseOutage: without the database nothing is acknowledged and nothing is
// dead-lettered, however many attempts that takes.
func testDatabaseOutage(t *testing.T, a Adapter) {
	w := newWorld(t, a, 1)
	w.exec("ALTER TABLE processed_event RENAME TO gone")
	w.produce(1, newEvents(t, 5)...)
	w.start("billing", "a")
	w.await("the claim has failed often", func() bool { return w.outcomes(idem.Unknown) > 10 })
	if n := w.committed("billing"); n != 0 {
		t.Errorf("%d records are acknowledged", n)
	}
	w.exec("ALTER TABLE gone RENAME TO processed_event")
	w.awaitEffects("billing", 5)
	w.awaitCommitted("billing", 5)
	if dead := w.deadLetters(); len(dead) != 0 {
		t.Errorf("dead letters: %v", dead)
	}
}
