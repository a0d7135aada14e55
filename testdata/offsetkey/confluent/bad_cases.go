// Package confluent holds the offsetkey cases written against confluent-kafka-go v2.
package confluent

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
)

// policyPoll: Poll and a type switch; the key is formatted of the fields of TopicPartition.
type policyPoll struct {
	consumer *kafka.Consumer
	db       *sql.DB
}

func (p *policyPoll) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		switch ev := p.consumer.Poll(100).(type) {
		case *kafka.Message:
			if err := p.renew(ctx, ev); err != nil {
				return err
			}
			if _, err := p.consumer.CommitMessage(ev); err != nil {
				return err
			}
		case kafka.Error:
			return ev
		}
	}
	return ctx.Err()
}

func (p *policyPoll) renew(ctx context.Context, msg *kafka.Message) error {
	tp := msg.TopicPartition
	id := fmt.Sprintf("%s-%d-%d", *tp.Topic, tp.Partition, tp.Offset)
	tx, err := p.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var one int
	err = tx.QueryRowContext(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING 1", id, "renewals").Scan(&one) // want "R-KFK-IDEM-X2"
	if errors.Is(err, sql.ErrNoRows) {
		return nil
	}
	if err != nil {
		return err
	}
	if _, err := tx.ExecContext(ctx, "INSERT INTO renewals (body) VALUES ($1)", msg.Value); err != nil {
		return err
	}
	return tx.Commit()
}

// claimBoard: TopicPartition.String() ends in "@offset", so it is the offset under another name.
type claimBoard struct {
	consumer *kafka.Consumer
	rdb      *redis.Client
	pool     *pgxpool.Pool
}

func (b *claimBoard) Run(ctx context.Context) error {
	for {
		msg, err := b.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		first, err := b.rdb.SetNX(ctx, "claim:"+msg.TopicPartition.String(), "1", time.Hour).Result() // want "R-KFK-IDEM-X2"
		if err != nil {
			return err
		}
		if !first {
			continue
		}
		if _, err := b.pool.Exec(ctx, "INSERT INTO claims (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
		if _, err := b.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// premiumFeed: the remembered kafka.Offset of a partition decides what is skipped.
type premiumFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	last     map[int32]kafka.Offset
}

func (f *premiumFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		part, off := msg.TopicPartition.Partition, msg.TopicPartition.Offset
		if last, ok := f.last[part]; ok && last >= off { // want "R-KFK-IDEM-X2"
			continue
		}
		if _, err := f.pool.Exec(ctx, "INSERT INTO premiums (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
		f.last[part] = off
	}
}

// excessFeed: Offset.String() in the Idempotency-Key of a net/http request.
type excessFeed struct {
	consumer *kafka.Consumer
	client   *http.Client
	url      string
}

func (f *excessFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, f.url, strings.NewReader(string(msg.Value)))
		if err != nil {
			return err
		}
		req.Header.Set("Idempotency-Key", "excess-"+msg.TopicPartition.Offset.String()) // want "R-KFK-IDEM-X2"
		resp, err := f.client.Do(req)
		if err != nil {
			return err
		}
		resp.Body.Close()
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// quoteFeed: a map keyed by the whole position, built with a conversion to int64 in a helper.
type quoteFeed struct {
	consumer *kafka.Consumer
	pool     *pgxpool.Pool
	handled  map[[2]int64]bool
}

func quotePlace(tp kafka.TopicPartition) [2]int64 {
	return [2]int64{int64(tp.Partition), int64(tp.Offset)}
}

func (f *quoteFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		place := quotePlace(msg.TopicPartition)
		if f.handled[place] { // want "R-KFK-IDEM-X2"
			continue
		}
		if _, err := f.pool.Exec(ctx, "UPDATE quotes SET views = views + 1 WHERE id = $1", string(msg.Key)); err != nil {
			return err
		}
		f.handled[place] = true
	}
}
