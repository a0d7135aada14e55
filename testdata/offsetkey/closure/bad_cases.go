// Package closure holds the offsetkey cases in which closures, func fields and method values carry the key.
package closure

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/IBM/sarama"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

type loafFunc func(ctx context.Context, msg *sarama.ConsumerMessage) error

func loafOnce(pool *pgxpool.Pool, key func(*sarama.ConsumerMessage) string, next loafFunc) loafFunc {
	return func(ctx context.Context, msg *sarama.ConsumerMessage) error {
		tag, err := pool.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", key(msg), "loaves") // want "R-KFK-IDEM-X2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return next(ctx, msg)
	}
}

// loafGroup (sarama): a decorator does the gate; the key function handed to it takes the offset.
type loafGroup struct {
	handle loafFunc
}

func newLoafGroup(pool *pgxpool.Pool) *loafGroup {
	bake := func(ctx context.Context, msg *sarama.ConsumerMessage) error {
		_, err := pool.Exec(ctx, "INSERT INTO loaves (body) VALUES ($1)", msg.Value)
		return err
	}
	byPlace := func(msg *sarama.ConsumerMessage) string {
		return fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
	}
	return &loafGroup{handle: loafOnce(pool, byPlace, bake)}
}

func (g *loafGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *loafGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *loafGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := g.handle(s.Context(), msg); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

type cakeOption func(*cakeJob)

func cakeKey(fn func(segment.Message) string) cakeOption {
	return func(j *cakeJob) { j.key = fn }
}

// cakeJob (kafka-go): the key function arrives as a functional option.
type cakeJob struct {
	reader *segment.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
	key    func(segment.Message) string
}

func newCakeJob(reader *segment.Reader, rdb *redis.Client, pool *pgxpool.Pool, opts ...cakeOption) *cakeJob {
	j := &cakeJob{reader: reader, rdb: rdb, pool: pool}
	for _, opt := range opts {
		opt(j)
	}
	return j
}

// startCakes wires it with the offset.
func startCakes(ctx context.Context, reader *segment.Reader, rdb *redis.Client, pool *pgxpool.Pool) error {
	j := newCakeJob(reader, rdb, pool, cakeKey(func(m segment.Message) string {
		return strconv.FormatInt(m.Offset, 10)
	}))
	return j.run(ctx)
}

func (j *cakeJob) run(ctx context.Context) error {
	for {
		msg, err := j.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		first, err := j.rdb.SetNX(ctx, "cake:"+j.key(msg), 1, time.Hour).Result() // want "R-KFK-IDEM-X2"
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if _, err := j.pool.Exec(ctx, "INSERT INTO cakes (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
	}
}

// rollRouter (kafka-go): handlers in a map by topic; each gets an id that the loop made of the offset.
type rollRouter struct {
	reader   *segment.Reader
	pool     *pgxpool.Pool
	handlers map[string]func(ctx context.Context, id string, body []byte) error
}

func newRollRouter(reader *segment.Reader, pool *pgxpool.Pool) *rollRouter {
	r := &rollRouter{reader: reader, pool: pool}
	r.handlers = map[string]func(context.Context, string, []byte) error{
		"rolls": r.onRoll,
	}
	return r
}

func (r *rollRouter) onRoll(ctx context.Context, id string, body []byte) error {
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "rolls") // want "R-KFK-IDEM-X2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO rolls (body) VALUES ($1)", body)
		return err
	})
}

func (r *rollRouter) Run(ctx context.Context) error {
	for {
		msg, err := r.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if handle, ok := r.handlers[msg.Topic]; ok {
			if err := handle(ctx, fmt.Sprint(msg.Topic, "+", msg.Offset), msg.Value); err != nil {
				return err
			}
		}
		if err := r.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// pieFeed (confluent): the variable that the transaction's closure captures is set to the offset before.
type pieFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
}

func (f *pieFeed) Run(ctx context.Context) error {
	var id string
	mark := func(tx pgx.Tx) (bool, error) {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "pies") // want "R-KFK-IDEM-X2"
		return err == nil && tag.RowsAffected() == 1, err
	}
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		id = strconv.FormatInt(int64(msg.TopicPartition.Offset), 10)
		err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
			first, err := mark(tx)
			if err != nil || !first {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO pies (body) VALUES ($1)", msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// tartPoll (franz-go): a method value in a func field makes the key.
type tartPoll struct {
	cl    *kgo.Client
	pool  *pgxpool.Pool
	group string
	keyOf func(*kgo.Record) string
}

func newTartPoll(cl *kgo.Client, pool *pgxpool.Pool) *tartPoll {
	p := &tartPoll{cl: cl, pool: pool, group: "tarts"}
	p.keyOf = p.place
	return p
}

func (p *tartPoll) place(r *kgo.Record) string {
	return p.group + "/" + strconv.Itoa(int(r.Partition)) + "/" + strconv.FormatInt(r.Offset, 10)
}

func (p *tartPoll) Run(ctx context.Context) error {
	seen := make(map[string]bool)
	for {
		fetches := p.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			key := p.keyOf(r)
			if seen[key] { // want "R-KFK-IDEM-X2"
				continue
			}
			if _, err := p.pool.Exec(ctx, "INSERT INTO tarts (body) VALUES ($1)", r.Value); err != nil {
				return err
			}
			seen[key] = true
		}
	}
}
