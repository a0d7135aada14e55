package idempgx

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/idemlint/idemlint/idem"
)

// Topic is what a consumer knows of the events it will get.
type Topic struct {
	// Name is the topic's, for the error text.
	Name string
	// Retention is the topic's retention.ms; a negative one keeps the records for ever.
	Retention time.Duration
	// Delay is the longest time from the making of an event's id to its record in the
	// topic: through an outbox, and through a replay of a dead-letter topic.
	Delay time.Duration
	// Lag is how old the record is that the consumer group reads next.
	Lag time.Duration
}

// Check is for the start of a consumer. It compares the store's retention with what the
// topic can deliver, and the table with what the store needs: the key, and for a
// partitioned one partitions from now on. The error says what to set.
func (m *Maintainer) Check(ctx context.Context, topic Topic) error {
	return errors.Join(m.checkRetention(topic), m.checkTable(ctx))
}

func (m *Maintainer) checkRetention(topic Topic) error {
	have := m.cfg.Retention
	if m.cfg.Schema == idem.Plain && have == 0 {
		return nil
	}
	if topic.Retention < 0 {
		return fmt.Errorf("idempgx: topic %s keeps its records for ever and the dedup table forgets after %s: a replay from the beginning is refused or processed again; set the topic's retention.ms", topic.Name, have)
	}
	if need := topic.Retention + topic.Delay + m.cfg.Skew; have < need {
		return fmt.Errorf("idempgx: the dedup table remembers %s, and topic %s can deliver events that are %s old (retention.ms %s, delay %s, clock skew %s); set Config.Retention to at least %s", have, topic.Name, need, topic.Retention, topic.Delay, m.cfg.Skew, need)
	}
	if need := topic.Lag + topic.Delay + m.cfg.Skew; have < need {
		return fmt.Errorf("idempgx: the group is %s behind on topic %s, and the dedup table remembers %s; set Config.Retention to at least %s, before the partitions of those events are removed", topic.Lag, topic.Name, have, need)
	}
	return nil
}

func (m *Maintainer) checkTable(ctx context.Context) error {
	var key []string
	err := m.pool.QueryRow(ctx, `
		SELECT coalesce(array_agg(a.attname::text ORDER BY a.attname), '{}')
		FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)
		WHERE i.indrelid = $1::text::regclass AND i.indisprimary`, m.cfg.Table).Scan(&key)
	if err != nil {
		return fmt.Errorf("idempgx: look at table %s: %w; Migrate makes it", m.cfg.Table, err)
	}
	if want := []string{"consumer_group", "event_id"}; !slices.Equal(key, want) {
		return fmt.Errorf("idempgx: the primary key of %s is of %q; it must be of event_id and consumer_group alone, or the same event is accepted twice", m.cfg.Table, key)
	}
	if m.cfg.Schema == idem.Plain {
		return nil
	}
	parts, err := partitions(ctx, m.pool, m.cfg.Table)
	if err != nil {
		return fmt.Errorf("idempgx: %w", err)
	}
	if until := m.cfg.Now().Add(m.cfg.Skew); !covers(parts, m.cfg.Now()) || !covers(parts, until) {
		return fmt.Errorf("idempgx: table %s has no partition for events from now until %s: run Maintainer.Maintain before the consumers, and then every hour", m.cfg.Table, until.UTC().Format(time.RFC3339))
	}
	return nil
}

func covers(parts []partition, t time.Time) bool {
	return slices.ContainsFunc(parts, func(p partition) bool {
		return !p.pending && !t.Before(p.from) && t.Before(p.to)
	})
}
