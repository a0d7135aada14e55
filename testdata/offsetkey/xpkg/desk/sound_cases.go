package desk

import (
	"context"
	"log/slog"
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

// leaseLoop (kafka-go): the helper for coordinates feeds the log; the helper for event ids feeds the gate.
type leaseLoop struct {
	reader *segment.Reader
	pool   *pgxpool.Pool
}

func (l *leaseLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		id, err := recid.EventID(msg.Value)
		if err != nil {
			slog.Error("no id", "record", recid.Coordinates(msg))
			return err
		}
		err = pgx.BeginFunc(ctx, l.pool, func(tx pgx.Tx) error {
			tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", id, "leases")
			if err != nil || tag.RowsAffected() == 0 {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO leases (body) VALUES ($1)", msg.Value)
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

// couponGroup (sarama): the gate abroad takes the id as key and the coordinates as a column of their own.
type couponGroup struct {
	pool *pgxpool.Pool
}

func (g *couponGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *couponGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *couponGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	ctx := s.Context()
	for msg := range claim.Messages() {
		at := msg.Topic + "/" + strconv.FormatInt(msg.Offset, 10)
		id, err := recid.EventID(msg.Value)
		if err != nil {
			return err
		}
		err = pgx.BeginFunc(ctx, g.pool, func(tx pgx.Tx) error {
			first, err := gate.TryMarkAt(ctx, tx, id, "coupons", at)
			if err != nil || !first {
				return err
			}
			_, err = tx.Exec(ctx, "INSERT INTO bond_coupons (body) VALUES ($1)", msg.Value)
			return err
		})
		if err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}

// dividendPoll (franz-go): the digest is of the event id; the coordinates go to the error table of another package.
type dividendPoll struct {
	cl   *kgo.Client
	once *gate.Once
	pool *pgxpool.Pool
}

func (p *dividendPoll) Run(ctx context.Context) error {
	for {
		fetches := p.cl.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		for _, r := range fetches.Records() {
			id, err := recid.EventID(r.Value)
			if err != nil {
				at := recid.Place(r.Topic, r.Partition, r.Offset)
				cause := err
				if err := pgx.BeginFunc(ctx, p.pool, func(tx pgx.Tx) error { return gate.FileError(ctx, tx, at, cause) }); err != nil {
					return err
				}
				continue
			}
			first, err := p.once.First(ctx, recid.Digest(r.Topic+"/"+id))
			if err != nil {
				return err
			}
			if !first {
				continue
			}
			if _, err := p.pool.Exec(ctx, "INSERT INTO dividends (body) VALUES ($1)", r.Value); err != nil {
				return err
			}
		}
	}
}

// taxFeed (confluent): Post gets the offset too, but in the place of the trace.
type taxFeed struct {
	consumer *kafka.Consumer
	client   *http.Client
	url      string
}

func (f *taxFeed) Run(ctx context.Context) error {
	for {
		msg, err := f.consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		id, err := recid.EventID(msg.Value)
		if err != nil {
			return err
		}
		trace := "tax-" + msg.TopicPartition.Offset.String()
		if err := gate.Post(ctx, f.client, f.url, "tax-"+id, trace, msg.Value); err != nil {
			return err
		}
		if _, err := f.consumer.CommitMessage(msg); err != nil {
			return err
		}
	}
}

// freeGroup (sarama): the command carries both, the id as MessageID and the coordinates as Origin.
type freeGroup struct {
	seats *service.Seats
}

func (g *freeGroup) Setup(sarama.ConsumerGroupSession) error   { return nil }
func (g *freeGroup) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (g *freeGroup) ConsumeClaim(s sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		id, err := recid.EventID(msg.Value)
		if err != nil {
			return err
		}
		r := service.Release{
			MessageID: id,
			Origin:    recid.Place(msg.Topic, msg.Partition, msg.Offset),
			Seat:      string(msg.Key),
		}
		if err := g.seats.Free(s.Context(), r); err != nil {
			return err
		}
		s.MarkMessage(msg, "")
	}
	return nil
}
