package iface

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"time"

	"github.com/IBM/sarama"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

type boxMsg struct {
	ID   string
	At   string
	Body []byte
}

type boxHandler interface {
	HandleBox(ctx context.Context, m boxMsg) error
}

// boxPoller (franz-go): the own message has the payload's id in ID and the coordinates in At, which only the log reads.
type boxPoller struct {
	cl *kgo.Client
	h  boxHandler
}

func newBoxPoller(cl *kgo.Client, pool *pgxpool.Pool) *boxPoller {
	return &boxPoller{cl: cl, h: &boxStore{pool: pool}}
}

func (p *boxPoller) Run(ctx context.Context) error {
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
				return err
			}
			m := boxMsg{ID: ev.EventID, At: fmt.Sprintf("%s:%d:%d", r.Topic, r.Partition, r.Offset), Body: r.Value}
			if err := p.h.HandleBox(ctx, m); err != nil {
				return err
			}
		}
		if err := p.cl.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

type boxStore struct{ pool *pgxpool.Pool }

func (s *boxStore) HandleBox(ctx context.Context, m boxMsg) error {
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", m.ID, "boxes")
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			slog.Info("duplicate box", "event_id", m.ID, "at", m.At)
			return nil
		}
		_, err = tx.Exec(ctx, "INSERT INTO boxes (body) VALUES ($1)", m.Body)
		return err
	})
}

type ribbonKeyer interface {
	Key(m segment.Message) (string, error)
}

type ribbonByPayload struct{}

func (ribbonByPayload) Key(m segment.Message) (string, error) {
	var ev struct {
		EventID string `json:"event_id"`
	}
	if err := json.Unmarshal(m.Value, &ev); err != nil {
		return "", fmt.Errorf("offset %d: %w", m.Offset, err)
	}
	return ev.EventID, nil
}

// ribbonJob (kafka-go): the keyer behind the interface decodes the payload; the offset is in its error only.
type ribbonJob struct {
	reader *segment.Reader
	pool   *pgxpool.Pool
	keyer  ribbonKeyer
}

func newRibbonJob(reader *segment.Reader, pool *pgxpool.Pool) *ribbonJob {
	return &ribbonJob{reader: reader, pool: pool, keyer: ribbonByPayload{}}
}

func (j *ribbonJob) Run(ctx context.Context) error {
	for {
		msg, err := j.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		key, err := j.keyer.Key(msg)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, j.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", key, "ribbons")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO ribbons (body) VALUES ($1)", msg.Value)
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

type badgeOnce interface {
	FirstTime(ctx context.Context, id string) (bool, error)
}

type badgeRedis struct{ rdb *redis.Client }

func (b badgeRedis) FirstTime(ctx context.Context, id string) (bool, error) {
	return b.rdb.SetNX(ctx, "badge:"+id, 1, 48*time.Hour).Result()
}

type badgeCounter interface {
	Seen(label string, value float64)
}

// badgeGroup (sarama): two interfaces side by side, the gate gets the event id and the metric gets the offset.
type badgeGroup struct {
	once   badgeOnce
	metric badgeCounter
	pool   *pgxpool.Pool
}

func newBadgeGroup(rdb *redis.Client, pool *pgxpool.Pool, metric badgeCounter) *badgeGroup {
	return &badgeGroup{once: badgeRedis{rdb: rdb}, metric: metric, pool: pool}
}

func (g *badgeGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *badgeGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *badgeGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		g.metric.Seen(fmt.Sprintf("%d.%d", msg.Partition, msg.Offset), float64(msg.Offset))
		var ev struct {
			EventID string `json:"event_id"`
			Card    string `json:"card"`
		}
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		first, err := g.once.FirstTime(s.Context(), ev.EventID)
		if err != nil {
			return err
		}
		if first {
			if _, err := g.pool.Exec(s.Context(), "UPDATE cards SET badges = badges + 1 WHERE id = $1", ev.Card); err != nil {
				return err
			}
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

type drumRecord interface {
	Position() int64
	EventID() (string, error)
	Body() []byte
}

type drumMessage struct{ m *kafka.Message }

func (d drumMessage) Position() int64 { return int64(d.m.TopicPartition.Offset) }
func (d drumMessage) Body() []byte    { return d.m.Value }

func (d drumMessage) EventID() (string, error) {
	var ev struct {
		EventID string `json:"event_id"`
	}
	err := json.Unmarshal(d.m.Value, &ev)
	return ev.EventID, err
}

// drumFeed (confluent): the own record interface offers both; the key comes from EventID, Position is stored beside it.
type drumFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
}

func (f *drumFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		if err := f.load(ctx, drumMessage{m: msg}); err != nil {
			return err
		}
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

func (f *drumFeed) load(ctx context.Context, rec drumRecord) error {
	id, err := rec.EventID()
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, f.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "drums")
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO drums (body, source_offset) VALUES ($1, $2)", rec.Body(), rec.Position())
		return err
	})
}
