package closure

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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

type bunFunc func(ctx context.Context, msg *sarama.ConsumerMessage) error

func bunOnce(pool *pgxpool.Pool, key func(*sarama.ConsumerMessage) (string, error), next bunFunc) bunFunc {
	return func(ctx context.Context, msg *sarama.ConsumerMessage) error {
		id, err := key(msg)
		if err != nil {
			return err
		}
		tag, err := pool.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "buns")
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		return next(ctx, msg)
	}
}

func bunLogged(place func(*sarama.ConsumerMessage) string, next bunFunc) bunFunc {
	return func(ctx context.Context, msg *sarama.ConsumerMessage) error {
		slog.Info("bun", "at", place(msg))
		return next(ctx, msg)
	}
}

// bunGroup (sarama): two decorators; the logging one gets the offset function, the gate gets the one that decodes the payload.
type bunGroup struct {
	handle bunFunc
}

func newBunGroup(pool *pgxpool.Pool) *bunGroup {
	bake := func(ctx context.Context, msg *sarama.ConsumerMessage) error {
		_, err := pool.Exec(ctx, "INSERT INTO buns (body) VALUES ($1)", msg.Value)
		return err
	}
	byEvent := func(msg *sarama.ConsumerMessage) (string, error) {
		var ev struct {
			EventID string `json:"event_id"`
		}
		err := json.Unmarshal(msg.Value, &ev)
		return ev.EventID, err
	}
	byPlace := func(msg *sarama.ConsumerMessage) string {
		return fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
	}
	return &bunGroup{handle: bunLogged(byPlace, bunOnce(pool, byEvent, bake))}
}

func (g *bunGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *bunGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *bunGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := g.handle(s.Context(), msg); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

type waferOption func(*waferJob)

func waferKey(fn func(segment.Message) string) waferOption {
	return func(j *waferJob) { j.key = fn }
}

func waferTrace(fn func(segment.Message) string) waferOption {
	return func(j *waferJob) { j.trace = fn }
}

// waferJob (kafka-go): two options of the same type; the offset goes to the trace field, the payload's id to the key field.
type waferJob struct {
	reader *segment.Reader
	rdb    *redis.Client
	pool   *pgxpool.Pool
	key    func(segment.Message) string
	trace  func(segment.Message) string
}

func newWaferJob(reader *segment.Reader, rdb *redis.Client, pool *pgxpool.Pool, opts ...waferOption) *waferJob {
	j := &waferJob{reader: reader, rdb: rdb, pool: pool}
	for _, opt := range opts {
		opt(j)
	}
	return j
}

// startWafers wires it.
func startWafers(ctx context.Context, reader *segment.Reader, rdb *redis.Client, pool *pgxpool.Pool) error {
	j := newWaferJob(reader, rdb, pool,
		waferTrace(func(m segment.Message) string { return strconv.FormatInt(m.Offset, 10) }),
		waferKey(func(m segment.Message) string {
			var ev struct {
				EventID string `json:"event_id"`
			}
			if err := json.Unmarshal(m.Value, &ev); err != nil {
				return ""
			}
			return ev.EventID
		}))
	return j.run(ctx)
}

func (j *waferJob) run(ctx context.Context) error {
	for {
		msg, err := j.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		slog.Debug("wafer", "offset", j.trace(msg))
		first, err := j.rdb.SetNX(ctx, "wafer:"+j.key(msg), 1, time.Hour).Result()
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if _, err := j.pool.Exec(ctx, "INSERT INTO wafers (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
	}
}

// bagelRouter (kafka-go): the handlers in the map get the coordinates as a name for the log and decode the id themselves.
type bagelRouter struct {
	reader   *segment.Reader
	pool     *pgxpool.Pool
	handlers map[string]func(ctx context.Context, at string, body []byte) error
}

func newBagelRouter(reader *segment.Reader, pool *pgxpool.Pool) *bagelRouter {
	r := &bagelRouter{reader: reader, pool: pool}
	r.handlers = map[string]func(context.Context, string, []byte) error{
		"bagels": r.onBagel,
	}
	return r
}

func (r *bagelRouter) onBagel(ctx context.Context, at string, body []byte) error {
	var ev struct {
		EventID string `json:"event_id"`
	}
	if err := json.Unmarshal(body, &ev); err != nil {
		return fmt.Errorf("bagel at %s: %w", at, err)
	}
	return pgx.BeginFunc(ctx, r.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "bagels")
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO bagels (body) VALUES ($1)", body)
		return err
	})
}

func (r *bagelRouter) Run(ctx context.Context) error {
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

// crumbleFeed (confluent): two captured variables; the one the gate reads is the payload's id.
type crumbleFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
}

func (f *crumbleFeed) Run(ctx context.Context) error {
	var id, at string
	mark := func(tx pgx.Tx) (bool, error) {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "crumbles")
		if err != nil {
			return false, fmt.Errorf("mark %s: %w", at, err)
		}
		return tag.RowsAffected() == 1, nil
	}
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		var ev struct {
			EventID string `json:"event_id"`
		}
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		id = ev.EventID
		at = strconv.FormatInt(int64(msg.TopicPartition.Offset), 10)
		err = pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
			first, err := mark(tx)
			if err != nil || !first {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO crumbles (body) VALUES ($1)", msg.Value)
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

// sconePoll (franz-go): a method value in a func field formats the coordinates for the counter of failures; the map of ids is another.
type sconePoll struct {
	cl     *kgo.Client
	pool   *pgxpool.Pool
	placed func(*kgo.Record) string
	fails  map[string]int
}

func newSconePoll(cl *kgo.Client, pool *pgxpool.Pool) *sconePoll {
	p := &sconePoll{cl: cl, pool: pool, fails: make(map[string]int)}
	p.placed = p.place
	return p
}

func (p *sconePoll) place(r *kgo.Record) string {
	return strconv.Itoa(int(r.Partition)) + "/" + strconv.FormatInt(r.Offset, 10)
}

func (p *sconePoll) Run(ctx context.Context) error {
	seen := make(map[string]bool)
	for {
		fetches := p.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			var ev struct {
				EventID string `json:"event_id"`
			}
			if err := json.Unmarshal(r.Value, &ev); err != nil {
				p.fails[p.placed(r)]++
				slog.Error("unreadable", "at", p.placed(r), "times", p.fails[p.placed(r)])
				continue
			}
			if seen[ev.EventID] {
				continue
			}
			if _, err := p.pool.Exec(ctx, "INSERT INTO scones (body) VALUES ($1)", r.Value); err != nil {
				return err
			}
			seen[ev.EventID] = true
		}
	}
}
