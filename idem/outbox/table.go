package outbox

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/idemlint/idemlint/idem"
)

// table is idem_outbox as a worker sees it. All times are the database's, so that workers
// on machines with different clocks agree about leases.
type table struct{ db *sql.DB }

// claimed is a call that a worker holds until its lease is over.
type claimed struct {
	id int64
	Attempt
}

// claim leases the pending call that is due longest, of one of kinds, and reports whether
// there was one.
//
// The attempt is counted and the first use of the key noted before anything is sent: after
// a crash nobody could tell any more.
func (t table) claim(ctx context.Context, kinds []string, lease time.Duration) (c claimed, ok bool, err error) {
	// As JSON, since drivers differ in how they take an array.
	names, err := json.Marshal(kinds)
	if err != nil {
		return claimed{}, false, err
	}
	// MATERIALIZED, as the planner may otherwise run the subquery, and so the claim, more
	// than once.
	row := t.db.QueryRowContext(ctx, `
		WITH due AS MATERIALIZED (
			SELECT id FROM idem_outbox
			WHERE state = 'pending' AND due_at <= now()
			  AND kind IN (SELECT jsonb_array_elements_text($1::jsonb))
			ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
		)
		UPDATE idem_outbox o
		SET attempts = attempts + 1, due_at = now() + make_interval(secs => $2),
		    first_attempt_at = coalesce(first_attempt_at, now())
		FROM due WHERE o.id = due.id
		RETURNING o.id, o.event_id, o.consumer_group, o.step, o.idempotency_key, o.kind, o.payload,
		          o.attempts, o.first_attempt_at`,
		string(names), lease.Seconds())
	var e idem.Event
	err = row.Scan(&c.id, &e.ID, &e.Group, &c.Step, &c.Key, &c.Kind, &c.Payload, &c.Number, &c.First)
	if errors.Is(err, sql.ErrNoRows) {
		return claimed{}, false, nil
	}
	if err != nil {
		return claimed{}, false, fmt.Errorf("outbox: claim a call: %w", err)
	}
	c.Event = e
	return c, true, nil
}

// markSent marks the call as sent, whoever holds it by now: that it was sent is true.
func (t table) markSent(ctx context.Context, c claimed) error {
	_, err := t.db.ExecContext(ctx, `UPDATE idem_outbox SET state = 'sent', done_at = now(), last_error = NULL
		WHERE id = $1 AND state <> 'sent'`, c.id)
	return c.wrap("mark as sent", err)
}

// markFailed makes the call due again after the backoff, unless the lease was lost: then
// another worker has it, and the count of attempts differs.
func (t table) markFailed(ctx context.Context, c claimed, cause error, backoff time.Duration) error {
	_, err := t.db.ExecContext(ctx, `UPDATE idem_outbox SET due_at = now() + make_interval(secs => $3), last_error = $4
		WHERE id = $1 AND state = 'pending' AND attempts = $2`, c.id, c.Number, backoff.Seconds(), text(cause))
	return c.wrap("mark as failed", err)
}

// markDead gives the call up and reports whether this did it: false when the lease was
// lost.
func (t table) markDead(ctx context.Context, c claimed, cause error) (bool, error) {
	res, err := t.db.ExecContext(ctx, `UPDATE idem_outbox SET state = 'dead', done_at = now(), last_error = $3
		WHERE id = $1 AND state = 'pending' AND attempts = $2`, c.id, c.Number, text(cause))
	if err != nil {
		return false, c.wrap("mark as dead", err)
	}
	n, err := res.RowsAffected()
	return n == 1, c.wrap("mark as dead", err)
}

// check returns an error unless the table is there.
func (t table) check(ctx context.Context) error {
	if _, err := t.db.ExecContext(ctx, `SELECT FROM idem_outbox LIMIT 0`); err != nil {
		return fmt.Errorf("outbox: the table idem_outbox cannot be read (outbox.Migrate makes it): %w", err)
	}
	return nil
}

func (c claimed) wrap(what string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("outbox: %s %s: %w", what, c, err)
}

// text returns the error as PostgreSQL's type text can hold it, cut to some length: a mark
// must not fail because a provider put a zero byte into its answer.
func text(err error) string {
	s := strings.ReplaceAll(err.Error(), "\x00", "")
	return strings.ToValidUTF8(s[:min(len(s), 2000)], "\uFFFD")
}

// purgeChunk is how many rows one statement of Purge removes, so that none of its
// transactions is long.
const purgeChunk = 1000

// Purge removes the calls that were sent longer ago than age and returns how many, also
// with an error. Keep them at least as long as the dedup table keeps its ids: an event
// that neither remembers would be sent again. Pending and dead calls stay.
func Purge(ctx context.Context, db *sql.DB, age time.Duration) (int64, error) {
	var total int64
	for {
		res, err := db.ExecContext(ctx, `DELETE FROM idem_outbox WHERE id IN (
			SELECT id FROM idem_outbox WHERE state = 'sent' AND done_at < now() - make_interval(secs => $1)
			ORDER BY done_at LIMIT $2)`, age.Seconds(), purgeChunk)
		if err != nil {
			return total, fmt.Errorf("outbox: purge: %w", err)
		}
		n, err := res.RowsAffected()
		total += n
		if err != nil || n < purgeChunk {
			return total, err
		}
	}
}
