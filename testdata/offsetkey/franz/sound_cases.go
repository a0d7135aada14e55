package franz

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"sync"
	"sync/atomic"

	sq "github.com/Masterminds/squirrel"
	"github.com/go-resty/resty/v2"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

type bedFreed struct {
	EventID string `json:"event_id"`
	Ward    string `json:"ward"`
}

// span is a stand-in for a tracer's span.
type span struct{ attrs map[string]any }

func (s *span) set(k string, v any) { s.attrs[k] = v }

// freedPoller: the coordinates are attributes of a span and fields of a log line; the gate takes the payload's id.
type freedPoller struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
}

func (p *freedPoller) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		fetches := p.cl.PollFetches(ctx)
		var failed error
		fetches.EachRecord(func(r *kgo.Record) {
			sp := &span{attrs: map[string]any{}}
			sp.set("messaging.kafka.offset", r.Offset)
			sp.set("messaging.message.id", fmt.Sprintf("%s-%d-%d", r.Topic, r.Partition, r.Offset))
			var ev bedFreed
			if failed = json.Unmarshal(r.Value, &ev); failed != nil {
				return
			}
			failed = pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "beds")
				if err != nil {
					return err
				}
				if tag.RowsAffected() == 0 {
					slog.Info("duplicate", "event", ev.EventID, "offset", r.Offset)
					return nil
				}
				_, err = tx.Exec(ctx, "UPDATE wards SET beds = beds + 1 WHERE id = $1", ev.Ward)
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

type rideEnded struct {
	EventID string `json:"event_id"`
	Ride    string `json:"ride"`
}

// rideEnds: the squirrel insert has the offset among its values, in the column kafka_offset; event_id gets the payload's id.
type rideEnds struct {
	cl *kgo.Client
	db *sql.DB
}

func (e *rideEnds) Run(ctx context.Context) error {
	for {
		fetches := e.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for iter := fetches.RecordIter(); !iter.Done(); {
			if err := e.end(ctx, iter.Next()); err != nil {
				return err
			}
		}
		if err := e.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (e *rideEnds) end(ctx context.Context, r *kgo.Record) error {
	var ev rideEnded
	if err := json.Unmarshal(r.Value, &ev); err != nil {
		return err
	}
	tx, err := e.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	ins := sq.Insert("processed_events").Columns("event_id", "consumer_group", "kafka_offset").PlaceholderFormat(sq.Dollar)
	ins = ins.Values(ev.EventID, "fares", r.Offset)
	res, err := ins.Suffix("ON CONFLICT (event_id, consumer_group) DO NOTHING").RunWith(tx).ExecContext(ctx)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, "UPDATE rides SET ends = ends + 1 WHERE id = $1", ev.Ride); err != nil {
		return err
	}
	return tx.Commit()
}

type tipGiven struct {
	EventID string `json:"event_id"`
	Waiter  string `json:"waiter"`
}

// tipBox: resty with the event id as Idempotency-Key and the offset in a header of another name.
type tipBox struct {
	cl   *kgo.Client
	http *resty.Client
}

func (b *tipBox) Run(ctx context.Context) error {
	for {
		fetches := b.cl.PollRecords(ctx, 100)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			var ev tipGiven
			if err := json.Unmarshal(r.Value, &ev); err != nil {
				return err
			}
			req := b.http.R().SetContext(ctx).SetBody(r.Value)
			req.SetHeader("Idempotency-Key", "tip/"+ev.EventID)
			req.SetHeader("X-Source-Offset", strconv.FormatInt(r.Offset, 10))
			if _, err := req.Post("/tips"); err != nil {
				return err
			}
		}
		if err := b.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

type tollPaid struct {
	EventID string `json:"event_id"`
}

// tollBooth: a header map with both strings, each under the right name.
type tollBooth struct {
	cl   *kgo.Client
	http *resty.Client
}

func (b *tollBooth) Run(ctx context.Context) error {
	for {
		fetches := b.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			var ev tollPaid
			if err := json.Unmarshal(r.Value, &ev); err != nil {
				return err
			}
			headers := map[string]string{
				"Idempotency-Key": ev.EventID,
				"X-Source":        fmt.Sprint(r.Topic, "@", r.Offset),
			}
			_, err := b.http.R().SetContext(ctx).SetHeaders(headers).SetBody(r.Value).Post("/tolls")
			if err != nil {
				return err
			}
		}
		if err := b.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

// scaleCommit: one remembered offset a partition, gathered to be committed as kgo.EpochOffset.
type scaleCommit struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
}

func (s *scaleCommit) Run(ctx context.Context) error {
	for {
		fetches := s.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		heads := make(map[string]map[int32]kgo.EpochOffset)
		for _, r := range fetches.Records() {
			if _, err := s.pool.Exec(ctx, "INSERT INTO weighings (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", string(r.Key), r.Value); err != nil {
				return err
			}
			if heads[r.Topic] == nil {
				heads[r.Topic] = make(map[int32]kgo.EpochOffset)
			}
			if head, ok := heads[r.Topic][r.Partition]; !ok || head.Offset <= r.Offset {
				heads[r.Topic][r.Partition] = kgo.EpochOffset{Epoch: r.LeaderEpoch, Offset: r.Offset + 1}
			}
		}
		s.cl.CommitOffsetsSync(ctx, heads, nil)
	}
}

// lagFeed: the high watermark minus the offset goes to a gauge; records are marked for commit by the client.
type lagFeed struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
	lag  atomic.Int64
}

func (f *lagFeed) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		fetches := f.cl.PollFetches(ctx)
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			for _, r := range p.Records {
				if r.Offset%1000 == 0 {
					slog.Debug("progress", "topic", r.Topic, "offset", r.Offset)
				}
				f.lag.Store(p.HighWatermark - r.Offset)
				if _, err := f.pool.Exec(ctx, "INSERT INTO feed (id) VALUES ($1) ON CONFLICT DO NOTHING", string(r.Key)); err != nil {
					return
				}
				f.cl.MarkCommitRecords(r)
			}
		})
	}
	return ctx.Err()
}

