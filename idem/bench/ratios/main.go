//go:build unix

// Command ratios measures what package idem costs and saves, each figure as a ratio of two
// things that were measured in turns on one PostgreSQL, which it starts for the purpose
// from the machine's binaries: ratios, unlike rates, mean something on another machine.
//
//	go run ./bench/ratios [-rows n] [-round duration] [-rounds n]
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/bench"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func main() {
	rows := flag.Int("rows", 1_000_000, "rows of the tables whose ids and removal are compared")
	round := flag.Duration("round", time.Second, "how long each form runs in a round")
	rounds := flag.Int("rounds", 5, "rounds; the medians are compared")
	flag.Parse()
	if err := run(context.Background(), *rows, *round, *rounds); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, rows int, round time.Duration, rounds int) error {
	fmt.Printf("%-68s %8s %8s\n", "ratio", "measured", "at least")
	for _, step := range []struct {
		delay   time.Duration
		measure func(*ratios, context.Context) error
	}{
		{0, (*ratios).near},
		{time.Millisecond, (*ratios).far},
		{0, (*ratios).replay},
		{0, (*ratios).ids},
		{0, (*ratios).removal},
	} {
		r := &ratios{round: round, rounds: rounds, rows: rows}
		if err := r.isolated(ctx, step.delay, step.measure); err != nil {
			return err
		}
	}
	return nil
}

type ratios struct {
	db     *bench.DB
	round  time.Duration
	rounds int
	rows   int
}

// isolated measures on a server of its own: what one measurement leaves to the autovacuum,
// and to the disk, is not the next one's.
func (r *ratios) isolated(ctx context.Context, delay time.Duration, measure func(*ratios, context.Context) error) error {
	server, err := pgtest.Start("fsync=on", "synchronous_commit=on", "full_page_writes=on", "shared_buffers=256MB", "max_wal_size=4GB")
	if err != nil {
		return err
	}
	defer server.Close()
	if r.db, err = bench.Open(ctx, server.DSN(), delay); err != nil {
		return err
	}
	defer r.db.Pool.Close()
	return measure(r, ctx)
}

// report prints a ratio and what it should be at least; 0 stands for nothing.
func report(what string, ratio, least float64) {
	if least == 0 {
		fmt.Printf("%-68s %8.2f\n", what, ratio)
		return
	}
	fmt.Printf("%-68s %8.2f %8.2f\n", what, ratio, least)
}

// a contender is a form with the size of its polls.
type contender struct {
	form bench.Form
	poll int
}

// rates lets the contenders run in turns and returns each one's median of events a second.
func (r *ratios) rates(ctx context.Context, contenders ...contender) ([]float64, error) {
	measured := make([][]float64, len(contenders))
	for range r.rounds {
		for i, c := range contenders {
			rate, err := c.rate(ctx, r.db, r.round)
			if err != nil {
				return nil, err
			}
			measured[i] = append(measured[i], rate)
		}
	}
	medians := make([]float64, len(contenders))
	for i, m := range measured {
		medians[i] = median(m)
	}
	return medians, nil
}

func median(values []float64) float64 {
	slices.Sort(values)
	return values[len(values)/2]
}

func (c contender) rate(ctx context.Context, db *bench.DB, d time.Duration) (float64, error) {
	var done atomic.Int64
	var failed error
	var once sync.Once
	var wait sync.WaitGroup
	began := time.Now()
	for range bench.Workers {
		wait.Go(func() {
			for time.Since(began) < d {
				events, err := bench.Events(c.poll)
				if err == nil {
					err = c.form(ctx, db, events)
				}
				if err != nil {
					once.Do(func() { failed = err })
					return
				}
				done.Add(int64(c.poll))
			}
		})
	}
	wait.Wait()
	return float64(done.Load()) / time.Since(began).Seconds(), failed
}

func (r *ratios) near(ctx context.Context) error { return r.forms(ctx, "on a socket", 1.0) }

func (r *ratios) far(ctx context.Context) error {
	return r.forms(ctx, "with 1 ms more a trip", 1.4)
}

// forms compares the ways to process an event. least is for the one in two round trips.
func (r *ratios) forms(ctx context.Context, where string, least float64) error {
	rates, err := r.rates(ctx, contender{bench.Alone, 1}, contender{bench.Naive, 1}, contender{bench.Process, 1}, contender{bench.Queued, 1}, contender{bench.Pair, 1}, contender{bench.Batch, 100})
	if err != nil {
		return err
	}
	plain, naive, process, queued, pair, batch := rates[0], rates[1], rates[2], rates[3], rates[4], rates[5]
	report("one event, statement queued / no dedup at all, "+where, queued/plain, least)
	report("no dedup, two trips / no dedup at all, "+where, pair/plain, 0)
	report("one event, statement executed / no dedup at all, "+where, process/plain, 0)
	report("one event, dedup by hand / no dedup at all, "+where, naive/plain, 0)
	report("batch of 100 / one event with dedup by hand, "+where, batch/naive, 20)
	return nil
}

