package sqlxcase

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

type markRow struct {
	EventID string `db:"event_id"`
	Group   string `db:"consumer_group"`
}

// MarkExec is a plain INSERT by ExecContext.
func MarkExec(ctx context.Context, tx *sqlx.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1)`, eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkNamedExec is a plain INSERT by NamedExecContext with a struct.
func MarkNamedExec(ctx context.Context, db *sqlx.DB, eventID string) (bool, error) {
	res, err := db.NamedExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (:event_id, :consumer_group)`, markRow{eventID, "fares"}) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkGet is a plain INSERT whose RETURNING row is read by Get.
func MarkGet(ctx context.Context, tx *sqlx.Tx, eventID string) (bool, error) {
	var id string
	err := tx.GetContext(ctx, &id, `INSERT INTO processed_events (event_id) VALUES ($1) RETURNING event_id`, eventID) // want "R-KFK-IDEM-2"
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkSelect is a plain INSERT of many rows whose RETURNING rows are read by Select.
func MarkSelect(ctx context.Context, tx *sqlx.Tx, marks []markRow) (ids []string, err error) {
	q, args, err := tx.BindNamed(`INSERT INTO processed_events (event_id, consumer_group) VALUES (:event_id, :consumer_group) RETURNING event_id`, marks)
	if err != nil {
		return nil, err
	}
	err = tx.SelectContext(ctx, &ids, q, args...) // want "R-KFK-IDEM-2"
	return ids, err
}

// MarkRebind is a plain INSERT whose placeholders are rewritten for the driver.
func MarkRebind(tx *sqlx.Tx, eventID string) (bool, error) {
	res, err := tx.Exec(tx.Rebind(`INSERT INTO processed_events (event_id) VALUES (?)`), eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkMust is a plain INSERT by MustExec: a duplicate is a panic.
func MarkMust(tx *sqlx.Tx, eventID string) bool {
	n, _ := tx.MustExec(`INSERT INTO processed_events (event_id) VALUES ($1)`, eventID).RowsAffected() // want "R-KFK-IDEM-2"
	return n == 1
}

// MarkPrepared is a plain INSERT prepared with named parameters.
func MarkPrepared(ctx context.Context, tx *sqlx.Tx, marks []markRow) (fresh int64, err error) {
	stmt, err := tx.PrepareNamedContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (:event_id, :consumer_group)`)
	if err != nil {
		return 0, err
	}
	defer stmt.Close()
	for _, m := range marks {
		res, err := stmt.ExecContext(ctx, m) // want "R-KFK-IDEM-2"
		if err != nil {
			return 0, err
		}
		n, _ := res.RowsAffected()
		fresh += n
	}
	return fresh, nil
}
