// Package desk holds listeners whose key, gate or both live in other packages.
package desk

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"example.com/cases/offsetkey/xpkg/gate"
	"example.com/cases/offsetkey/xpkg/recid"
	"example.com/cases/offsetkey/xpkg/service"
	"github.com/IBM/sarama"
	"github.com/confluentinc/confluent-kafka-go/v2/kafka"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	segment "github.com/segmentio/kafka-go"
	"github.com/twmb/franz-go/pkg/kgo"
)

// loanLoop (kafka-go): the key is made by a helper of another package, the gate is here.
type loanLoop struct {
	reader *segment.Reader
	pool   *pgxpool.Pool
}

func (l *loanLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", recid.Coordinates(msg), "loans") // want "R-KFK-IDEM-X2"
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO loans (body) VALUES ($1)", msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// bondGroup (sarama): the key is made here, the gate is a function of another package.
type bondGroup struct {
	pool *pgxpool.Pool
}

func (g *bondGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *bondGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *bondGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	ctx := s.Context()
	for msg := range claim.Messages() {
		id := msg.Topic + "/" + strconv.FormatInt(msg.Offset, 10)
		err := pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
			first, err := gate.TryMark(ctx, tx, id, "bonds") // want "R-KFK-IDEM-X2"
			if err != nil || !first {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO bonds (body) VALUES ($1)", msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// sharePoll (franz-go): two helpers abroad make and shorten the key, a Redis gate abroad takes it.
type sharePoll struct {
	cl   *kgo.Client
	once *gate.Once
	pool *pgxpool.Pool
}

func (p *sharePoll) Run(ctx context.Context) error {
	for {
		fetches := p.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			id := recid.Digest(recid.Place(r.Topic, r.Partition, r.Offset))
			first, err := p.once.First(ctx, id) // want "R-KFK-IDEM-X2"
			if err != nil {
				return err
			}
			if !first {
				continue
			}
			if _, err := p.pool.Exec(ctx, "INSERT INTO trades (body) VALUES ($1)", r.Value); err != nil {
				return err
			}
		}
	}
}

// feeFeed (confluent): another package's Post makes an Idempotency-Key of the offset it is given.
type feeFeed struct {
	consumer *kafka.Consumer
	client   *http.Client
	url      string
}

func (f *feeFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		key := "fee-" + msg.TopicPartition.Offset.String()
		if err := gate.Post(ctx, f.client, f.url, key, string(msg.Key), msg.Value); err != nil { // want "R-KFK-IDEM-X2"
			return err
		}
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// seatGroup (sarama): the offset leaves as the MessageID of a command and meets the gate two calls and two packages away.
type seatGroup struct {
	seats *service.Seats
}

func (g *seatGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *seatGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *seatGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		b := service.Booking{
			MessageID: recid.Place(msg.Topic, msg.Partition, msg.Offset),
			Seat:      string(msg.Key),
		}
		if err := g.seats.Book(s.Context(), b); err != nil { // want "R-KFK-IDEM-X2"
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}
