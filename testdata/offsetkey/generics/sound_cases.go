package generics

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/IBM/sarama"
	wkafka "github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// budListener (franz-go): the generic listener hands its key function record and event; the function looks at the event only.
type budListener[E any] struct {
	cl    *kgo.Client
	pool  *pgxpool.Pool
	keyOf func(r *kgo.Record, ev E) string
	write func(ctx context.Context, tx pgx.Tx, ev E) error
}

func (l *budListener[E]) Run(ctx context.Context) error {
	for {
		fetches := l.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			var ev E
			if err := json.Unmarshal(r.Value, &ev); err != nil {
				return fmt.Errorf("offset %d: %w", r.Offset, err)
			}
			err := pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", l.keyOf(r, ev), "buds")
				if err != nil || tag.RowsAffected() == 0 {
					return err
				}
				return l.write(ctx, tx, ev)
			})
			if err != nil {
				return err
			}
		}
		if err := l.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

type budOpened struct {
	EventID string `json:"event_id"`
	Tree    string `json:"tree"`
}

// newBudListener instantiates it with the topic and the event's own id.
func newBudListener(cl *kgo.Client, pool *pgxpool.Pool) *budListener[budOpened] {
	return &budListener[budOpened]{
		cl:   cl,
		pool: pool,
		keyOf: func(r *kgo.Record, ev budOpened) string {
			return r.Topic + "-" + ev.EventID
		},
		write: func(ctx context.Context, tx pgx.Tx, ev budOpened) error {
			_, err := tx.Exec(ctx, "UPDATE trees SET buds = buds + 1 WHERE id = $1", ev.Tree)
			return err
		},
	}
}

type nutSet[K comparable] struct {
	have map[K]struct{}
}

func (s *nutSet[K]) add(k K) bool {
	if _, ok := s.have[k]; ok {
		return false
	}
	s.have[k] = struct{}{}
	return true
}

type nutCracked struct {
	EventID string `json:"event_id"`
	Tree    string `json:"tree"`
}

type nutKey struct {
	group string
	id    string
}

// nutFeed (confluent): the generic set's key type is a struct of consumer group and event id.
type nutFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	known    *nutSet[nutKey]
}

func (f *nutFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		var ev nutCracked
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		if !f.known.add(nutKey{group: "nuts", id: ev.EventID}) {
			slog.Info("duplicate", "offset", msg.TopicPartition.Offset)
			continue
		}
		if _, err := f.pool.Exec(ctx, "UPDATE trees SET nuts = nuts + 1 WHERE id = $1", ev.Tree); err != nil {
			return err
		}
	}
}

func twigMax[K comparable](high map[K]int64, k K, v int64) {
	if have, ok := high[k]; !ok || v > have {
		high[k] = v
	}
}

// twigLoop (kafka-go): a generic function keeps the highest offset a partition for the status page; every record is written.
func twigLoop(ctx context.Context, reader *segment.Reader, pool *pgxpool.Pool, report func(map[int]int64)) error {
	high := make(map[int]int64)
	for {
		msg, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		twigMax(high, msg.Partition, msg.Offset)
		report(high)
		if _, err := pool.Exec(ctx, "INSERT INTO twigs (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", string(msg.Key), msg.Value); err != nil {
			return err
		}
	}
}

type resinEnvelope[T any] struct {
	Source string
	Body   T
}

func openResin[T any](msg *sarama.ConsumerMessage) (resinEnvelope[T], error) {
	env := resinEnvelope[T]{Source: msg.Topic + ":" + strconv.FormatInt(msg.Offset, 10)}
	err := json.Unmarshal(msg.Value, &env.Body)
	return env, err
}

type resinTapped struct {
	EventID string `json:"event_id"`
	Tree    string `json:"tree"`
}

// resinGroup (sarama): the generic envelope keeps the offset as Source; the key is inside Body.
type resinGroup struct {
	pool *pgxpool.Pool
}

func (g *resinGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *resinGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *resinGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	ctx := s.Context()
	for msg := range claim.Messages() {
		env, err := openResin[resinTapped](msg)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", env.Body.EventID, "resin")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO resin (tree, source) VALUES ($1, $2)", env.Body.Tree, env.Source)
			return err
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

type fernEvent interface{ ID() string }

func fernHandler[T fernEvent](pool *pgxpool.Pool, write func(ctx context.Context, tx pgx.Tx, body T) error) message.NoPublishHandlerFunc {
	return func(msg *message.Message) error {
		ctx := msg.Context()
		var body T
		if err := json.Unmarshal(msg.Payload, &body); err != nil {
			return err
		}
		offset, _ := wkafka.MessagePartitionOffsetFromCtx(ctx)
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group, kafka_offset) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING", body.ID(), "ferns", offset)
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			return write(ctx, tx, body)
		})
	}
}

type fernGrown struct {
	EventID string `json:"event_id"`
	Tree    string `json:"tree"`
}

func (f fernGrown) ID() string { return f.EventID }

// routeFern (watermill): the generic handler asks its type parameter for the id; the offset is a column beside it.
func routeFern(router *message.Router, sub *wkafka.Subscriber, pool *pgxpool.Pool) {
	router.AddNoPublisherHandler("fern", "fern-grown", sub, fernHandler(pool, func(ctx context.Context, tx pgx.Tx, ev fernGrown) error {
		_, err := tx.Exec(ctx, "UPDATE trees SET ferns = ferns + 1 WHERE id = $1", ev.Tree)
		return err
	}))
}
