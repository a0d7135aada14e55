package otelidem_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"
	sdktrace "go.opentelemetry.io/otel/sdk/trace"
	"go.opentelemetry.io/otel/sdk/trace/tracetest"
	"go.opentelemetry.io/otel/trace"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/otelidem"
)

var errWork = errors.New("the account is closed")

// TestMetrics drives two stores that share the instruments, each by an Observer of its own.
func TestMetrics(t *testing.T) {
	reader := metric.NewManualReader()
	mp := metric.NewMeterProvider(metric.WithReader(reader))
	store := func(driver *table) *idem.Store[[]idem.Event] {
		o, err := otelidem.Observer(mp, nil)
		if err != nil {
			t.Fatal(err)
		}
		return newStore(t, driver, config(o))
	}
	one, two := newTable(), newTable()
	one.wait = 20 * time.Millisecond
	one.faults = []error{code("40001"), code("40001"), nil, code("55P03")}
	process := func(s *idem.Store[[]idem.Event], e idem.Event, work func(context.Context, []idem.Event) error) {
		_, _ = s.Process(t.Context(), e, work)
	}
	billing, other := store(one), store(two)
	first := aged(time.Hour)
	process(billing, first, succeed)
	process(billing, first, succeed)
	process(billing, aged(10*day), succeed)
	process(billing, aged(-day), succeed)
	process(billing, idem.Event{ID: "17", Group: "billing"}, succeed)
	process(billing, aged(0), func(context.Context, []idem.Event) error { return errWork })
	if _, err := billing.TryMarkProcessed(t.Context(), nil, first.ID, first.Group); err != nil {
		t.Fatal(err)
	}
	process(other, first, succeed)
	poll := []idem.Event{first, aged(0), aged(0), {ID: first.ID, Group: "mail"}}
	if _, err := other.ProcessBatch(t.Context(), poll, func(context.Context, []idem.Event, []idem.Event) error { return nil }); err != nil {
		t.Fatal(err)
	}

	got := scrape(t, reader)
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"idem.claim.duration", "idem.duplicate.age", "idem.events", "idem.retries"}) {
		t.Errorf("the metrics are %q", names)
	}
	check(t, got["idem.events"], "{event}",
		"idem.outcome=duplicate,messaging.consumer.group.name=billing 3",
		"idem.outcome=not_v7,messaging.consumer.group.name=billing 1",
		"idem.outcome=processed,messaging.consumer.group.name=billing 4",
		"idem.outcome=processed,messaging.consumer.group.name=mail 1",
		"idem.outcome=too_new,messaging.consumer.group.name=billing 1",
		"idem.outcome=too_old,messaging.consumer.group.name=billing 1",
		"idem.outcome=unknown,messaging.consumer.group.name=billing 1")
	check(t, got["idem.retries"], "{retry}",
		"error.type=40001,messaging.consumer.group.name=billing 2",
		"error.type=55P03,messaging.consumer.group.name=billing 1")
	check(t, got["idem.duplicate.age"], "s", "messaging.consumer.group.name=billing 3")
	if sum := histogram(t, got["idem.duplicate.age"]).Sum; sum != 3*3600 {
		t.Errorf("the ages sum up to %g s", sum)
	}
	check(t, got["idem.claim.duration"], "s", "messaging.consumer.group.name=billing 6")
	if sum := histogram(t, got["idem.claim.duration"]).Sum; sum < 4*0.020 || sum > 10 {
		t.Errorf("the claims sum up to %g s", sum)
	}
}

func histogram(t *testing.T, m metricdata.Metrics) metricdata.HistogramDataPoint[float64] {
	t.Helper()
	data, ok := m.Data.(metricdata.Histogram[float64])
	if !ok || len(data.DataPoints) != 1 {
		t.Fatalf("%s is %T of %v", m.Name, m.Data, m.Data)
	}
	return data.DataPoints[0]
}

