package saramago

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"net/http"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/IBM/sarama"
	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5/pgxpool"
)

type mailWanted struct {
	EventID string `json:"event_id"`
	To      string `json:"to"`
}

// mailGroup: redigo, SET NX on the event id with the offset as the value.
type mailGroup struct {
	conns *redis.Pool
	url   string
}

func (g *mailGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *mailGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *mailGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	conn := g.conns.Get()
	defer conn.Close()
	for msg := range claim.Messages() {
		var ev mailWanted
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		reply, err := conn.Do("SET", "mail:"+ev.EventID, msg.Offset, "NX", "EX", 86400)
		if err != nil {
			return err
		}
		if reply != nil {
			resp, err := http.Post(g.url, "text/plain", strings.NewReader(ev.To))
			if err != nil {
				return err
			}
			resp.Body.Close()
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// trailGroup: redigo, a plain SET of the last position for the dashboard: no condition, no answer that is looked at.
type trailGroup struct {
	conns *redis.Pool
	pool  *pgxpool.Pool
}

func (g *trailGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *trailGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *trailGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	conn := g.conns.Get()
	defer conn.Close()
	for msg := range claim.Messages() {
		if _, err := g.pool.Exec(s.Context(), "INSERT INTO arrivals (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			return err
		}
		if _, err := conn.Do("SET", fmt.Sprintf("trail:%s:%d", msg.Topic, msg.Partition), msg.Offset); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// dialGroup: a select loop that keeps the last offset for the commit on leaving; no record is skipped for it.
type dialGroup struct {
	pool *pgxpool.Pool
	lag  atomic.Int64
}

func (g *dialGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *dialGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *dialGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	lastDone := claim.InitialOffset()
	defer func() { s.MarkOffset(claim.Topic(), claim.Partition(), lastDone+1, "") }()
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if _, err := g.pool.Exec(s.Context(), "INSERT INTO dial_values (id, body, at) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING", string(msg.Key), msg.Value, time.Now()); err != nil {
				return err
			}
			if msg.Offset > lastDone {
				lastDone = msg.Offset
			}
			g.lag.Store(claim.HighWaterMarkOffset() - msg.Offset - 1)
		case <-s.Context().Done():
			return nil
		}
	}
}

type captureWanted struct {
	EventID string `json:"event_id"`
	Payment string `json:"payment"`
}

// captureGroup: a header look-up whose fallback is the payload's id; the offset goes into the user agent.
type captureGroup struct {
	client *http.Client
	url    string
}

func (g *captureGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *captureGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *captureGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		var ev captureWanted
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		key := ev.EventID
		for _, h := range msg.Headers {
			if string(h.Key) == "event_id" {
				key = string(h.Value)
			}
		}
		req, err := http.NewRequestWithContext(s.Context(), http.MethodPost, g.url, strings.NewReader(ev.Payment))
		if err != nil {
			return err
		}
		req.Header.Add("Idempotency-Key", key)
		req.Header.Add("User-Agent", "capture/1 (offset "+strconv.FormatInt(msg.Offset, 36)+")")
		resp, err := g.client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		s.MarkMessage(msg, "")
	}
	return nil
}

// rewindGroup: on a failure it resets the offset so that the same record comes again; seeking is what offsets are for.
type rewindGroup struct {
	pool  *pgxpool.Pool
	tries map[string]int
}

func (g *rewindGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *rewindGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *rewindGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if _, err := g.pool.Exec(s.Context(), "INSERT INTO rewinds (id) VALUES ($1) ON CONFLICT DO NOTHING", string(msg.Key)); err != nil {
			at := fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
			g.tries[at]++
			log.Printf("try %d of %s: %v", g.tries[at], at, err)
			s.ResetOffset(msg.Topic, msg.Partition, msg.Offset, fmt.Sprint("try ", g.tries[at]))
			return err
		}
		s.MarkOffset(msg.Topic, msg.Partition, msg.Offset+1, strconv.FormatInt(msg.Offset, 10))
	}
	return nil
}

type labelPrinted struct {
	EventID string `json:"event_id"`
	Label   string `json:"label"`
}

// labelGroup: dead letters carry partition and offset as headers and as part of the producer's metadata.
type labelGroup struct {
	dead sarama.SyncProducer
	pool *pgxpool.Pool
}

func (g *labelGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *labelGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *labelGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := g.print(s.Context(), msg.Value); err != nil {
			_, _, err := g.dead.SendMessage(&sarama.ProducerMessage{
				Topic:    msg.Topic + ".dlq",
				Key:      sarama.ByteEncoder(msg.Key),
				Value:    sarama.ByteEncoder(msg.Value),
				Metadata: fmt.Sprintf("%d/%d", msg.Partition, msg.Offset),
				Headers: []sarama.RecordHeader{
					{Key: []byte("x-original-offset"), Value: strconv.AppendInt(nil, msg.Offset, 10)},
				},
			})
			if err != nil {
				return err
			}
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

func (g *labelGroup) print(ctx context.Context, body []byte) error {
	var ev labelPrinted
	if err := json.Unmarshal(body, &ev); err != nil {
		return err
	}
	tx, err := g.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "labels")
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE labels SET prints = prints + 1 WHERE id = $1", ev.Label); err != nil {
		return err
	}
	return tx.Commit(ctx)
}

// copyPartition: a one-off tool over a single partition that ends at the newest offset seen when it began.
func copyPartition(ctx context.Context, client sarama.Client, consumer sarama.Consumer, pool *pgxpool.Pool, topic string) error {
	end, err := client.GetOffset(topic, 0, sarama.OffsetNewest)
	if err != nil {
		return err
	}
	part, err := consumer.ConsumePartition(topic, 0, sarama.OffsetOldest)
	if err != nil {
		return err
	}
	defer part.Close()
	for msg := range part.Messages() {
		if _, err := pool.Exec(ctx, "INSERT INTO copies (id, body) VALUES ($1, $2) ON CONFLICT DO NOTHING", string(msg.Key), msg.Value); err != nil {
			return err
		}
		if msg.Offset+1 >= end {
			break
		}
	}
	return nil
}
