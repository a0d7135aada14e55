package otelidem_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/otelidem"
)

// TestPartitionsLeft: the gauge counts down from the last report that knew, each table for
// itself.
func TestPartitionsLeft(t *testing.T) {
	reader := metric.NewManualReader()
	mp := metric.NewMeterProvider(metric.WithReader(reader))
	cfg := config(idem.Observer{})
	now := noon
	cfg.Now = func() time.Time { return now }
	tell, err := otelidem.OnReport(mp, cfg)
	if err != nil {
		t.Fatal(err)
	}
	if m, ok := scrape(t, reader)["idem.partition.time_left"]; ok && len(lines(t, m)) > 0 {
		t.Errorf("before the first report: %v", m)
	}
	failed := errors.New("no permission")
	steps := []struct {
		pause  time.Duration
		report idempgx.Report
		err    error
		want   string
	}{
		{0, idempgx.Report{Left: 72 * time.Hour}, nil, "259200"},
		{time.Hour, idempgx.Report{Busy: true}, nil, "255600"},
		{time.Hour, idempgx.Report{}, failed, "252000"},
		{time.Hour, idempgx.Report{Left: 2 * time.Hour}, failed, "7200"},
		{3 * time.Hour, idempgx.Report{}, failed, "-3600"},
		{0, idempgx.Report{Left: 72 * time.Hour}, nil, "259200"},
	}
	for _, s := range steps {
		now = now.Add(s.pause)
		tell(t.Context(), s.report, s.err)
		check(t, scrape(t, reader)["idem.partition.time_left"], "s", "db.collection.name=processed_event "+s.want)
	}

	cfg.Table = "mail.processed_event"
	tellMail, err := otelidem.OnReport(mp, cfg)
	if err != nil {
		t.Fatal(err)
	}
	tellMail(t.Context(), idempgx.Report{Left: time.Hour}, nil)
	check(t, scrape(t, reader)["idem.partition.time_left"], "s", "db.collection.name=mail.processed_event 3600", "db.collection.name=processed_event 259200")

	if _, err := otelidem.OnReport(mp, idem.Config{}); err == nil {
		t.Error("a Config without a Retention was taken")
	}
}

// TestRetentionLeft: each topic of each group has its own, and none once it is unregistered
// or cannot be told.
func TestRetentionLeft(t *testing.T) {
	reader := metric.NewManualReader()
	mp := metric.NewMeterProvider(metric.WithReader(reader))
	cfg := config(idem.Observer{})
	lag := 9*day - time.Hour - 5*time.Minute
	var failed error
	topics := func(context.Context) ([]idempgx.Topic, error) {
		return []idempgx.Topic{
			{Name: "orders", Delay: time.Hour, Lag: lag}, // the skew is 5 minutes
			{Name: "orders.dlq"},
		}, failed
	}
	registration, err := otelidem.Retention(mp, cfg, "billing", topics)
	if err != nil {
		t.Fatal(err)
	}
	read := func(want ...string) {
		t.Helper()
		check(t, scrape(t, reader)["idem.retention.time_left"], "s", want...)
	}
	const dlq = "messaging.consumer.group.name=billing,messaging.destination.name=orders.dlq 777300"
	read("messaging.consumer.group.name=billing,messaging.destination.name=orders 0", dlq)
	lag += time.Second
	read("messaging.consumer.group.name=billing,messaging.destination.name=orders -1", dlq)

	cfg.Retention = 10 * day
	mail, err := otelidem.Retention(mp, cfg, "mail", func(context.Context) ([]idempgx.Topic, error) {
		return []idempgx.Topic{{Name: "orders", Lag: 10 * day}}, nil
	})
	if err != nil {
		t.Fatal(err)
	}
	read("messaging.consumer.group.name=billing,messaging.destination.name=orders -1", dlq,
		"messaging.consumer.group.name=mail,messaging.destination.name=orders -300")
	if err := mail.Unregister(); err != nil {
		t.Fatal(err)
	}
	failed = errors.New("the broker is away")
	if err := reader.Collect(t.Context(), new(metricdata.ResourceMetrics)); !errors.Is(err, failed) {
		t.Errorf("the reader says %v", err)
	}
	failed = nil
	if err := registration.Unregister(); err != nil {
		t.Fatal(err)
	}
	if m, ok := scrape(t, reader)["idem.retention.time_left"]; ok && !slices.Equal(lines(t, m), nil) {
		t.Errorf("after the end: %v", m)
	}

	for _, cfg := range []idem.Config{{}, {Schema: idem.Plain}} {
		if _, err := otelidem.Retention(mp, cfg, "billing", topics); err == nil {
			t.Errorf("%s without a Retention was taken", cfg.Schema)
		}
	}
}
