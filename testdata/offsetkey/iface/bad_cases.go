// Package iface holds the offsetkey cases in which an interface stands between the record and the key.
package iface

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

type crateMsg struct {
	ID   string
	Body []byte
}

type crateHandler interface {
	HandleCrate(ctx context.Context, m crateMsg) error
}

// cratePoller (franz-go): the record becomes an own message with an offset ID and goes to a handler interface.
type cratePoller struct {
	cl *kgo.Client
	h  crateHandler
}

// newCratePoller binds the one implementation.
func newCratePoller(cl *kgo.Client, pool *pgxpool.Pool) *cratePoller {
	return &cratePoller{cl: cl, h: &crateStore{pool: pool}}
}

func (p *cratePoller) Run(ctx context.Context) error {
	for {
		fetches := p.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			m := crateMsg{ID: fmt.Sprintf("%s:%d:%d", r.Topic, r.Partition, r.Offset), Body: r.Value}
			if err := p.h.HandleCrate(ctx, m); err != nil {
				return err
			}
		}
		if err := p.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

type crateStore struct{ pool *pgxpool.Pool }

func (s *crateStore) HandleCrate(ctx context.Context, m crateMsg) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", m.ID, "crates") // want "R-KFK-IDEM-X2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO crates (body) VALUES ($1)", m.Body)
		return err
	})
}

type sealKeyer interface {
	Key(m segment.Message) string
}

type sealByOffset struct{}

func (sealByOffset) Key(m segment.Message) string {
	return m.Topic + "/" + strconv.FormatInt(m.Offset, 10)
}

// sealJob (kafka-go): what the key is made of is behind an interface whose only implementation takes the offset.
type sealJob struct {
	reader *segment.Reader
	pool   *pgxpool.Pool
	keyer  sealKeyer
}

func newSealJob(reader *segment.Reader, pool *pgxpool.Pool) *sealJob {
	return &sealJob{reader: reader, pool: pool, keyer: sealByOffset{}}
}

func (j *sealJob) Run(ctx context.Context) error {
	for {
		msg, err := j.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		key := j.keyer.Key(msg)
		err = pgx.BeginFunc(ctx, j.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", key, "seals") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO seals (body) VALUES ($1)", msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		if err := j.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

type stampOnce interface {
	FirstTime(ctx context.Context, id string) (bool, error)
}

type stampRedis struct{ rdb *redis.Client }

func (s stampRedis) FirstTime(ctx context.Context, id string) (bool, error) {
	return s.rdb.SetNX(ctx, "stamp:"+id, 1, 48*time.Hour).Result() // want "R-KFK-IDEM-X2"
}

// stampGroup (sarama): the gate is an interface over Redis and is asked for partition and offset.
type stampGroup struct {
	once stampOnce
	pool *pgxpool.Pool
}

func newStampGroup(rdb *redis.Client, pool *pgxpool.Pool) *stampGroup {
	return &stampGroup{once: stampRedis{rdb: rdb}, pool: pool}
}

func (g *stampGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *stampGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *stampGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		first, err := g.once.FirstTime(s.Context(), fmt.Sprintf("%d.%d", msg.Partition, msg.Offset))
		if err != nil {
			return err
		}
		if first {
			if _, err := g.pool.Exec(s.Context(), "UPDATE cards SET stamps = stamps + 1 WHERE id = $1", string(msg.Key)); err != nil {
				return err
			}
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

type palletRecord interface {
	Position() int64
	Body() []byte
}

type palletMessage struct{ m *kafka.Message }

func (p palletMessage) Position() int64 { return int64(p.m.TopicPartition.Offset) }
func (p palletMessage) Body() []byte    { return p.m.Value }

// palletFeed (confluent): the client's message hides behind an own interface; Position is the offset.
type palletFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
}

func (f *palletFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := f.load(ctx, palletMessage{m: msg}); err != nil {
			return err
		}
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

func (f *palletFeed) load(ctx context.Context, rec palletRecord) error {
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", strconv.FormatInt(rec.Position(), 10), "pallets") // want "R-KFK-IDEM-X2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO pallets (body) VALUES ($1)", rec.Body())
		return err
	})
}
