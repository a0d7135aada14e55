package otelidem_test

import (
	"context"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"go.opentelemetry.io/otel/metric"
	"go.opentelemetry.io/otel/trace"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/otelidem"
)

// The three calls that make a consumer seen: of its events, of its table's upkeep, and of
// how far it may fall behind.
func Example() {
	setup := func(pool *pgxpool.Pool, mp metric.MeterProvider, tp trace.TracerProvider, lag func(context.Context) (time.Duration, error)) (*idem.Store[pgx.Tx], *idempgx.Maintainer, error) {
		cfg := idem.Config{Retention: 9 * 24 * time.Hour}
		var err error
		if cfg.Observer, err = otelidem.Observer(mp, tp); err != nil {
			return nil, nil, err
		}
		var upkeep idempgx.Upkeep
		if upkeep.OnReport, err = otelidem.OnReport(mp, cfg); err != nil {
			return nil, nil, err
		}
		if _, err = otelidem.Retention(mp, cfg, "billing", func(ctx context.Context) ([]idempgx.Topic, error) {
			behind, err := lag(ctx)
			return []idempgx.Topic{{Name: "orders", Delay: 24 * time.Hour, Lag: behind}}, err
		}); err != nil {
			return nil, nil, err
		}
		// From here on, as without.
		store, err := idem.New(idempgx.New(pool), cfg)
		if err != nil {
			return nil, nil, err
		}
		maintainer, err := idempgx.NewMaintainer(pool, cfg, upkeep)
		return store, maintainer, err
	}
	_ = setup
}
