// Package service is the billing service: it consumes the shop's events, writes charges and
// refunds, and sends them to the payment provider, each exactly once.
package service

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/consumer/franz"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/money"
	"github.com/idemlint/idemlint/idem/outbox"

	"github.com/idemlint/idemlint/examples/billing/internal/payments"
)

// TopicRetention is the retention.ms of the shop's topics.
const TopicRetention = 7 * 24 * time.Hour

// Retention is how long the dedup table remembers an event: as long as the topics can
// deliver it, and two days for the shop's outbox and for replays of dead letters.
const Retention = TopicRetention + 48*time.Hour

// Config says where the service finds what it works with.
type Config struct {
	// Brokers are the addresses of the Kafka cluster.
	Brokers []string
	// Placed and Cancelled are the topics of the shop's events, DeadLetters is that of the
	// records that cannot be processed.
	Placed, Cancelled, DeadLetters string
	// Group is the consumer group.
	Group string
	// Instance is the name of this process among those of the service. A process that is
	// started again under its name has its partitions back without a rebalance. It may be
	// empty.
	Instance string
	// Provider is the URL of the payment provider.
	Provider string
	// Backoff is how long the outbox waits after a failed attempt, and Poll after it has
	// found nothing to send; the outbox has defaults.
	Backoff func(attempt int) time.Duration
	Poll    time.Duration
	// Client is more of the Kafka clients' options, such as TLS and SASL.
	Client []kgo.Opt
	// Logger gets what goes wrong.
	Logger *slog.Logger
}

//go:embed schema.sql
var schema string

// Prepare brings the database up to date: the dedup table with its partitions, the outbox,
// and the service's own tables. It may be run at every start, by several processes.
func Prepare(ctx context.Context, pool *pgxpool.Pool, cfg idem.Config) error {
	if _, err := idempgx.Migrate(ctx, pool, cfg); err != nil {
		return err
	}
	if err := outbox.Migrate(ctx, stdlib.OpenDBFromPool(pool)); err != nil {
		return err
	}
	err := pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
		// Two processes that create the same table at once get into each other's way.
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtext('billing schema'))`); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, schema)
		return err
	})
	if err != nil {
		return fmt.Errorf("service: the schema: %w", err)
	}
	upkeep, err := idempgx.NewMaintainer(pool, cfg, idempgx.Upkeep{})
	if err != nil {
		return err
	}
	if _, err := upkeep.Maintain(ctx); err != nil {
		return err
	}
	return upkeep.Check(ctx, idempgx.Topic{Name: "the shop's", Retention: TopicRetention, Delay: 24 * time.Hour})
}

// Run runs the service until ctx is done and returns nil then. It returns an error when a
// part of it cannot go on; whoever started the process starts it again.
func Run(ctx context.Context, pool *pgxpool.Pool, store *idem.Store[pgx.Tx], cfg Config) error {
	upkeep, err := idempgx.NewMaintainer(pool, store.Config(), idempgx.Upkeep{})
	if err != nil {
		return err
	}
	worker, err := outbox.NewWorker(stdlib.OpenDBFromPool(pool), outbox.Config{
		Senders: payments.Senders(cfg.Provider),
		Guard:   money.Guard{Window: payments.Window},
		Backoff: cfg.Backoff,
		Poll:    cfg.Poll,
		Logger:  cfg.Logger,
	})
	if err != nil {
		return err
	}
	dead, err := newDeadLetters(cfg)
	if err != nil {
		return err
	}
	defer dead.client.Close()
	processor, err := newCharges(store, cfg, dead)
	if err != nil {
		return err
	}
	charges, err := franz.New(processor, cfg.client(cfg.Placed)...)
	if err != nil {
		return err
	}
	refunds, err := newRefunds(pool, store, cfg, dead)
	if err != nil {
		charges.Client().Close()
		return err
	}
	group, ctx := errgroup.WithContext(ctx)
	group.Go(func() error { return charges.Run(ctx) })
	group.Go(func() error { return refunds.run(ctx) })
	group.Go(func() error { return worker.Run(ctx) })
	group.Go(func() error { return unlessStopped(ctx, upkeep.Run(ctx, time.Hour)) })
	return group.Wait()
}

// unlessStopped returns err, or nil where it is only that of being told to stop.
func unlessStopped(ctx context.Context, err error) error {
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}

// client returns the options of a client that consumes topic.
func (c Config) client(topic string) []kgo.Opt {
	opts := []kgo.Opt{
		kgo.SeedBrokers(c.Brokers...),
		kgo.ConsumeTopics(topic),
		kgo.ConsumeResetOffset(kgo.NewOffset().AtStart()),
	}
	if c.Instance != "" {
		opts = append(opts, kgo.InstanceID(c.Instance))
	}
	return append(opts, c.Client...)
}

// deadLetters writes what cannot be processed to a topic, for a person to look at.
type deadLetters struct {
	client *kgo.Client
	topic  string
}

func newDeadLetters(cfg Config) (*deadLetters, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(cfg.Brokers...))
	if err != nil {
		return nil, fmt.Errorf("service: the producer of dead letters: %w", err)
	}
	return &deadLetters{client, cfg.DeadLetters}, nil
}

func (d *deadLetters) send(ctx context.Context, key, value []byte, cause error) error {
	return d.client.ProduceSync(ctx, &kgo.Record{
		Topic: d.topic, Key: key, Value: value,
		Headers: []kgo.RecordHeader{{Key: "error", Value: []byte(cause.Error())}},
	}).FirstErr()
}

func (d *deadLetters) take(ctx context.Context, f consumer.Failed) error {
	return d.send(ctx, f.Record.Key, f.Record.Value, f.Err)
}
