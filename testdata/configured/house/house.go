// Package house uses a framework of its own that the configuration describes.
package house

import (
	"context"
	"database/sql"
	"encoding/json"
)

// Inbox records event ids; its implementation is elsewhere.
type Inbox interface {
	FirstTime(ctx context.Context, tx *sql.Tx, id string) (bool, error)
	Seen(ctx context.Context, tx *sql.Tx, id string) (bool, error)
}

// Transactor runs a function in a transaction; its implementation is elsewhere.
type Transactor interface {
	Within(ctx context.Context, fn func(tx *sql.Tx) error) error
}

// Gateway sends text messages; its implementation is elsewhere.
type Gateway interface {
	Text(ctx context.Context, to, text string) error
	Balance(ctx context.Context) (int, error)
}

type orderPlaced struct {
	OrderRef string `json:"orderRef"`
	Phone    string `json:"phone"`
}

// Printer is called by the framework with a key and a payload.
type Printer struct {
	tx    Transactor
	inbox Inbox
	db    *sql.DB
}

// Consume is a listener by configuration; right: the configured gate runs in the
// configured transaction.
func (p *Printer) Consume(ctx context.Context, key string, payload []byte) error {
	var e orderPlaced
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return p.tx.Within(ctx, func(tx *sql.Tx) error {
		first, err := p.inbox.FirstTime(ctx, tx, e.OrderRef)
		if err != nil || !first {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE printers SET jobs = jobs + 1`)
		return err
	})
}

// Texter sends an SMS for each delivery.
type Texter struct {
	sms   Gateway
	inbox Inbox
}

// Consume has no gate in front of the configured effect.
func (t *Texter) Consume(ctx context.Context, key string, payload []byte) error {
	var e orderPlaced
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	if _, err := t.sms.Balance(ctx); err != nil {
		return err
	}
	return t.sms.Text(ctx, e.Phone, "placed") // want `R-KFK-IDEM-X1: .* does an SMS`
}

// Counter reads the gate's answer the wrong way round.
type Counter struct {
	tx    Transactor
	inbox Inbox
}

// Consume does the work for those that were seen.
func (c *Counter) Consume(ctx context.Context, key string, payload []byte) error {
	var e orderPlaced
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	return c.tx.Within(ctx, func(tx *sql.Tx) error {
		seen, err := c.inbox.Seen(ctx, tx, e.OrderRef)
		if err != nil || !seen {
			return err
		}
		_, err = tx.ExecContext(ctx, `UPDATE counters SET orders = orders + 1`) // want `R-KFK-IDEM-X1`
		return err
	})
}

// Marker keeps its marks in a table whose name the configuration gives.
type Marker struct {
	db *sql.DB
}

// Consume is right.
func (m *Marker) Consume(ctx context.Context, key string, payload []byte) error {
	var e orderPlaced
	if err := json.Unmarshal(payload, &e); err != nil {
		return err
	}
	tx, err := m.db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	res, err := tx.ExecContext(ctx, `INSERT INTO ledger_marks (order_ref) VALUES ($1) ON CONFLICT DO NOTHING`, e.OrderRef)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	if _, err := tx.ExecContext(ctx, `UPDATE ledgers SET orders = orders + 1`); err != nil {
		return err
	}
	return tx.Commit()
}

// Elsewhere has a listener's form, but nothing says that it is one.
type Elsewhere struct {
	sms Gateway
}

// Consume is not judged.
func (e *Elsewhere) Consume(ctx context.Context, key string, payload []byte) error {
	return e.sms.Text(ctx, key, string(payload))
}
