// Package watermill holds the offsetkey cases written against watermill and watermill-kafka, whose
// messages carry partition and offset in their context.
package watermill

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"sync"

	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

var errNoPlace = errors.New("message without partition or offset")

// paintShop: partition and offset out of the message's context are the key of the pgx gate.
type paintShop struct {
	pool *pgxpool.Pool
}

func (s *paintShop) Register(router *message.Router, sub *kafka.Subscriber) {
	router.AddNoPublisherHandler("paint", "paint-ordered", sub, s.onOrdered)
}

func (s *paintShop) onOrdered(msg *message.Message) error {
	ctx := msg.Context()
	partition, ok1 := kafka.MessagePartitionFromCtx(ctx)
	offset, ok2 := kafka.MessagePartitionOffsetFromCtx(ctx)
	if !ok1 || !ok2 {
		return errNoPlace
	}
	id := fmt.Sprintf("paint-ordered-%d-%d", partition, offset)
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "paint") // want "R-KFK-IDEM-X2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO paint_jobs (body) VALUES ($1)", []byte(msg.Payload))
		return err
	})
}

// varnishShop: the offset steps in for an empty metadata field, in a helper.
type varnishShop struct {
	pool *pgxpool.Pool
}

func (s *varnishShop) Register(router *message.Router, sub *kafka.Subscriber) {
	router.AddNoPublisherHandler("varnish", "varnish-ordered", sub, s.onOrdered)
}

func varnishID(msg *message.Message) string {
	if id := msg.Metadata.Get("event_id"); id != "" {
		return id
	}
	offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
	return strconv.FormatInt(offset, 10)
}

func (s *varnishShop) onOrdered(msg *message.Message) error {
	ctx := msg.Context()
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO inbox (message_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING", varnishID(msg), "varnish") // want "R-KFK-IDEM-X2"
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO varnish_jobs (body) VALUES ($1)", []byte(msg.Payload))
		return err
	})
}

// routeSander: a handler closure with a sync.Map over offsets.
func routeSander(router *message.Router, sub *kafka.Subscriber, pool *pgxpool.Pool) {
	var done sync.Map
	router.AddNoPublisherHandler("sander", "sanding-ordered", sub, func(msg *message.Message) error {
		offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
		if _, dup := done.LoadOrStore(offset, struct{}{}); dup { // want "R-KFK-IDEM-X2"
			return nil
		}
		_, err := pool.Exec(msg.Context(), "INSERT INTO sanding_jobs (body) VALUES ($1)", []byte(msg.Payload))
		return err
	})
}

// depositDesk: AddHandler, an Idempotency-Key of the offset by way of a method that returns it.
type depositDesk struct {
	client *http.Client
	url    string
}

func (d *depositDesk) Register(router *message.Router, sub *kafka.Subscriber, pub *kafka.Publisher) {
	router.AddHandler("deposit", "deposit-wanted", sub, "deposit-taken", pub, d.take)
}

func (d *depositDesk) keyOf(ctx context.Context) string {
	offset, _ := kafka.MessagePartitionOffsetFromCtx(ctx)
	return "deposit-" + strconv.FormatInt(offset, 10)
}

func (d *depositDesk) take(msg *message.Message) ([]*message.Message, error) {
	req, err := http.NewRequestWithContext(msg.Context(), http.MethodPost, d.url, bytes.NewReader(msg.Payload))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Idempotency-Key", d.keyOf(msg.Context())) // want "R-KFK-IDEM-X2"
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	return nil, resp.Body.Close()
}

// glueShop: reads from the subscriber's channel itself and skips what is not beyond the remembered offset.
func glueShop(ctx context.Context, sub *kafka.Subscriber, pool *pgxpool.Pool) error {
	messages, err := sub.Subscribe(ctx, "glue-ordered")
	if err != nil {
		return err
	}
	highest := int64(-1)
	for msg := range messages {
		offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
		if offset <= highest { // want "R-KFK-IDEM-X2"
			msg.Ack()
			continue
		}
		if _, err := pool.Exec(ctx, "INSERT INTO glue_jobs (body) VALUES ($1)", []byte(msg.Payload)); err != nil {
			msg.Nack()
			continue
		}
		highest = offset
		msg.Ack()
	}
	return nil
}
