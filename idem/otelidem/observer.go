package otelidem

import (
	"context"
	"strings"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/codes"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/metric/noop"
	"go.opentelemetry.io/otel/trace"

	"github.com/idemlint/idemlint/idem"
)

// scope names the package in its metrics and spans.
const scope = "github.com/idemlint/idemlint/idem/otelidem"

// Those that the semantic conventions have are theirs.
const (
	groupKey     = attribute.Key("messaging.consumer.group.name")
	topicKey     = attribute.Key("messaging.destination.name")
	sizeKey      = attribute.Key("messaging.batch.message_count")
	tableKey     = attribute.Key("db.collection.name")
	errorTypeKey = attribute.Key("error.type")
	eventKey     = attribute.Key("idem.event.id")
	outcomeKey   = attribute.Key("idem.outcome")
	retriesKey   = attribute.Key("idem.retries")
	claimKey     = attribute.Key("idem.claim.duration")
	batchPrefix  = "idem.batch."
)

// The boundaries of the histograms: a duplicate's age tells a rebalance from a replay and
// a replay from an offset reset; a claim takes milliseconds, or as long as another
// transaction.
var (
	ageBounds   = []float64{1, 10, 60, 600, 3600, 6 * 3600, 86400, 2 * 86400, 3 * 86400, 7 * 86400, 14 * 86400, 28 * 86400}
	claimBounds = []float64{0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60}
)

// Observer returns the Observer of an [idem.Config] that makes the metrics idem.events,
// idem.duplicate.age, idem.claim.duration and idem.retries through mp and the spans
// through tp, see the package's documentation. Several stores may share it.
//
// Either provider may be nil, and there are no metrics or no spans then. The error is one
// of mp, which has not made an instrument.
func Observer(mp metric.MeterProvider, tp trace.TracerProvider) (idem.Observer, error) {
	if mp == nil {
		mp = noop.NewMeterProvider()
	}
	o, err := newObserver(mp.Meter(scope))
	if err != nil {
		return idem.Observer{}, err
	}
	observer := idem.Observer{Outcome: o.outcome, Claimed: o.claimed, Retry: o.retry}
	if tp != nil { // a no-op tracer would hide the caller's span from the work
		o.tracer = tp.Tracer(scope)
		observer.Process, observer.Batch = o.process, o.batch
	}
	return observer, nil
}

type observer struct {
	events, retries metric.Int64Counter
	age, claim      metric.Float64Histogram
	tracer          trace.Tracer
}

func newObserver(meter metric.Meter) (o *observer, err error) {
	o = &observer{}
	if o.events, err = meter.Int64Counter("idem.events", metric.WithUnit("{event}"),
		metric.WithDescription("Events by what became of them.")); err != nil {
		return nil, err
	}
	if o.retries, err = meter.Int64Counter("idem.retries", metric.WithUnit("{retry}"),
		metric.WithDescription("Transactions tried again, by the database's error code.")); err != nil {
		return nil, err
	}
	if o.age, err = meter.Float64Histogram("idem.duplicate.age", metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(ageBounds...),
		metric.WithDescription("Age of duplicates since the birth of their ids.")); err != nil {
		return nil, err
	}
	if o.claim, err = meter.Float64Histogram("idem.claim.duration", metric.WithUnit("s"), metric.WithExplicitBucketBoundaries(claimBounds...),
		metric.WithDescription("Time to claim the events of a transaction, mostly the wait for others that hold them.")); err != nil {
		return nil, err
	}
	return o, nil
}

func (o *observer) outcome(ctx context.Context, e idem.Event, outcome idem.Outcome, age time.Duration) {
	o.events.Add(ctx, 1, metric.WithAttributes(group(e.Group), outcomeKey.String(outcome.String())))
	if outcome == idem.Duplicate && age != 0 { // 0: the id does not tell
		// The producer's clock may be ahead, and a histogram's sum must not fall.
		o.age.Record(ctx, max(age, 0).Seconds(), metric.WithAttributes(group(e.Group)))
	}
}

func (o *observer) claimed(ctx context.Context, name string, _ int, took time.Duration) {
	o.claim.Record(ctx, took.Seconds(), metric.WithAttributes(group(name)))
	if r, ok := ctx.Value(runKey{}).(*run); ok {
		r.claiming.Add(int64(took))
	}
}

func (o *observer) retry(ctx context.Context, name, code string) {
	o.retries.Add(ctx, 1, metric.WithAttributes(group(name), errorTypeKey.String(code)))
	if r, ok := ctx.Value(runKey{}).(*run); ok {
		r.retries.Add(1)
		r.span.AddEvent("idem.retry", trace.WithAttributes(errorTypeKey.String(code)))
	}
}

func (o *observer) process(ctx context.Context, e idem.Event) (context.Context, func(idem.Outcome, error)) {
	ctx, r := o.start(ctx, group(e.Group), eventKey.String(text(e.ID)))
	return ctx, func(outcome idem.Outcome, err error) {
		r.end(err, outcome == idem.Unknown && err == nil, outcomeKey.String(outcome.String()))
	}
}

func (o *observer) batch(ctx context.Context, events []idem.Event) (context.Context, func([]idem.Result, error)) {
	attrs := []attribute.KeyValue{sizeKey.Int(len(events))}
	if name, ok := commonGroup(events); ok {
		attrs = append(attrs, group(name))
	}
	ctx, r := o.start(ctx, attrs...)
	return ctx, func(results []idem.Result, err error) {
		counts := map[idem.Outcome]int{}
		for _, result := range results {
			counts[result.Outcome]++
		}
		var attrs []attribute.KeyValue
		for outcome, n := range counts {
			attrs = append(attrs, attribute.Int(batchPrefix+outcome.String(), n))
		}
		r.end(err, results == nil && err == nil, attrs...)
	}
}

// run is what a span collects until its end. The counters are atomic, since the work may
// claim further events, from several goroutines, in the context that carries the run.
type run struct {
	span     trace.Span
	retries  atomic.Int64
	claiming atomic.Int64
}

type runKey struct{}

func (o *observer) start(ctx context.Context, attrs ...attribute.KeyValue) (context.Context, *run) {
	ctx, span := o.tracer.Start(ctx, "idem.process", trace.WithAttributes(attrs...))
	r := &run{span: span}
	return context.WithValue(ctx, runKey{}, r), r
}

func (r *run) end(err error, panics bool, attrs ...attribute.KeyValue) {
	r.span.SetAttributes(retriesKey.Int64(r.retries.Load()), claimKey.Float64(time.Duration(r.claiming.Load()).Seconds()))
	r.span.SetAttributes(attrs...)
	switch {
	case err != nil:
		r.span.RecordError(err)
		r.span.SetStatus(codes.Error, err.Error())
	case panics:
		r.span.SetStatus(codes.Error, "the work panicked")
	}
	r.span.End()
}

func commonGroup(events []idem.Event) (group string, ok bool) {
	for _, e := range events {
		if e.Group != events[0].Group {
			return "", false
		}
	}
	if len(events) == 0 {
		return "", false
	}
	return events[0].Group, true
}

func group(name string) attribute.KeyValue { return groupKey.String(text(name)) }

// text returns what a payload calls an id as something that an exporter can send: one
// attribute that is not UTF-8 would make it drop everything that it sends along with it.
func text(s string) string {
	const limit = 255 // no store takes more
	return strings.ToValidUTF8(s[:min(len(s), limit)], "\uFFFD")
}
