package otelidem

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"go.opentelemetry.io/otel/metric"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
)

// OnReport returns the OnReport of an [idempgx.Upkeep] that makes the gauge
// idem.partition.time_left through mp, for the table of cfg, which should be the Config of
// the store.
//
// The gauge counts down from the last report that told how far the partitions reach. So it
// falls while the upkeep fails and while it does not run; and also in a process whose
// upkeep finds another one at work, wherefore the highest of all processes counts.
//
// The error is one of cfg, or of mp, which has not made the gauge.
func OnReport(mp metric.MeterProvider, cfg idem.Config) (func(ctx context.Context, r idempgx.Report, err error), error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	var end atomic.Pointer[time.Time]
	table := metric.WithAttributes(tableKey.String(cfg.Table))
	_, err = gauge(mp, "idem.partition.time_left", "How long the partitions of the dedup table will last.", func(_ context.Context, observe observe) error {
		if until := end.Load(); until != nil {
			observe(until.Sub(cfg.Now()), table)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return func(_ context.Context, r idempgx.Report, _ error) {
		if r.Left != 0 {
			until := cfg.Now().Add(r.Left)
			end.Store(&until)
		}
	}, nil
}

// Retention makes the gauge idem.retention.time_left through mp, for what a group reads
// from each of its topics: what is left of the Retention of cfg, which should be the
// Config of the store, without the clocks' Skew, the topic's Delay and the group's Lag.
// Below zero is where [idempgx.Maintainer.Check] fails.
//
// topics is called whenever the metrics are collected, with the collection's context. It
// must be quick, so if it is not, let it tell what was looked up before. Its error leaves
// this gauge out of the collection; the provider reports it.
//
// The gauge ends by Unregister, to be called before what topics asks is closed. The error
// is one of cfg, or of mp, which has not made the gauge.
func Retention(mp metric.MeterProvider, cfg idem.Config, group string, topics func(ctx context.Context) ([]idempgx.Topic, error)) (metric.Registration, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	if cfg.Retention == 0 {
		return nil, fmt.Errorf("otelidem: table %s keeps its rows for ever, so no group can fall behind its retention; leave the gauge out, or set Config.Retention", cfg.Table)
	}
	return gauge(mp, "idem.retention.time_left", "How much later the group may read its next record before the dedup table has forgotten the event.", func(ctx context.Context, observe observe) error {
		known, err := topics(ctx)
		if err != nil {
			return fmt.Errorf("otelidem: the topics of group %s: %w", group, err)
		}
		for _, topic := range known {
			left := cfg.Retention - cfg.Skew - topic.Delay - topic.Lag
			observe(left, metric.WithAttributes(groupKey.String(text(group)), topicKey.String(text(topic.Name))))
		}
		return nil
	})
}

type observe func(left time.Duration, attributes metric.MeasurementOption)

// gauge makes a gauge of seconds that callback feeds.
func gauge(mp metric.MeterProvider, name, description string, callback func(context.Context, observe) error) (metric.Registration, error) {
	meter := mp.Meter(scope)
	g, err := meter.Float64ObservableGauge(name, metric.WithUnit("s"), metric.WithDescription(description))
	if err != nil {
		return nil, err
	}
	return meter.RegisterCallback(func(ctx context.Context, to metric.Observer) error {
		return callback(ctx, func(left time.Duration, attributes metric.MeasurementOption) {
			to.ObserveFloat64(g, left.Seconds(), attributes)
		})
	}, g)
}
