//go:build unix

// Command billing runs the billing service on a stream of orders and shows that each was
// charged exactly once:
//
//	go run . [-orders n] [-brokers host:port,…] [-dsn postgres://…] [-v]
//
// Without -brokers it uses an in-process Kafka, without -dsn a private PostgreSQL that it
// starts from the machine's binaries. The exit status is 1 when an order was charged twice
// or not at all.
package main

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/idemlint/idemlint/idem/idemtest/pglocal"

	"github.com/idemlint/idemlint/examples/billing/internal/demo"
	"github.com/idemlint/idemlint/examples/billing/internal/provider"
	"github.com/idemlint/idemlint/examples/billing/internal/service"
)

func main() {
	orders := flag.Int("orders", 200, "how many orders are placed")
	brokers := flag.String("brokers", "", "the addresses of a Kafka cluster; default: one in this process")
	dsn := flag.String("dsn", "", "a PostgreSQL database; default: a private server")
	verbose := flag.Bool("v", false, "log what goes wrong on the way")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *orders, *brokers, *dsn, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "billing:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, orders int, brokers, dsn string, verbose bool) error {
	if dsn == "" {
		server, err := pglocal.Start()
		if err != nil {
			return fmt.Errorf("no -dsn is given, and no private server starts: %w", err)
		}
		defer server.Close()
		dsn = server.DSN()
	}
	pool, err := pgxpool.New(ctx, dsn)
	if err != nil {
		return err
	}
	defer pool.Close()

	addresses := strings.Split(brokers, ",")
	if brokers == "" {
		broker, err := kfake.NewCluster(kfake.NumBrokers(1))
		if err != nil {
			return err
		}
		defer broker.Close()
		addresses = broker.ListenAddrs()
	}

	// Every third answer is lost, and its call is sent again.
	bank := provider.Start(func(request int) bool { return request%3 == 0 })
	defer bank.Close()

	logger := slog.New(slog.DiscardHandler)
	if verbose {
		logger = slog.New(slog.NewTextHandler(os.Stderr, nil))
	}
	d := demo.Demo{
		Orders:   orders,
		Pool:     pool,
		Provider: bank,
		Out:      os.Stdout,
		Service: service.Config{
			Brokers:  addresses,
			Provider: bank.URL(),
			// Short, since the demonstration has nobody to spare.
			Backoff: func(int) time.Duration { return 50 * time.Millisecond },
			Poll:    100 * time.Millisecond,
			Logger:  logger,
		},
	}
	return d.Run(ctx)
}
