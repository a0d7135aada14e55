// Command broken is a billing service with every mistake that idemlint knows about duplicates: the twin of
// command sound, and no model for anything.
package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/idemlint/idemlint/examples/broken/internal/consumer"
	"github.com/idemlint/idemlint/examples/broken/internal/payments"
	"github.com/idemlint/idemlint/examples/broken/internal/store"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
	"golang.org/x/sync/errgroup"
)

// R-KFK-IDEM-2, no TTL: store.PruneDaily is there, but nothing runs it. processed_event grows with the stream until its index no longer fits in memory, and every gate waits for the disk.
func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx); err != nil && !errors.Is(err, context.Canceled) {
		slog.Error("billing ends", "error", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	brokers := strings.Split(os.Getenv("KAFKA_BROKERS"), ",")

	pool, err := pgxpool.New(ctx, os.Getenv("DATABASE_URL"))
	if err != nil {
		return err
	}
	defer pool.Close()
	if err := store.Migrate(ctx, pool); err != nil {
		return err
	}

	writer := &kafka.Writer{Addr: kafka.TCP(brokers...), RequiredAcks: kafka.RequireAll}
	defer writer.Close()
	dead := consumer.NewDeadLetters(writer)

	// CommitInterval stays zero: an offset is committed when CommitMessages says so, not by a clock.
	reader := func(topic, group string) *kafka.Reader {
		return kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, GroupID: group, Topic: topic})
	}
	placed := reader("order.placed", consumer.PlacedGroup)
	defer placed.Close()
	cancelled := reader("order.cancelled", consumer.CancelledGroup)
	defer cancelled.Close()
	amended := reader("order.amended", consumer.AmendedGroup)
	defer amended.Close()
	renewed := reader("order.renewed", consumer.RenewedGroup)
	defer renewed.Close()

	refunded, err := kgo.NewClient(
		kgo.SeedBrokers(brokers...),
		kgo.ConsumerGroup(consumer.RefundedGroup),
		kgo.ConsumeTopics("order.refunded"),
		kgo.DisableAutoCommit(),
	)
	if err != nil {
		return err
	}
	defer refunded.Close()

	worker := payments.NewWorker(pool, &http.Client{Timeout: 10 * time.Second}, os.Getenv("PAYMENT_URL"))

	g, ctx := errgroup.WithContext(ctx)
	g.Go(func() error { return consumer.NewPlaced(placed, dead, pool).Run(ctx) })
	g.Go(func() error { return consumer.NewCancelled(cancelled, dead, pool).Run(ctx) })
	g.Go(func() error { return consumer.NewAmended(amended, dead, pool).Run(ctx) })
	g.Go(func() error { return consumer.NewRenewed(renewed, dead, pool).Run(ctx) })
	g.Go(func() error { return consumer.NewRefunded(refunded, dead, pool).Run(ctx) })
	g.Go(func() error { return worker.Run(ctx) })
	return g.Wait()
}