// TestDuplicateAge: the buckets tell a rebalance from a replay, weeks apart; an age below
// zero counts as none, and one that nobody knows does not count.
func TestDuplicateAge(t *testing.T) {
	reader := metric.NewManualReader()
	o, err := otelidem.Observer(metric.NewMeterProvider(metric.WithReader(reader)), nil)
	if err != nil {
		t.Fatal(err)
	}
	duplicate := func(e idem.Event, cfg idem.Config) {
		t.Helper()
		store := newStore(t, newTable(), cfg)
		for _, want := range []idem.Outcome{idem.Processed, idem.Duplicate} {
			if got, err := store.Process(t.Context(), e, succeed); got != want {
				t.Fatal(got, err)
			}
		}
	}
	cfg := config(o)
	cfg.Retention = 40 * day
	ages := []time.Duration{-4 * time.Minute, 5 * time.Second, 30 * time.Second, 5 * time.Minute, time.Hour, day, 6 * day, 10 * day, 20 * day, 35 * day}
	want := time.Duration(0)
	for _, age := range ages {
		duplicate(aged(age), cfg)
		want += max(age, 0)
	}
	cfg.Schema = idem.Plain
	duplicate(idem.Event{ID: "17", Group: "billing"}, cfg)

	point := histogram(t, scrape(t, reader)["idem.duplicate.age"])
	if point.Count != uint64(len(ages)) || point.Sum != want.Seconds() {
		t.Errorf("%d duplicates of %g s, want %d of %g s", point.Count, point.Sum, len(ages), want.Seconds())
	}
	for i, n := range point.BucketCounts {
		if n > 1 {
			t.Errorf("%d of the ages are in bucket %d of %v", n, i, point.Bounds)
		}
	}
}

// recorder returns a provider and what it has recorded.
func recorder() (*sdktrace.TracerProvider, *tracetest.InMemoryExporter) {
	exporter := tracetest.NewInMemoryExporter()
	return sdktrace.NewTracerProvider(sdktrace.WithSyncer(exporter)), exporter
}

// describe returns a span as text: name, status, attributes, events.
func describe(s tracetest.SpanStub) string {
	var attrs []string
	for _, a := range s.Attributes {
		if a.Key == "idem.claim.duration" { // a time, see TestSpanOfAWait
			continue
		}
		attrs = append(attrs, string(a.Key)+"="+a.Value.String())
	}
	slices.Sort(attrs)
	for _, e := range s.Events {
		attrs = append(attrs, e.Name)
		for _, a := range e.Attributes {
			if a.Key != "exception.type" {
				attrs = append(attrs, string(a.Key)+"="+a.Value.String())
			}
		}
	}
	return s.Name + " " + s.Status.Code.String() + " " + strings.Join(attrs, " ")
}

