//go:build unix

package bench_test

import (
	"testing"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/bench"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

// TestForms: the forms do what they are compared by, and a redelivery does nothing.
func TestForms(t *testing.T) {
	db, err := bench.Open(t.Context(), pgtest.Database(t), 0)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Pool.Close()
	for name, c := range map[string]struct {
		form bench.Form
		want int
	}{"alone": {bench.Alone, 10}, "pair": {bench.Pair, 10}, "naive": {bench.Naive, 5}, "process": {bench.Process, 5}, "queued": {bench.Queued, 5}, "batch": {bench.Batch, 5}} {
		events, err := bench.Events(5)
		if err != nil {
			t.Fatal(err)
		}
		ids := make([]string, len(events))
		for i, e := range events {
			ids[i] = e.ID
		}
		for range 2 {
			if err := c.form(t.Context(), db, events); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		var n int
		if err := db.Pool.QueryRow(t.Context(), "SELECT count(*) FROM payment WHERE event_id = ANY ($1::text[]::uuid[])", ids).Scan(&n); err != nil {
			t.Fatal(err)
		}
		if n != c.want {
			t.Errorf("%s: %d payments, want %d", name, n, c.want)
		}
	}
}

// benchmark measures a form for events in polls of a size; an operation is an event.
func benchmark(b *testing.B, form bench.Form, poll int, replay bool) {
	db, err := bench.Open(b.Context(), pgtest.Database(b), 0)
	if err != nil {
		b.Fatal(err)
	}
	defer db.Pool.Close()
	b.SetParallelism(max(1, bench.Workers/2))
	b.ResetTimer()
	b.RunParallel(func(pb *testing.PB) {
		var events []idem.Event
		var left int
		for pb.Next() {
			if left--; left > 0 {
				continue // counted with the poll that it was in
			}
			left = poll
			if events == nil || !replay {
				var err error
				if events, err = bench.Events(poll); err != nil {
					b.Error(err)
					return
				}
			}
			if err := form(b.Context(), db, events); err != nil {
				b.Error(err)
				return
			}
		}
	})
}

func BenchmarkAlone(b *testing.B)     { benchmark(b, bench.Alone, 1, false) }
func BenchmarkPair(b *testing.B)      { benchmark(b, bench.Pair, 1, false) }
func BenchmarkNaive(b *testing.B)     { benchmark(b, bench.Naive, 1, false) }
func BenchmarkProcess(b *testing.B)   { benchmark(b, bench.Process, 1, false) }
func BenchmarkQueued(b *testing.B)    { benchmark(b, bench.Queued, 1, false) }
func BenchmarkBatch100(b *testing.B)  { benchmark(b, bench.Batch, 100, false) }
func BenchmarkBatch500(b *testing.B)  { benchmark(b, bench.Batch, 500, false) }
func BenchmarkReplay500(b *testing.B) { benchmark(b, bench.Batch, 500, true) }
