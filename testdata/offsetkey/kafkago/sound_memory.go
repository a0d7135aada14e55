package kafkago

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
)

type ticketSold struct {
	EventID string `json:"event_id"`
	Seat    string `json:"seat"`
}

// soldLoop: the map's key is the event id; the offset is the value kept under it, to say where the first copy was.
type soldLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	seenAt map[string]int64
}

func (l *soldLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		var ev ticketSold
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		if at, dup := l.seenAt[ev.EventID]; dup {
			slog.Info("seen before", "first_offset", at, "offset", msg.Offset)
			continue
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO tickets (seat) VALUES ($1)", ev.Seat); err != nil {
			return err
		}
		l.seenAt[ev.EventID] = msg.Offset
	}
}

type pendingPlace struct {
	topic     string
	partition int
	offset    int64
}

type couponBurnt struct {
	EventID string `json:"event_id"`
	Code    string `json:"code"`
}

// burnLoop: a map by coordinates, but it only times the records in flight; what stops a duplicate is the event id.
type burnLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	done   map[string]struct{}
}

func (l *burnLoop) Run(ctx context.Context) error {
	started := make(map[pendingPlace]time.Time)
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		at := pendingPlace{msg.Topic, msg.Partition, msg.Offset}
		started[at] = time.Now()
		var ev couponBurnt
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		if _, dup := l.done[ev.EventID]; !dup {
			if _, err := l.pool.Exec(ctx, "UPDATE coupons SET used = used + 1 WHERE code = $1", ev.Code); err != nil {
				return err
			}
			l.done[ev.EventID] = struct{}{}
		}
		if since := time.Since(started[at]); since > time.Second {
			slog.Warn("slow record", "took", since, "offset", at.offset)
		}
		delete(started, at)
	}
}

// gapLoop: compares with the offset before to warn of a gap, and goes on with the record either way.
type gapLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	last   map[int]int64
}

func (l *gapLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if last, ok := l.last[msg.Partition]; ok && msg.Offset != last+1 {
			slog.Warn("gap in partition", "partition", msg.Partition, "from", last, "to", msg.Offset)
		}
		l.last[msg.Partition] = msg.Offset
		if _, err := l.pool.Exec(ctx, "INSERT INTO meter_readings (meter, body) VALUES ($1, $2) ON CONFLICT (meter) DO NOTHING", string(msg.Key), msg.Value); err != nil {
			return err
		}
	}
}

type bonusEarned struct {
	EventID string `json:"event_id"`
	Member  string `json:"member"`
}

// earnLoop: LoadOrStore with the event id as key and the offset as value.
type earnLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	done   sync.Map
}

func (l *earnLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var ev bonusEarned
		if err := json.Unmarshal(msg.Value, &ev); err != nil {
			return err
		}
		if _, dup := l.done.LoadOrStore(ev.EventID, msg.Offset); !dup {
			if _, err := l.pool.Exec(ctx, "UPDATE members SET points = points + 10 WHERE id = $1", ev.Member); err != nil {
				return err
			}
		}
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

// levyLoop: the remembered offset is read once at the start to seek; no record is compared with it.
type levyLoop struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
}

func (l *levyLoop) Run(ctx context.Context) error {
	var last int64
	if err := l.pool.QueryRow(ctx, "SELECT last_offset FROM positions WHERE topic = 'levies'").Scan(&last); err != nil {
		return err
	}
	if err := l.reader.SetOffset(last + 1); err != nil {
		return err
	}
	for {
		msg, err := l.reader.ReadMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := l.pool.Exec(ctx, "INSERT INTO levies (id, body) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING", string(msg.Key), msg.Value); err != nil {
			return err
		}
		if _, err := l.pool.Exec(ctx, "UPDATE positions SET last_offset = $1 WHERE topic = 'levies'", msg.Offset); err != nil {
			return err
		}
	}
}

type rentDue struct {
	EventID string `json:"event_id"`
	Flat    string `json:"flat"`
}

// rentLoop: attempts are counted by coordinates; the count sets the pause and, at last, sends the record to the dead-letter topic.
type rentLoop struct {
	reader   *kafka.Reader
	dead     *kafka.Writer
	pool     *pgxpool.Pool
	attempts map[string]int
}

func (l *rentLoop) Run(ctx context.Context) error {
	for {
		msg, err := l.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		where := fmt.Sprintf("%s-%d-%d", msg.Topic, msg.Partition, msg.Offset)
		for {
			err := l.collect(ctx, msg)
			if err == nil {
				break
			}
			l.attempts[where]++
			if l.attempts[where] > 5 {
				if err := l.dead.WriteMessages(ctx, kafka.Message{Key: msg.Key, Value: msg.Value, Headers: []kafka.Header{{Key: "source", Value: []byte(where)}}}); err != nil {
					return err
				}
				break
			}
			time.Sleep(time.Duration(l.attempts[where]) * time.Second)
		}
		delete(l.attempts, where)
		if err := l.reader.CommitMessages(ctx, msg); err != nil {
			return err
		}
	}
}

func (l *rentLoop) collect(ctx context.Context, msg kafka.Message) error {
	var ev rentDue
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	tx, err := l.pool.Begin(ctx)
	if err != nil {
		return err
	}
	defer tx.Rollback(ctx)
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING", ev.EventID, "rent")
	if err != nil || tag.RowsAffected() == 0 {
		return err
	}
	if _, err := tx.Exec(ctx, "UPDATE flats SET due = due + 1 WHERE id = $1", ev.Flat); err != nil {
		return err
	}
	return tx.Commit(ctx)
}
