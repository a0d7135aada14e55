package outbox

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/money"
)

// Call is one outgoing call of an event. What is sent is opaque to this package: a
// [Sender] makes the request from it.
type Call struct {
	// Step names the call among those of its event, see [money.WithStep].
	Step string
	// Kind chooses the [Sender].
	Kind string
	// Payload is what the Sender needs: the body of the request, or what it is made of. It
	// is all that differs between two calls of a kind, so that each attempt sends the
	// same: amounts, currencies and accounts belong into it. It stays in the table until
	// [Purge], so credentials and card numbers do not; the Sender has those elsewhere.
	Payload []byte
}

// Tx is the transaction that a call is enqueued in: [SQL] and [Pgx] make one.
type Tx interface {
	// Exec runs one statement with PostgreSQL's placeholders ($1) and returns how many
	// rows it wrote or, for a SELECT, found.
	Exec(ctx context.Context, query string, args ...any) (rows int64, err error)
}

// SQL makes a [Tx] of a transaction of database/sql, or of a type with its methods such as
// *sqlx.Tx. A *sql.DB is none: a call outside the transaction is what this package is
// there to prevent.
func SQL(tx interface {
	ExecContext(ctx context.Context, query string, args ...any) (sql.Result, error)
	Commit() error
	Rollback() error
}) Tx {
	return execFunc(func(ctx context.Context, query string, args ...any) (int64, error) {
		res, err := tx.ExecContext(ctx, query, args...)
		if err != nil {
			return 0, err
		}
		return res.RowsAffected()
	})
}

// Pgx makes a [Tx] of a pgx.Tx: Pgx(tx), the type parameter is inferred. It is there so
// that users of database/sql need not compile pgx. A pool or a connection is no Tx.
func Pgx[Tag interface{ RowsAffected() int64 }](tx interface {
	Exec(ctx context.Context, query string, args ...any) (Tag, error)
	Commit(ctx context.Context) error
	Rollback(ctx context.Context) error
}) Tx {
	return execFunc(func(ctx context.Context, query string, args ...any) (int64, error) {
		tag, err := tx.Exec(ctx, query, args...)
		if err != nil {
			return 0, err
		}
		return tag.RowsAffected(), nil
	})
}

type execFunc func(ctx context.Context, query string, args ...any) (int64, error)

func (f execFunc) Exec(ctx context.Context, query string, args ...any) (int64, error) {
	return f(ctx, query, args...)
}

// Enqueue writes the call into the caller's transaction, for the event that ctx carries
// (Process sets it, see [idem.WithEvent]). It is sent once the transaction has committed,
// and never when it is rolled back.
//
// first is false when the same call of this event, group and step is there already,
// whether it was sent or not; it is not sent a second time. When another call is there,
// with a different kind or payload, the error is a [*money.RefusedError] for
// [money.ErrStepReused]. It is one for [money.ErrNoEvent] or [money.ErrNoStep] when there
// is no event or step to make a key from. All these leave the transaction usable; after
// an error of the database it can only be rolled back.
func Enqueue(ctx context.Context, tx Tx, call Call) (first bool, err error) {
	event, _ := idem.EventFrom(ctx)
	key, err := money.Key(event, call.Step)
	if err != nil {
		return false, err
	}
	if call.Kind == "" {
		return false, errors.New("outbox: the call has no kind, so no Sender would send it")
	}
	payload := call.Payload
	if payload == nil {
		payload = []byte{} // nil would be NULL
	}
	n, err := tx.Exec(ctx, `INSERT INTO idem_outbox (event_id, consumer_group, step, idempotency_key, kind, payload)
		VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (event_id, consumer_group, step) DO NOTHING`,
		event.ID, event.Group, call.Step, key, call.Kind, payload)
	if err != nil {
		return false, fmt.Errorf("outbox: enqueue the call %q of event %s: %w", call.Step, event, err)
	}
	if n == 1 {
		return true, nil
	}
	n, err = tx.Exec(ctx, `SELECT 1 FROM idem_outbox WHERE event_id = $1 AND consumer_group = $2 AND step = $3
		AND kind = $4 AND payload = $5`, event.ID, event.Group, call.Step, call.Kind, payload)
	if err != nil {
		return false, fmt.Errorf("outbox: compare the call %q of event %s with the one before: %w", call.Step, event, err)
	}
	if n == 0 {
		return false, &money.RefusedError{Event: event, Step: call.Step, Err: money.ErrStepReused}
	}
	return false, nil
}