// replay processes batches for the first time and again.
func (r *ratios) replay(ctx context.Context) error {
	const poll, polls = 500, 400
	var first, again []float64
	var wal int64
	for range r.rounds {
		batches := make([][]idem.Event, polls)
		for i := range batches {
			var err error
			if batches[i], err = bench.Events(poll); err != nil {
				return err
			}
		}
		pass := func() (float64, error) {
			var wait sync.WaitGroup
			failed := make([]error, bench.Workers)
			began := time.Now()
			for w := range bench.Workers {
				wait.Go(func() {
					for i := w; i < polls && failed[w] == nil; i += bench.Workers {
						failed[w] = bench.Batch(ctx, r.db, batches[i])
					}
				})
			}
			wait.Wait()
			return poll * polls / time.Since(began).Seconds(), errors.Join(failed...)
		}
		rate, err := pass()
		if err != nil {
			return err
		}
		first = append(first, rate)
		before, err := r.walPosition(ctx)
		if err != nil {
			return err
		}
		if rate, err = pass(); err != nil {
			return err
		}
		again = append(again, rate)
		after, err := r.walPosition(ctx)
		if err != nil {
			return err
		}
		wal += after - before
	}
	report("replay of duplicates / first delivery, batches of 500", median(again)/median(first), 5)
	fmt.Printf("%-68s %8d\n", fmt.Sprintf("bytes of WAL of all the server for %d replayed events", poll*polls*r.rounds), wal)
	return nil
}

func (r *ratios) walPosition(ctx context.Context) (position int64, err error) {
	err = r.db.Pool.QueryRow(ctx, "SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint").Scan(&position)
	return position, err
}

func (r *ratios) exec(ctx context.Context, statements ...string) error {
	for _, s := range statements {
		if _, err := r.db.Pool.Exec(ctx, s); err != nil {
			return fmt.Errorf("%s: %w", s, err)
		}
	}
	return nil
}

// ids loads two tables, in turns and in batches of 500, with ids of version 7 in order
// and with ids of version 4.
func (r *ratios) ids(ctx context.Context) error {
	const batch, chunk = 500, 50_000
	tables := []string{"ids_v7", "ids_v4"}
	for _, table := range tables {
		if err := r.exec(ctx, "CREATE TABLE "+table+" (event_id uuid, consumer_group text, processed_at timestamptz DEFAULT now(), PRIMARY KEY (event_id, consumer_group))"); err != nil {
			return err
		}
	}
	took := make([]time.Duration, 2)
	wal := make([]int64, 2)
	for done := 0; done < r.rows; done += chunk {
		for i, table := range tables {
			if err := r.exec(ctx, "CHECKPOINT"); err != nil {
				return err
			}
			before, err := r.walPosition(ctx)
			if err != nil {
				return err
			}
			for range chunk / batch {
				ids := bench.RandomIDs(batch)
				if i == 0 {
					events, err := bench.Events(batch)
					if err != nil {
						return err
					}
					for j, e := range events {
						ids[j] = e.ID
					}
				}
				began := time.Now()
				if _, err := r.db.Pool.Exec(ctx, "INSERT INTO "+table+" (event_id, consumer_group) SELECT id, 'bench' FROM unnest($1::text[]::uuid[]) id ON CONFLICT (event_id, consumer_group) DO NOTHING", ids); err != nil {
					return err
				}
				took[i] += time.Since(began)
			}
			after, err := r.walPosition(ctx)
			if err != nil {
				return err
			}
			wal[i] += after - before
		}
	}
	report("rate of ids v7 in order / v4", float64(took[1])/float64(took[0]), 1.4)
	report("WAL of ids v4 / v7 in order", float64(wal[1])/float64(wal[0]), 2)
	return nil
}

// removal compares the removal of rows by a partition's end with that by DELETE.
func (r *ratios) removal(ctx context.Context) error {
	const columns = "(event_id uuid, consumer_group text, processed_at timestamptz DEFAULT now(), PRIMARY KEY (event_id, consumer_group))"
	fill := fmt.Sprintf(" SELECT lpad(to_hex(i), 32, '0')::uuid, 'bench' FROM generate_series(1, %d) i", r.rows)
	if err := r.exec(ctx, "CREATE TABLE whole "+columns, "CREATE TABLE parted "+columns+" PARTITION BY RANGE (event_id)",
		"CREATE TABLE part PARTITION OF parted FOR VALUES FROM (MINVALUE) TO (MAXVALUE)",
		"CREATE INDEX ON whole (processed_at)",
		"INSERT INTO whole (event_id, consumer_group)"+fill, "INSERT INTO parted (event_id, consumer_group)"+fill, "ANALYZE whole", "CHECKPOINT"); err != nil {
		return err
	}
	began := time.Now()
	if err := r.exec(ctx, "DELETE FROM whole WHERE processed_at <= now()", "VACUUM whole"); err != nil {
		return err
	}
	deleted := time.Since(began)
	began = time.Now()
	if err := r.exec(ctx, "ALTER TABLE parted DETACH PARTITION part CONCURRENTLY", "DROP TABLE part"); err != nil {
		return err
	}
	report(fmt.Sprintf("removal of %d rows: DELETE and VACUUM / DETACH and DROP, in time", r.rows), float64(deleted)/float64(time.Since(began)), 5)
	return nil
}