type lockKey struct {
	mu   sync.Mutex
	seen map[string]struct{}
}

func (k *lockKey) firstTime(id string) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, ok := k.seen[id]; ok {
		return false
	}
	k.seen[id] = struct{}{}
	return true
}

type lockOpened struct {
	EventID string `json:"event_id"`
	Lock    string `json:"lock"`
}

// lockLog: the same locked map in a worker pool, asked for the event id; the worker logs the offset it skips.
type lockLog struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
	keys *lockKey
}

func (l *lockLog) Run(ctx context.Context) error {
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

func (l *lockLog) work(ctx context.Context, jobs <-chan *kgo.Record) {
	for r := range jobs {
		var ev lockOpened
		if json.Unmarshal(r.Value, &ev) != nil || !l.keys.firstTime(ev.EventID) {
			slog.Info("skipped", "partition", r.Partition, "offset", r.Offset)
			continue
		}
		l.pool.Exec(ctx, "INSERT INTO lock_openings (lock) VALUES ($1)", ev.Lock)
		l.cl.MarkCommitRecords(r)
	}
}

// seekBack: after a failure every partition is set back to the failed record; the offsets go nowhere else.
type seekBack struct {
	cl   *kgo.Client
	pool *pgxpool.Pool
}

func (s *seekBack) Run(ctx context.Context) error {
	for {
		fetches := s.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			if _, err := s.pool.Exec(ctx, "INSERT INTO seeks (id) VALUES ($1) ON CONFLICT DO NOTHING", string(r.Key)); err != nil {
				s.cl.SetOffsets(map[string]map[int32]kgo.EpochOffset{r.Topic: {r.Partition: {Epoch: r.LeaderEpoch, Offset: r.Offset}}})
				break
			}
		}
	}
}

// replayUntil: a bounded replay that stops consuming at the offset it was given on the command line.
func replayUntil(ctx context.Context, cl *kgo.Client, pool *pgxpool.Pool, end int64) error {
	for {
		fetches := cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			if r.Offset >= end {
				return nil
			}
			if _, err := pool.Exec(ctx, "INSERT INTO replays (id) VALUES ($1) ON CONFLICT DO NOTHING", string(r.Key)); err != nil {
				return err
			}
		}
	}
}

type carParked struct {
	EventID string `json:"event_id"`
	Lot     string `json:"lot"`
}

// parkBook: SetNX on the event id, and a list by offset where an operator may look up what came when.
type parkBook struct {
	cl   *kgo.Client
	rdb  *redis.Client
	pool *pgxpool.Pool
}

func (b *parkBook) Run(ctx context.Context) error {
	for {
		fetches := b.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			var ev carParked
			if err := json.Unmarshal(r.Value, &ev); err != nil {
				return err
			}
			if err := b.rdb.HSet(ctx, "park:trail", strconv.FormatInt(r.Offset, 10), ev.EventID).Err(); err != nil {
				return err
			}
			first, err := b.rdb.SetNX(ctx, "park:done:"+ev.EventID, r.Offset, 0).Result()
			if err != nil {
				return err
			}
			if !first {
				continue
			}
			if _, err := b.pool.Exec(ctx, "UPDATE lots SET free = free - 1 WHERE id = $1", ev.Lot); err != nil {
				return err
			}
		}
	}
}
