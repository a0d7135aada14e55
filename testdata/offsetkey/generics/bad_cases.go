// Package generics holds the offsetkey cases in which generic types and functions carry the key.
package generics

import (
	"context"
	"encoding/json"
	"fmt"
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

// leafListener (franz-go): a generic listener whose key function is a field.
type leafListener[E any] struct {
	cl    *kgo.Client
	pool  *pgxpool.Pool
	keyOf func(r *kgo.Record, ev E) string
	write func(ctx context.Context, tx pgx.Tx, ev E) error
}

func (l *leafListener[E]) Run(ctx context.Context) error {
	for {
		fetches := l.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			var ev E
			if err := json.Unmarshal(r.Value, &ev); err != nil {
				return err
			}
			err := pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
				tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", l.keyOf(r, ev), "leaves") // want "R-KFK-IDEM-X2"
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

type leafFallen struct {
	EventID string `json:"event_id"`
	Tree    string `json:"tree"`
}

// newLeafListener instantiates it with a key that ignores the event.
func newLeafListener(cl *kgo.Client, pool *pgxpool.Pool) *leafListener[leafFallen] {
	return &leafListener[leafFallen]{
		cl:   cl,
		pool: pool,
		keyOf: func(r *kgo.Record, _ leafFallen) string {
			return fmt.Sprintf("%d-%d", r.Partition, r.Offset)
		},
		write: func(ctx context.Context, tx pgx.Tx, ev leafFallen) error {
			_, err := tx.Exec(ctx, "UPDATE trees SET fallen = fallen + 1 WHERE id = $1", ev.Tree)
			return err
		},
	}
}

type seedSet[K comparable] struct {
	have map[K]struct{}
}

func (s *seedSet[K]) add(k K) bool {
	if _, ok := s.have[k]; ok { // want "R-KFK-IDEM-X2"
		return false
	}
	s.have[k] = struct{}{}
	return true
}

type seedPlace struct {
	partition int32
	offset    kafka.Offset
}

// seedFeed (confluent): a generic set whose key type is a struct with the offset.
type seedFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	known    *seedSet[seedPlace]
}

func (f *seedFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if !f.known.add(seedPlace{msg.TopicPartition.Partition, msg.TopicPartition.Offset}) {
			continue
		}
		if _, err := f.pool.Exec(ctx, "INSERT INTO seeds (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
	}
}

func rootOnce[K comparable](seen map[K]bool, k K) bool {
	if seen[k] { // want "R-KFK-IDEM-X2"
		return false
	}
	seen[k] = true
	return true
}

// rootLoop (kafka-go): a generic function over a local map, called with the bare int64 offset.
func rootLoop(ctx context.Context, reader *segment.Reader, pool *pgxpool.Pool) error {
	seen := make(map[int64]bool)
	for {
		msg, err := reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if !rootOnce(seen, msg.Offset) {
			continue
		}
		if _, err := pool.Exec(ctx, "INSERT INTO roots (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
	}
}

type barkEnvelope[T any] struct {
	ID   string
	Body T
}

func openBark[T any](msg *sarama.ConsumerMessage) (barkEnvelope[T], error) {
	env := barkEnvelope[T]{ID: msg.Topic + ":" + strconv.FormatInt(msg.Offset, 10)}
	err := json.Unmarshal(msg.Value, &env.Body)
	return env, err
}

type barkPeeled struct {
	Tree string `json:"tree"`
}

// barkGroup (sarama): a generic envelope is given the offset as its ID while decoding.
type barkGroup struct {
	pool *pgxpool.Pool
}

func (g *barkGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *barkGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *barkGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	ctx := s.Context()
	for msg := range claim.Messages() {
		env, err := openBark[barkPeeled](msg)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", env.ID, "bark") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "UPDATE trees SET peeled = peeled + 1 WHERE id = $1", env.Body.Tree)
			return err
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

func mossHandler[T any](pool *pgxpool.Pool, write func(ctx context.Context, tx pgx.Tx, body T) error) message.NoPublishHandlerFunc {
	return func(msg *message.Message) error {
		ctx := msg.Context()
		var body T
		if err := json.Unmarshal(msg.Payload, &body); err != nil {
			return err
		}
		offset, _ := wkafka.MessagePartitionOffsetFromCtx(ctx)
		return pgx.BeginFunc(ctx, pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", fmt.Sprint(offset), "moss") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			return write(ctx, tx, body)
		})
	}
}

type mossSpread struct {
	Tree string `json:"tree"`
}

// routeMoss (watermill): a generic function makes the handler and takes the offset out of the context.
func routeMoss(router *message.Router, sub *wkafka.Subscriber, pool *pgxpool.Pool) {
	router.AddNoPublisherHandler("moss", "moss-spread", sub, mossHandler(pool, func(ctx context.Context, tx pgx.Tx, ev mossSpread) error {
		_, err := tx.Exec(ctx, "UPDATE trees SET moss = moss + 1 WHERE id = $1", ev.Tree)
		return err
	}))
}
