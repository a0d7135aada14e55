// Package demo shows the billing service at work: it publishes orders, some of them twice,
// lets the service consume them, replays the topics from the beginning, and counts.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/idempgx"

	"github.com/idemlint/idemlint/examples/billing/internal/events"
	"github.com/idemlint/idemlint/examples/billing/internal/provider"
	"github.com/idemlint/idemlint/examples/billing/internal/service"
)

// Demo is what a run works with.
type Demo struct {
	// Orders is how many orders are placed.
	Orders int
	// Pool is the database.
	Pool *pgxpool.Pool
	// Service is the service's configuration. Its topics and group are made for the run.
	Service service.Config
	// Provider is the payment provider that the service calls.
	Provider *provider.Provider
	// Out gets the report.
	Out io.Writer
}

// partitions is how many each topic has.
const partitions = 4

// Run does a run. It returns an error when something could not be done, and when an event
// had its effect twice or not at all.
func (d *Demo) Run(ctx context.Context) error {
	run, err := eventid.New()
	if err != nil {
		return err
	}
	// Topics and a group of the run's own, for a broker that has those of others.
	d.Service.Placed, d.Service.Cancelled = "orders.placed."+run.String(), "orders.cancelled."+run.String()
	d.Service.DeadLetters, d.Service.Group = "billing.dead."+run.String(), "billing."+run.String()

	client, err := kgo.NewClient(kgo.SeedBrokers(d.Service.Brokers...))
	if err != nil {
		return err
	}
	defer client.Close()
	k := kafka{client, kadm.NewClient(client)}
	topics := []string{d.Service.Placed, d.Service.Cancelled, d.Service.DeadLetters}
	if err := k.create(ctx, topics...); err != nil {
		return err
	}
	defer k.remove(context.WithoutCancel(ctx), topics...)

	stream, err := d.publish(ctx, k)
	if err != nil {
		return err
	}
	d.printf("published  %d orders and %d cancellations, some of them twice: %d records", stream.placed, stream.cancelled, stream.records)

	var counted counter
	cfg := idem.Config{Retention: service.Retention, Logger: d.Service.Logger, Observer: counted.observer()}
	if err := service.Prepare(ctx, d.Pool, cfg); err != nil {
		return err
	}
	for _, pass := range []string{"consumed", "replayed"} {
		if pass == "replayed" {
			if err := k.rewind(ctx, d.Service.Placed, d.Service.Group); err != nil {
				return err
			}
			if err := k.rewind(ctx, d.Service.Cancelled, d.Service.Group+"-refunds"); err != nil {
				return err
			}
		}
		if err := d.consume(ctx, k, cfg); err != nil {
			return err
		}
		processed, duplicates := counted.take()
		d.printf("%-10s %d deliveries: %d processed, %d duplicates", pass, processed+duplicates, processed, duplicates)
	}
	return d.check(ctx, stream)
}

// consume runs the service until it has acknowledged every record and sent every call.
func (d *Demo) consume(ctx context.Context, k kafka, cfg idem.Config) error {
	store, err := idem.New(idempgx.New(d.Pool), cfg)
	if err != nil {
		return err
	}
	running, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1)
	go func() { done <- service.Run(running, d.Pool, store, d.Service) }()
	for {
		select {
		case err := <-done:
			return errors.Join(err, ctx.Err())
		case <-time.After(50 * time.Millisecond):
		}
		settled, err := d.settled(ctx, k)
		if err != nil {
			return err
		}
		if settled {
			stop()
			return errors.Join(<-done, ctx.Err())
		}
	}
}

func (d *Demo) settled(ctx context.Context, k kafka) (bool, error) {
	for group, topic := range map[string]string{d.Service.Group: d.Service.Placed, d.Service.Group + "-refunds": d.Service.Cancelled} {
		if behind, err := k.behind(ctx, topic, group); err != nil || behind > 0 {
			return false, err
		}
	}
	pending, err := d.count(ctx, `SELECT count(*) FROM idem_outbox WHERE state = 'pending'`)
	return pending == 0, err
}

