package watermill

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"strconv"
	"sync"

	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

type woodCut struct {
	EventID string `json:"event_id"`
	Board   string `json:"board"`
}

// woodShop: partition and offset out of the context are logged on the duplicate branch; the key is the payload's id.
type woodShop struct {
	pool *pgxpool.Pool
}

func (s *woodShop) Register(router *message.Router, sub *kafka.Subscriber) {
	router.AddNoPublisherHandler("wood", "wood-cut", sub, s.onCut)
}

func (s *woodShop) onCut(msg *message.Message) error {
	ctx := msg.Context()
	partition, _ := kafka.MessagePartitionFromCtx(ctx)
	offset, _ := kafka.MessagePartitionOffsetFromCtx(ctx)
	at := fmt.Sprintf("wood-cut-%d-%d", partition, offset)
	var ev woodCut
	if err := json.Unmarshal(msg.Payload, &ev); err != nil {
		return fmt.Errorf("%s: %w", at, err)
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "wood")
		if err != nil {
			return err
		}
		if tag.RowsAffected() == 0 {
			slog.InfoContext(ctx, "duplicate", "event_id", ev.EventID, "at", at)
			return nil
		}
		_, err = tx.Exec(ctx, "INSERT INTO boards (board, source_offset) VALUES ($1, $2)", ev.Board, offset)
		return err
	})
}

var errNoID = errors.New("no event_id")

type veneerCut struct {
	EventID string `json:"event_id"`
	Sheet   string `json:"sheet"`
}

// veneerShop: an event without id is refused; the helper reads the offset only for the log line.
type veneerShop struct {
	pool *pgxpool.Pool
}

func (s *veneerShop) Register(router *message.Router, sub *kafka.Subscriber) {
	router.AddNoPublisherHandler("veneer", "veneer-cut", sub, s.onCut)
}

func veneerID(msg *message.Message, ev veneerCut) (string, error) {
	if ev.EventID != "" {
		return ev.EventID, nil
	}
	offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
	slog.Warn("event without id", "offset", strconv.FormatInt(offset, 10))
	return "", errNoID
}

func (s *veneerShop) onCut(msg *message.Message) error {
	ctx := msg.Context()
	var ev veneerCut
	if err := json.Unmarshal(msg.Payload, &ev); err != nil {
		return err
	}
	id, err := veneerID(msg, ev)
	if err != nil {
		return err
	}
	return pgx.BeginFunc(ctx, s.pool, func(tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, "INSERT INTO inbox (message_id, consumer) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "veneer")
		if err != nil || tag.RowsAffected() == 0 {
			return err
		}
		_, err = tx.Exec(ctx, "INSERT INTO sheets (sheet) VALUES ($1)", ev.Sheet)
		return err
	})
}

type edgeMilled struct {
	EventID string `json:"event_id"`
	Edge    string `json:"edge"`
}

// routeMill: a handler closure with a sync.Map over event ids, the offset being the value.
func routeMill(router *message.Router, sub *kafka.Subscriber, pool *pgxpool.Pool) {
	var done sync.Map
	router.AddNoPublisherHandler("mill", "edge-milled", sub, func(msg *message.Message) error {
		offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
		var ev edgeMilled
		if err := json.Unmarshal(msg.Payload, &ev); err != nil {
			return err
		}
		if first, dup := done.LoadOrStore(ev.EventID, offset); dup {
			slog.Info("duplicate", "first_offset", first, "offset", offset)
			return nil
		}
		_, err := pool.Exec(msg.Context(), "INSERT INTO edges (edge) VALUES ($1)", ev.Edge)
		return err
	})
}

type depositBack struct {
	EventID string `json:"event_id"`
	Cents   int64  `json:"cents"`
}

// backDesk: the Idempotency-Key is the event id; the published message carries the offset as metadata.
type backDesk struct {
	client *http.Client
	url    string
}

func (d *backDesk) Register(router *message.Router, sub *kafka.Subscriber, pub *kafka.Publisher) {
	router.AddHandler("deposit-back", "deposit-back-wanted", sub, "deposit-returned", pub, d.giveBack)
}

func (d *backDesk) giveBack(msg *message.Message) ([]*message.Message, error) {
	var ev depositBack
	if err := json.Unmarshal(msg.Payload, &ev); err != nil {
		return nil, err
	}
	req, err := http.NewRequestWithContext(msg.Context(), http.MethodPost, d.url, bytes.NewReader(msg.Payload))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Idempotency-Key", "deposit-back-"+ev.EventID)
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, err
	}
	resp.Body.Close()
	out := message.NewMessage(ev.EventID, msg.Payload)
	offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
	out.Metadata.Set("caused_by_offset", strconv.FormatInt(offset, 10))
	return []*message.Message{out}, nil
}

// clampShop: reads from the channel itself; the highest offset is a number for the status page.
func clampShop(ctx context.Context, sub *kafka.Subscriber, pool *pgxpool.Pool, status func(highest int64)) error {
	messages, err := sub.Subscribe(ctx, "clamp-used")
	if err != nil {
		return err
	}
	highest := int64(-1)
	for msg := range messages {
		if _, err := pool.Exec(ctx, "INSERT INTO clamps (id) VALUES ($1) ON CONFLICT DO NOTHING", msg.Metadata.Get("clamp")); err != nil {
			msg.Nack()
			continue
		}
		offset, _ := kafka.MessagePartitionOffsetFromCtx(msg.Context())
		if offset > highest {
			highest = offset
			status(highest)
		}
		msg.Ack()
	}
	return nil
}
