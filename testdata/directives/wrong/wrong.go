// Package wrong has directives that do not count.
package wrong

import (
	"context"
	"database/sql"

	"github.com/segmentio/kafka-go"
)

// NoReason does not say why.
func NoReason(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		// want +1 "no reason, so it does not count"
		//idemlint:ignore R-KFK-IDEM-X1
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// NoRule does not say what.
func NoRule(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		// want +1 "names no rule"
		//idemlint:ignore
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// Unknown names a rule that is not there.
func Unknown(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		// want +1 "names R-KFK-IDEM-X9, which is no rule: it may be .*R-KFK-IDEM-X1"
		//idemlint:ignore R-KFK-IDEM-X9 twice is good enough
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
		// want +1 "names dedup, which is no rule"
		//idemlint:ignore R-KFK-IDEM-X1,dedup one of the two is wrong
		if _, err := db.ExecContext(ctx, `UPDATE gates SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// Other names another rule than the one that reports.
func Other(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		// want +1 "suppresses nothing"
		//idemlint:ignore R-KFK-IDEM-X2 twice is good enough
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// Moved stands no longer above the line that it is about.
func Moved(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		// want +1 "suppresses nothing"
		//idemlint:ignore R-KFK-IDEM-X1 twice is good enough
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// Fixed has got a gate since.
//
// want +2 "suppresses nothing: remove it"
//
//idemlint:ignore R-KFK-IDEM-X1 twice is good enough
func Fixed(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, string(m.Value), "doors")
		if err != nil {
			return err
		}
		if n, err := res.RowsAffected(); err != nil || n == 0 {
			_ = tx.Rollback()
			continue
		}
		if _, err := tx.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
		if err := tx.Commit(); err != nil {
			return err
		}
	}
}

// Far stands above a function that a blank line separates from it.

// want +1 "suppresses nothing"
//idemlint:ignore R-KFK-IDEM-X1 twice is good enough

func Far(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// want +2 "suppresses nothing"
//
//idemlint:ignore listenerdedup there is no listener here
var doors = map[string]int{}
