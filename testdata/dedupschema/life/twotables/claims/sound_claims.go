// Package claims claims events.
package claims

import (
	"context"
	"database/sql"
)

// Claims is the two inboxes.
type Claims struct{ db *sql.DB }

// New returns them.
func New(db *sql.DB) *Claims { return &Claims{db} }

// Mail claims a mail.
func (c *Claims) Mail(ctx context.Context, id string) (bool, error) {
	return c.once(ctx, `INSERT INTO mail_inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
}

// Post claims a letter.
func (c *Claims) Post(ctx context.Context, id string) (bool, error) {
	return c.once(ctx, `INSERT INTO post_inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
}

// Fax is dead: nothing calls it, so its table does not count.
func (c *Claims) Fax(ctx context.Context, id string) (bool, error) {
	return c.once(ctx, `INSERT INTO fax_inbox (message_id) VALUES ($1) ON CONFLICT DO NOTHING`, id)
}

func (c *Claims) once(ctx context.Context, text, id string) (bool, error) {
	res, err := c.db.ExecContext(ctx, text, id)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
