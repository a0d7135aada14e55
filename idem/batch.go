package idem

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
)

// Result is what became of one event of a batch.
type Result struct {
	// Event is the event as it was given.
	Event Event
	// Outcome is what became of it.
	Outcome Outcome
	// Err is nil for Processed and Duplicate, a [*RefusedError] for a refusal, and for
	// Unknown why it failed.
	Err error
}

// ProcessBatch does for the events of a whole poll what [Store.Process] does for one, in
// one transaction that claims them all with one statement. work is called once with the
// events that are new, as they were given and in their order; not at all when there are
// none. Events that repeat within the batch are one. The context that work gets carries
// no event: where it calls something that needs one, it says which by [WithEvent].
//
// When work fails, or the commit, the transaction is rolled back and work is called again
// for each of the new events alone, in a transaction of its own, so that one bad event
// doesn't hold the others back. So work must be able to take any part of the batch, and
// its error may concern any of its events.
//
// The results are in the order of events, one for each. The error is nil when every event
// was processed or is a duplicate; otherwise it wraps the first result's error, and the
// results say which events it concerns.
func (s *Store[Tx]) ProcessBatch(ctx context.Context, events []Event, work func(ctx context.Context, tx Tx, fresh []Event) error) (results []Result, err error) {
	if f := s.cfg.Observer.Batch; f != nil {
		var end func([]Result, error)
		ctx, end = f(ctx, events)
		defer func() { end(results, err) }()
	}
	b := newBatch(&s.cfg, events)
	if len(b.claims) > 0 {
		s.runBatch(ctx, b, work)
		b.repeats()
	}
	var failed error
	bad := 0
	for i, r := range b.results {
		// What became of a claim was reported as it turned out.
		if c := b.claimOf[i]; c < 0 || i != b.firstOf[c] {
			s.report(ctx, r.Event, r.Outcome, r.Err)
		}
		if r.Err == nil {
			continue
		}
		if bad++; bad == 1 {
			failed = r.Err
		}
	}
	if bad > 0 {
		return b.results, fmt.Errorf("idem: %d of %d events were not processed; the first: %w", bad, len(events), failed)
	}
	return b.results, nil
}

// batch is a poll on its way through the store.
type batch struct {
	results []Result
	// claims are the distinct events that were admitted, sorted: two batches that overlap,
	// as a rebalance makes them, then wait for each other instead of deadlocking.
	claims []Event
	// claimOf has for each event the index of its claim, -1 for one that was turned away.
	claimOf []int
	// firstOf has for each claim the index of the first event that is it.
	firstOf []int
}

func newBatch(cfg *Config, events []Event) *batch {
	n := len(events)
	b := &batch{results: make([]Result, n), claimOf: make([]int, n), claims: make([]Event, 0, n), firstOf: make([]int, 0, n)}
	now, sorted := cfg.Now(), true
	for i, e := range events {
		r := &b.results[i]
		r.Event = e
		claim, err := cfg.admit(e, now)
		if err != nil {
			r.Outcome, r.Err, b.claimOf[i] = Refusal(err), err, -1
			continue
		}
		c := len(b.claims)
		sorted = sorted && (c == 0 || CompareEvents(b.claims[c-1], claim) < 0)
		b.claims, b.firstOf, b.claimOf[i] = append(b.claims, claim), append(b.firstOf, i), c
	}
	if !sorted { // a poll of one partition mostly is
		b.sort()
	}
	return b
}

// sort brings the claims, one for each admitted event so far, into their order and makes
// those of the same event one.
func (b *batch) sort() {
	given, from := b.claims, b.firstOf
	order := make([]int, len(given))
	for k := range order {
		order[k] = k
	}
	// The repeats of an event stand together then, the first one first.
	slices.SortFunc(order, func(k, l int) int { return cmp.Or(CompareEvents(given[k], given[l]), k-l) })
	b.claims, b.firstOf = make([]Event, 0, len(given)), make([]int, 0, len(given))
	for _, k := range order {
		if c := len(b.claims); c == 0 || b.claims[c-1] != given[k] {
			b.claims, b.firstOf = append(b.claims, given[k]), append(b.firstOf, from[k])
		}
		b.claimOf[from[k]] = len(b.claims) - 1
	}
}

// those yields the claims whose flag is the wanted one, in the poll's order.
func (b *batch) those(flags []bool, want bool) iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, c := range b.claimOf {
			if c >= 0 && b.firstOf[c] == i && flags[c] == want && !yield(c) {
				return
			}
		}
	}
}

// events returns the claims as they were given.
func (b *batch) events(claims []int) []Event {
	events := make([]Event, len(claims))
	for i, c := range claims {
		events[i] = b.results[b.firstOf[c]].Event
	}
	return events
}

// settle gives the first event of a claim what became of it.
func (b *batch) settle(claim int, o Outcome, err error) {
	r := &b.results[b.firstOf[claim]]
	r.Outcome, r.Err = o, err
}

// repeats gives the repeats of an event what became of the first, once that is known: they
// are duplicates when it is processed, and share its fate otherwise.
func (b *batch) repeats() {
	for i, c := range b.claimOf {
		if c < 0 || b.firstOf[c] == i {
			continue
		}
		r, first := &b.results[i], b.results[b.firstOf[c]]
		r.Outcome, r.Err = first.Outcome, first.Err
		if r.Outcome == Processed {
			r.Outcome = Duplicate
		}
	}
}

// runBatch claims and works, and settles what became of each claim.
func (s *Store[Tx]) runBatch(ctx context.Context, b *batch, work func(ctx context.Context, tx Tx, fresh []Event) error) {
	settle := func(claims iter.Seq[int], o Outcome, err error) {
		for c := range claims {
			b.settle(c, o, err)
			s.report(ctx, b.claims[c], o, err)
		}
	}
	first, failed := s.transact(ctx, b.claims, func(ctx context.Context, tx Tx, first []bool) error {
		return work(ctx, tx, b.events(slices.Collect(b.those(first, true))))
	})
	if failed != nil {
		first = failed.first
		if failed.stage == claiming {
			first = slices.Repeat([]bool{true}, len(b.claims)) // nobody knows yet
		}
	}
	settle(b.those(first, false), Duplicate, nil)
	if failed == nil {
		settle(b.those(first, true), Processed, nil)
		return
	}
	fresh := slices.Collect(b.those(first, true))
	if hopeless(ctx, failed) || len(fresh) == 1 {
		settle(slices.Values(fresh), failed.outcome(), failed.err)
		return
	}
	s.cfg.Logger.WarnContext(ctx, "idem: the batch failed, its events are tried alone", "group", b.claims[0].Group, "events", len(fresh), "error", failed.err)
	for i, c := range fresh {
		outcome, failed := s.process(ctx, b.claims[c], func(ctx context.Context, tx Tx) error {
			return work(ctx, tx, b.events([]int{c}))
		})
		b.settle(c, outcome, failed.error()) // process has reported it
		if failed != nil && hopeless(ctx, failed) {
			settle(slices.Values(fresh[i+1:]), Unknown, failed.err)
			break
		}
	}
}

// hopeless says whether the other events of the batch would fail in the same way: the
// caller has given up, the database is out of reach, or it refuses the statement that
// claims, because there is no such table for example.
func hopeless(ctx context.Context, f *failure) bool {
	return ctx.Err() != nil || f.lost() || f.stage == claiming && f.kind == Permanent
}
