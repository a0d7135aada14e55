package otelidem_test

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/uuid"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/sdk/metric"
	"go.opentelemetry.io/otel/sdk/metric/metricdata"

	"github.com/idemlint/idemlint/idem"
)

// table is a driver that remembers in memory. Its transactions are their own claims.
type table struct {
	faults []error       // of the Begins to come, nil for one that goes well
	wait   time.Duration // of each claim
	held   map[idem.Event]bool
}

func newTable() *table { return &table{held: map[idem.Event]bool{}} }

// code is an error of the database that a retry may mend.
type code string

func (c code) Error() string { return "the database says " + string(c) }

func (t *table) Check(idem.Config) error { return nil }

func (t *table) Begin(ctx context.Context, cfg idem.Config, claims []idem.Event) ([]idem.Event, []bool, error) {
	if len(t.faults) > 0 {
		fault := t.faults[0]
		if t.faults = t.faults[1:]; fault != nil {
			return nil, nil, fault
		}
	}
	first, err := t.Claim(ctx, cfg, nil, claims)
	return claims, first, err
}

func (t *table) Claim(_ context.Context, _ idem.Config, _ []idem.Event, claims []idem.Event) ([]bool, error) {
	time.Sleep(t.wait)
	first := make([]bool, len(claims))
	for i, e := range claims {
		first[i] = !t.held[e]
	}
	return first, nil
}

func (t *table) Commit(_ context.Context, claims []idem.Event) error {
	for _, e := range claims {
		t.held[e] = true
	}
	return nil
}

func (t *table) Rollback(context.Context, []idem.Event) {}

func (t *table) Fault(err error) idem.Fault {
	if c := code(""); errors.As(err, &c) {
		return idem.Fault{Kind: idem.Transient, Code: string(c)}
	}
	return idem.Fault{}
}

var noon = time.Date(2026, 3, 10, 12, 0, 0, 0, time.UTC)

const day = 24 * time.Hour

// config is that of a store which lives at noon.
func config(o idem.Observer) idem.Config {
	return idem.Config{Retention: 9 * day, Backoff: 1, Observer: o, Now: func() time.Time { return noon }}
}

func newStore(t *testing.T, driver *table, cfg idem.Config) *idem.Store[[]idem.Event] {
	t.Helper()
	store, err := idem.New(driver, cfg)
	if err != nil {
		t.Fatal(err)
	}
	return store
}

// aged returns a new event of group billing whose id is of an age at noon.
func aged(age time.Duration) idem.Event {
	id := uuid.New()
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(noon.Add(-age).UnixMilli()))
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x70
	return idem.Event{ID: id.String(), Group: "billing"}
}

func succeed(context.Context, []idem.Event) error { return nil }

// scrape returns everything that the reader collects, by name.
func scrape(t *testing.T, reader metric.Reader) map[string]metricdata.Metrics {
	t.Helper()
	var all metricdata.ResourceMetrics
	if err := reader.Collect(t.Context(), &all); err != nil {
		t.Fatal(err)
	}
	byName := map[string]metricdata.Metrics{}
	for _, scope := range all.ScopeMetrics {
		if scope.Scope.Name != "github.com/idemlint/idemlint/idem/otelidem" {
			t.Errorf("scope %s", scope.Scope.Name)
		}
		for _, m := range scope.Metrics {
			if _, twice := byName[m.Name]; twice {
				t.Errorf("%s is there twice", m.Name)
			}
			byName[m.Name] = m
		}
	}
	return byName
}

// lines returns the points of a metric as text, sorted: its attributes in full, and the
// value, or of a histogram the count.
func lines(t *testing.T, m metricdata.Metrics) []string {
	t.Helper()
	var lines []string
	add := func(attrs attribute.Set, value any) {
		lines = append(lines, fmt.Sprint(attrs.Encoded(attribute.DefaultEncoder()), " ", value))
	}
	switch data := m.Data.(type) {
	case metricdata.Sum[int64]:
		if !data.IsMonotonic {
			t.Errorf("%s may fall", m.Name)
		}
		for _, p := range data.DataPoints {
			add(p.Attributes, p.Value)
		}
	case metricdata.Gauge[float64]:
		for _, p := range data.DataPoints {
			add(p.Attributes, p.Value)
		}
	case metricdata.Histogram[float64]:
		for _, p := range data.DataPoints {
			add(p.Attributes, p.Count)
		}
	default:
		t.Errorf("%s has %T", m.Name, m.Data)
	}
	slices.Sort(lines)
	return lines
}

func check(t *testing.T, m metricdata.Metrics, unit string, want ...string) {
	t.Helper()
	if m.Unit != unit || m.Description == "" {
		t.Errorf("%s: unit %q, description %q", m.Name, m.Unit, m.Description)
	}
	if got := lines(t, m); !slices.Equal(got, want) {
		t.Errorf("%s: %q, want %q", m.Name, got, want)
	}
}
