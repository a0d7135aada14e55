// Package used has directives that count: each covers a finding and says why.
package used

import (
	"context"
	"database/sql"
	"fmt"

	"github.com/segmentio/kafka-go"
)

// Line has one above the line of the effect.
func Line(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		//idemlint:ignore R-KFK-IDEM-X1 the counter is an estimate, twice is good enough
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
		if err := r.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// SameLine has one behind the effect, by the rule's name.
func SameLine(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		_, err = db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)) //idemlint:ignore listenerdedup an estimate
		if err != nil {
			return err
		}
	}
}

// Func has two effects and one directive for both.
//
//idemlint:ignore R-KFK-IDEM-X1 the counters are estimates, twice is good enough
func Func(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE doors SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
		if _, err := db.ExecContext(ctx, `UPDATE gates SET opened = opened + 1 WHERE id = $1`, string(m.Key)); err != nil {
			return err
		}
	}
}

// Conflict is about the gate's insert, and names the rule in lower case.
func Conflict(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		//idemlint:ignore r-kfk-idem-2 the table has a rule that turns a second insert into nothing
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2)`, string(m.Value), "doors")
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

// Several names the rule that reports and another that does not.
func Several(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("%d-%d", m.Partition, m.Offset)
		//idemlint:ignore R-KFK-IDEM-2,R-KFK-IDEM-X2 this topic is never replayed, mirrored or recreated
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, key, "doors")
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

// Spaced has a space after the comma, and names first the rule that does not report.
func Spaced(ctx context.Context, r *kafka.Reader, db *sql.DB) error {
	for {
		m, err := r.FetchMessage(ctx)
		if err != nil {
			return err
		}
		tx, err := db.BeginTx(ctx, nil)
		if err != nil {
			return err
		}
		key := fmt.Sprintf("%d-%d", m.Partition, m.Offset)
		//idemlint:ignore R-KFK-IDEM-2, R-KFK-IDEM-X2 this topic is never replayed, mirrored or recreated
		res, err := tx.ExecContext(ctx, `INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT DO NOTHING`, key, "doors")
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