func TestSpans(t *testing.T) {
	tp, spans := recorder()
	o, err := otelidem.Observer(nil, tp)
	if err != nil {
		t.Fatal(err)
	}
	driver := newTable()
	store := newStore(t, driver, config(o))
	e := aged(time.Hour)
	mail := idem.Event{ID: e.ID, Group: "mail"}
	first, second := aged(0), aged(0)
	process := func(e idem.Event, err error) func() {
		return func() {
			_, _ = store.Process(t.Context(), e, func(context.Context, []idem.Event) error { return err })
		}
	}
	batch := func(work func(fresh []idem.Event) error, poll ...idem.Event) func() {
		return func() {
			_, _ = store.ProcessBatch(t.Context(), poll, func(_ context.Context, _, fresh []idem.Event) error { return work(fresh) })
		}
	}
	fine := func([]idem.Event) error { return nil }
	of := func(e idem.Event, outcome string, retries int) string {
		return fmt.Sprintf("idem.event.id=%s idem.outcome=%s idem.retries=%d messaging.consumer.group.name=%s", e.ID, outcome, retries, e.Group)
	}
	for _, c := range []struct {
		name   string
		faults []error
		do     func()
		want   string
	}{
		{"processed", nil, process(e, nil), "idem.process Unset " + of(e, "processed", 0)},
		{"duplicate", nil, process(e, nil), "idem.process Unset " + of(e, "duplicate", 0)},
		{"retries", []error{code("40001"), code("40P01")}, process(mail, nil), "idem.process Unset " + of(mail, "processed", 2) + " idem.retry error.type=40001 idem.retry error.type=40P01"},
		{"error", nil, process(first, errWork), "idem.process Error " + of(first, "unknown", 0) + " exception exception.message=the account is closed"},
		{"batch", nil, batch(fine, e, first, second), "idem.process Unset idem.batch.duplicate=1 idem.batch.processed=2 idem.retries=0 messaging.batch.message_count=3 messaging.consumer.group.name=billing"},
		{"batch of two groups", []error{code("40001")}, batch(fine, e, mail), "idem.process Unset idem.batch.duplicate=2 idem.retries=1 messaging.batch.message_count=2 idem.retry error.type=40001"},
		{"empty batch", nil, batch(fine), "idem.process Unset idem.retries=0 messaging.batch.message_count=0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			spans.Reset()
			driver.faults = c.faults
			c.do()
			if got := spans.GetSpans(); len(got) != 1 || describe(got[0]) != c.want {
				t.Errorf("%d spans, %q; want %q", len(got), describe(got[0]), c.want)
			}
		})
	}

	t.Run("batch with a bad event", func(t *testing.T) {
		spans.Reset()
		third, bad := aged(0), aged(0)
		batch(func(fresh []idem.Event) error {
			if slices.Contains(fresh, bad) {
				return errWork
			}
			return nil
		}, third, bad)()
		got := spans.GetSpans()[0]
		if want := "idem.process Error idem.batch.processed=1 idem.batch.unknown=1 idem.retries=0 messaging.batch.message_count=2 messaging.consumer.group.name=billing exception exception.message="; !strings.HasPrefix(describe(got), want) {
			t.Errorf("%q, want %q", describe(got), want)
		}
		if !strings.Contains(got.Status.Description, errWork.Error()) {
			t.Errorf("the status is %q", got.Status.Description)
		}
	})
	t.Run("refusal", func(t *testing.T) {
		spans.Reset()
		old := aged(10 * day)
		process(old, nil)()
		got := spans.GetSpans()[0]
		if want := "idem.process Error " + of(old, "too_old", 0) + " exception "; !strings.HasPrefix(describe(got), want) {
			t.Errorf("%q, want %q", describe(got), want)
		}
	})
}

