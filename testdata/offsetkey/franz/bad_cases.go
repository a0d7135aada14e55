// Package franz holds the offsetkey cases written against twmb/franz-go.
package franz

import (
	"context"
	"database/sql"
	"fmt"
	"strconv"
	"sync"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-resty/resty/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

// bedPoller: an EachRecord closure builds the key; the gate is pgx in a transaction.
type bedPoller struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
}

func (p *bedPoller) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		fetches := p.cl.PollFetches(ctx)
		var failed error
		fetches.EachRecord(func(r *kgo.Record) {
			id := fmt.Sprintf("%s-%d-%d", r.Topic, r.Partition, r.Offset)
			failed = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "beds") // want "R-KFK-IDEM-X2"
				if err != nil || tag.RowsAffected() == 0 {
					return err
				}
				_, err = tx.Exec(ctx, "UPDATE wards SET beds = beds - 1 WHERE id = $1", string(r.Key))
				return err
			})
		})
		if failed != nil {
			return failed
		}
		if err := p.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// rideFares: RecordIter and a squirrel insert whose first value is made of the offset.
type rideFares struct {
	cl *kgo.Client
	db *sql.DB
}

func (f *rideFares) Run(ctx context.Context) error {
	for {
		fetches := f.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			if err := f.fare(ctx, iter.Next()); err != nil {
				return err
			}
		}
		if err := f.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (f *rideFares) fare(ctx context.Context, r *kgo.Record) error {
	tx, err := f.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	ins := sq.Insert("processed_events").Columns("event_id", "consumer_group").PlaceholderFormat(sq.Dollar)
	ins = ins.Values(strconv.Itoa(int(r.Partition))+":"+strconv.FormatInt(r.Offset, 10), "fares")
	res, err := ins.Suffix("ON CONFLICT DO NOTHING").RunWith(tx).ExecContext(ctx) // want "R-KFK-IDEM-X2"
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO fares (body) VALUES ($1)", r.Value); err != nil {
		return err
	}
	return tx.Commit()
}

// tipJar: resty, the Idempotency-Key header is set from the coordinates.
type tipJar struct {
	cl   *kgo.Client
	http *resty.Client
}

func (j *tipJar) Run(ctx context.Context) error {
	for {
		fetches := j.cl.PollRecords(ctx, 100)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			key := fmt.Sprintf("tip/%d/%d", r.Partition, r.Offset)
			req := j.http.R().SetContext(ctx).SetBody(r.Value)
			req.SetHeader("Idempotency-Key", key) // want "R-KFK-IDEM-X2"
			if _, err := req.Post("/tips"); err != nil {
				return err
			}
		}
		if err := j.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

// tollGate: the same with SetHeaders and a map.
type tollGate struct {
	cl   *kgo.Client
	http *resty.Client
}

func (g *tollGate) Run(ctx context.Context) error {
	for {
		fetches := g.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			headers := map[string]string{
				"Content-Type":    "application/json",
				"Idempotency-Key": fmt.Sprint(r.Topic, "@", r.Offset),
			}
			_, err := g.http.R().SetContext(ctx).SetHeaders(headers).SetBody(r.Value).Post("/tolls") // want "R-KFK-IDEM-X2"
			if err != nil {
				return err
			}
		}
		if err := g.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

// scaleFeed: EachPartition, with one remembered offset a topic and partition that decides what is skipped.
type scaleFeed struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
	done map[string]map[int32]int64
}

func (f *scaleFeed) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		fetches := f.cl.PollFetches(ctx)
		var failed error
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			for _, r := range p.Records {
				if upTo, ok := f.done[p.Topic][p.Partition]; ok && r.Offset <= upTo { // want "R-KFK-IDEM-X2"
					continue
				}
				if _, err := f.pool.Exec(ctx, "INSERT INTO weighings (body) VALUES ($1)", r.Value); err != nil {
					failed = err
					return
				}
				if f.done[p.Topic] == nil {
					f.done[p.Topic] = make(map[int32]int64)
				}
				f.done[p.Topic][p.Partition] = r.Offset
			}
		})
		if failed != nil {
			return failed
		}
	}
	return ctx.Err()
}

type doorKey struct {
	mu   sync.Mutex
	seen map[string]struct{}
}

func (k *doorKey) firstTime(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.seen[id]; ok { // want "R-KFK-IDEM-X2"
		return false
	}
	k.seen[id] = struct{}{}
	return true
}

// doorLog: a locked map type with a firstTime method, used from a pool of workers.
type doorLog struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
	keys *doorKey
}

func (l *doorLog) Run(ctx context.Context) error {
	jobs := make(chan *kgo.Record)
	defer close(jobs)
	for range 4 {
		go l.work(ctx, jobs)
	}
	for {
		fetches := l.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			jobs <- r
		}
	}
}

func (l *doorLog) work(ctx context.Context, jobs <-chan *kgo.Record) {
	for r := range jobs {
		if !l.keys.firstTime(fmt.Sprintf("%d/%d", r.Partition, r.Offset)) {
			continue
		}
		l.pool.Exec(ctx, "INSERT INTO door_openings (door) VALUES ($1)", string(r.Key))
		l.cl.MarkCommitRecords(r)
	}
}

// parkDesk: SetNX whose key gains a fixed prefix in one helper and the offset in another.
type parkDesk struct {
	cl   *kgo.Client
	rdb  *redis.Client
	pool *pgxpool.Pool
}

func parkKey(suffix string) string { return "park:done:" + suffix }

func parkSuffix(r *kgo.Record) string { return strconv.FormatInt(r.Offset, 10) }

func (d *parkDesk) Run(ctx context.Context) error {
	for {
		fetches := d.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			first, err := d.rdb.SetNX(ctx, parkKey(parkSuffix(r)), "1", 0).Result() // want "R-KFK-IDEM-X2"
			if err != nil {
				return err
			}
			if !first {
				continue
			}
			if _, err := d.pool.Exec(ctx, "UPDATE lots SET free = free - 1 WHERE id = $1", string(r.Key)); err != nil {
				return err
			}
		}
	}
}