// published is what a run has published.
type published struct{ placed, cancelled, records int }

// publish publishes the orders. Every third order and every second cancellation comes
// twice, as from an outbox whose relay has died between the send and its note of it.
func (d *Demo) publish(ctx context.Context, k kafka) (published, error) {
	var p published
	var records []*kgo.Record
	add := func(topic, key string, event any, twice bool) error {
		value, err := json.Marshal(event)
		if err != nil {
			return err
		}
		copies := 1
		if twice {
			copies = 2
		}
		for range copies {
			records = append(records, &kgo.Record{Topic: topic, Key: []byte(key), Value: value})
		}
		return nil
	}
	for i := range d.Orders {
		order, cents := fmt.Sprintf("order-%04d", i+1), int64(1000+i)
		placed, err := events.NewPlaced(order, fmt.Sprintf("customer-%d", i%7), cents)
		if err != nil {
			return p, err
		}
		if err := add(d.Service.Placed, order, placed, i%3 == 0); err != nil {
			return p, err
		}
		p.placed++
		if i%4 != 0 {
			continue
		}
		cancelled, err := events.NewCancelled(order, cents)
		if err != nil {
			return p, err
		}
		if err := add(d.Service.Cancelled, order, cancelled, p.cancelled%2 == 0); err != nil {
			return p, err
		}
		p.cancelled++
	}
	p.records = len(records)
	return p, k.client.ProduceSync(ctx, records...).FirstErr()
}

// check prints what the provider has done, and compares it and the database with what was
// published.
func (d *Demo) check(ctx context.Context, want published) error {
	count := d.Provider.Count()
	d.printf("provider   %d charges and %d refunds in %d requests; %d were done, and the connection was reset within the answer",
		len(count.Charges), len(count.Refunds), count.Requests, count.Lost)
	var wrong []error
	for _, c := range []struct {
		what string
		done map[string]int
		want int
	}{{"charge", count.Charges, want.placed}, {"refund", count.Refunds, want.cancelled}} {
		if len(c.done) != c.want {
			wrong = append(wrong, fmt.Errorf("the provider has done the %s of %d orders, want %d", c.what, len(c.done), c.want))
		}
		for body, n := range c.done {
			if n != 1 {
				wrong = append(wrong, fmt.Errorf("the provider has done the %s %s %d times", c.what, body, n))
			}
		}
		rows, err := d.count(ctx, `SELECT count(*) FROM `+c.what+` JOIN processed_event USING (event_id) WHERE consumer_group LIKE $1 || '%'`, d.Service.Group)
		if err != nil {
			return err
		}
		if rows != c.want {
			wrong = append(wrong, fmt.Errorf("the database has %d rows in %s, want %d", rows, c.what, c.want))
		}
	}
	if len(wrong) > 0 {
		return errors.Join(wrong...)
	}
	d.printf("sound      each order was charged exactly once, and each cancellation refunded exactly once")
	return nil
}

func (d *Demo) count(ctx context.Context, query string, args ...any) (n int, err error) {
	return n, d.Pool.QueryRow(ctx, query, args...).Scan(&n)
}

func (d *Demo) printf(format string, args ...any) {
	_, _ = fmt.Fprintf(d.Out, format+"\n", args...)
}

// counter counts outcomes.
type counter struct {
	mu       sync.Mutex
	outcomes map[idem.Outcome]int
}

func (c *counter) observer() idem.Observer {
	c.outcomes = map[idem.Outcome]int{}
	return idem.Observer{Outcome: func(_ context.Context, _ idem.Event, o idem.Outcome, _ time.Duration) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.outcomes[o]++
	}}
}

// take returns the counts since the last call.
func (c *counter) take() (processed, duplicates int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	processed, duplicates = c.outcomes[idem.Processed], c.outcomes[idem.Duplicate]
	clear(c.outcomes)
	return processed, duplicates
}
