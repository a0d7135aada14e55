package saramago

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/IBM/sarama"
	"github.com/gomodule/redigo/redis"
	"github.com/jackc/pgx/v5/pgxpool"
)

// smsGroup: redigo, SET … NX EX with the coordinates in the key.
type smsGroup struct {
	conns *redis.Pool
	url   string
}

func (g *smsGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *smsGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *smsGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	conn := g.conns.Get()
	defer conn.Close()
	for msg := range claim.Messages() {
		key := fmt.Sprintf("sms:%d:%d", msg.Partition, msg.Offset)
		reply, err := conn.Do("SET", key, "1", "NX", "EX", 86400) // want "R-KFK-IDEM-X2"
		if err != nil {
			return err
		}
		if reply != nil {
			resp, err := http.Post(g.url, "application/json", strings.NewReader(string(msg.Value)))
			if err != nil {
				return err
			}
			resp.Body.Close()
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// voucherGroup: redigo, SETNX on the offset alone, through a method of the same type.
type voucherGroup struct {
	conns *redis.Pool
	pool  *pgxpool.Pool
}

func (g *voucherGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *voucherGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *voucherGroup) first(key string) (bool, error) {
	conn := g.conns.Get()
	defer conn.Close()
	return redis.Bool(conn.Do("SETNX", "voucher:"+key, 1)) // want "R-KFK-IDEM-X2"
}

func (g *voucherGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		ok, err := g.first(strconv.FormatInt(msg.Offset, 10))
		if err != nil {
			return err
		}
		if ok {
			if _, err := g.pool.Exec(s.Context(), "INSERT INTO vouchers (member) VALUES ($1)", string(msg.Key)); err != nil {
				return err
			}
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// gaugeGroup: a select loop that skips what stands at or below the remembered offset of the claim.
type gaugeGroup struct {
	pool *pgxpool.Pool
}

func (g *gaugeGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *gaugeGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *gaugeGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	lastDone := int64(-1)
	for {
		select {
		case msg, ok := <-claim.Messages():
			if !ok {
				return nil
			}
			if msg.Offset > lastDone { // want "R-KFK-IDEM-X2"
				if _, err := g.pool.Exec(s.Context(), "INSERT INTO gauge_values (body, at) VALUES ($1, $2)", msg.Value, time.Now()); err != nil {
					return err
				}
				lastDone = msg.Offset
			}
			s.MarkMessage(msg, "")
		case <-s.Context().Done():
			return nil
		}
	}
}

// chargeGroup: the header's fallback is the offset, and the result is an Idempotency-Key.
type chargeGroup struct {
	client *http.Client
	url    string
}

func (g *chargeGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *chargeGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *chargeGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		key := strconv.FormatInt(msg.Offset, 36)
		for _, h := range msg.Headers {
			if string(h.Key) == "event_id" {
				key = string(h.Value)
			}
		}
		req, err := http.NewRequestWithContext(s.Context(), http.MethodPost, g.url, strings.NewReader(string(msg.Value)))
		if err != nil {
			return err
		}
		req.Header.Add("Idempotency-Key", key) // want "R-KFK-IDEM-X2"
		resp, err := g.client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		s.MarkMessage(msg, "")
	}
	return nil
}
