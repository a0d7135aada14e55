package kafkago

import (
	"context"
	"fmt"
	"strconv"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

// ticketLoop: a map in memory remembers topic-partition-offset strings; the look-up decides.
type ticketLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	seen   map[string]bool
}

func (l *ticketLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
		if l.seen[key] { // want "R-KFK-IDEM-X2"
			continue
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO tickets (body) VALUES ($1)", msg.Value); err != nil {
			return err
		}
		l.seen[key] = true
	}
}

type recordPlace struct {
	topic     string
	partition int
	offset    int64
}

// couponLoop: the key is a struct of the three coordinates instead of a string.
type couponLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (l *couponLoop) Run(ctx context.Context) error {
	done := make(map[recordPlace]struct{})
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		at := recordPlace{msg.Topic, msg.Partition, msg.Offset}
		if _, dup := done[at]; dup { // want "R-KFK-IDEM-X2"
			continue
		}
		done[at] = struct{}{}
		if _, err := l.pool.Exec(ctx, "UPDATE coupons SET used = used + 1 WHERE code = $1", string(msg.Key)); err != nil {
			return err
		}
	}
}

// meterLoop: no key at all, but a remembered offset a partition, and records at or below it are skipped.
type meterLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	last   map[int]int64
}

func (l *meterLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if msg.Offset <= l.last[msg.Partition] { // want "R-KFK-IDEM-X2"
			continue
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO meter_readings (meter, body) VALUES ($1, $2)", string(msg.Key), msg.Value); err != nil {
			return err
		}
		l.last[msg.Partition] = msg.Offset
	}
}

// bonusLoop: sync.Map.LoadOrStore on the offset alone.
type bonusLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	done   sync.Map
}

func (l *bonusLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, dup := l.done.LoadOrStore(strconv.FormatInt(msg.Offset, 10), true); !dup { // want "R-KFK-IDEM-X2"
			if _, err := l.pool.Exec(ctx, "UPDATE members SET points = points + 10 WHERE id = $1", string(msg.Key)); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// feeLoop: the remembered offset lives in the database and is moved with the write; the replay of a recreated topic is still skipped.
type feeLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (l *feeLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := l.book(ctx, msg); err != nil {
			return err
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (l *feeLoop) book(ctx context.Context, msg kafka.Message) error {
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	var last int64
	if err := tx.QueryRow(ctx, "SELECT last_offset FROM positions WHERE topic = $1 AND part = $2 FOR UPDATE", msg.Topic, msg.Partition).Scan(&last); err != nil {
		return err
	}
	if last >= msg.Offset { // want "R-KFK-IDEM-X2"
		return nil
	}
	if _, err := tx.Exec(ctx, "INSERT INTO fees (account, body) VALUES ($1, $2)", string(msg.Key), msg.Value); err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE positions SET last_offset = $3 WHERE topic = $1 AND part = $2", msg.Topic, msg.Partition, msg.Offset); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