// TestSpanOfAPanic: a panic ends the span, as an error.
func TestSpanOfAPanic(t *testing.T) {
	tp, spans := recorder()
	o, err := otelidem.Observer(nil, tp)
	if err != nil {
		t.Fatal(err)
	}
	store := newStore(t, newTable(), config(o))
	for name, do := range map[string]func(){
		"one": func() {
			_, _ = store.Process(t.Context(), aged(0), func(context.Context, []idem.Event) error { panic(errWork) })
		},
		"batch": func() {
			_, _ = store.ProcessBatch(t.Context(), []idem.Event{aged(0)}, func(context.Context, []idem.Event, []idem.Event) error { panic(errWork) })
		},
	} {
		spans.Reset()
		func() {
			defer func() { _ = recover() }()
			do()
		}()
		if got := spans.GetSpans(); len(got) != 1 || got[0].Status.Code != codes.Error || got[0].Status.Description != "the work panicked" {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestSpanOfAWait: the span tells how much of it was waiting for claims.
func TestSpanOfAWait(t *testing.T) {
	tp, spans := recorder()
	o, err := otelidem.Observer(nil, tp)
	if err != nil {
		t.Fatal(err)
	}
	driver := newTable()
	driver.wait = 20 * time.Millisecond
	store := newStore(t, driver, config(o))
	if _, err := store.Process(t.Context(), aged(0), succeed); err != nil {
		t.Fatal(err)
	}
	span := spans.GetSpans()[0]
	for _, a := range span.Attributes {
		if a.Key == "idem.claim.duration" {
			if s := a.Value.AsFloat64(); s < 0.020 || s > span.EndTime.Sub(span.StartTime).Seconds() {
				t.Errorf("the claim took %g s", s)
			}
			return
		}
	}
	t.Error("the span does not tell how long the claim took")
}

// TestWorkInTheSpan: the work is in the span, the span in the caller's, and the metrics of
// an event point to its trace.
func TestWorkInTheSpan(t *testing.T) {
	tp, spans := recorder()
	reader := metric.NewManualReader()
	o, err := otelidem.Observer(metric.NewMeterProvider(metric.WithReader(reader)), tp)
	if err != nil {
		t.Fatal(err)
	}
	store := newStore(t, newTable(), config(o))
	ctx, poll := tp.Tracer("consumer").Start(t.Context(), "poll")
	charge := func(ctx context.Context) {
		_, span := tp.Tracer("work").Start(ctx, "charge")
		span.End()
	}
	if _, err := store.Process(ctx, aged(0), func(ctx context.Context, _ []idem.Event) error { charge(ctx); return nil }); err != nil {
		t.Fatal(err)
	}
	if _, err := store.ProcessBatch(ctx, []idem.Event{aged(0)}, func(ctx context.Context, _, _ []idem.Event) error { charge(ctx); return nil }); err != nil {
		t.Fatal(err)
	}
	got := spans.GetSpans()
	for i := 0; i < 4; i += 2 {
		work, process := got[i], got[i+1]
		if work.Name != "charge" || work.Parent.SpanID() != process.SpanContext.SpanID() || process.Parent.SpanID() != poll.SpanContext().SpanID() {
			t.Errorf("%s in %s, %s in %s; the caller's is %s", work.Name, work.Parent.SpanID(), process.Name, process.Parent.SpanID(), poll.SpanContext().SpanID())
		}
	}
	exemplars := histogram(t, scrape(t, reader)["idem.claim.duration"]).Exemplars
	if id := poll.SpanContext().TraceID(); len(exemplars) == 0 || !slices.Equal(exemplars[0].TraceID, id[:]) {
		t.Errorf("the exemplars are %v, the trace is %s", exemplars, id)
	}
}

// TestWithoutProviders: where spans are not wanted, the work has its caller's.
func TestWithoutProviders(t *testing.T) {
	o, err := otelidem.Observer(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	tp, _ := recorder()
	ctx, poll := tp.Tracer("consumer").Start(t.Context(), "poll")
	driver := newTable()
	driver.faults = []error{code("40001")}
	_, err = newStore(t, driver, config(o)).Process(ctx, aged(0), func(ctx context.Context, _ []idem.Event) error {
		if trace.SpanFromContext(ctx) != poll {
			t.Error("the work is in another span")
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestHostileID: an id that is no text, or has no end, does no harm to an exporter.
func TestHostileID(t *testing.T) {
	tp, spans := recorder()
	reader := metric.NewManualReader()
	o, err := otelidem.Observer(metric.NewMeterProvider(metric.WithReader(reader)), tp)
	if err != nil {
		t.Fatal(err)
	}
	store := newStore(t, newTable(), config(o))
	hostile := "\xff" + strings.Repeat("é", 1<<20)
	if outcome, err := store.Process(t.Context(), idem.Event{ID: hostile, Group: hostile}, succeed); err == nil {
		t.Fatal(outcome)
	}
	texts := lines(t, scrape(t, reader)["idem.events"])
	for _, a := range spans.GetSpans()[0].Attributes {
		texts = append(texts, a.Value.String())
	}
	for _, text := range texts {
		if !utf8.ValidString(text) || len(text) > 400 {
			t.Errorf("%d bytes, %.40q", len(text), text)
		}
	}
}
