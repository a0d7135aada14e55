package stdmysql

import (
	"context"
	"database/sql"
	"errors"
	"strings"

	"github.com/go-sql-driver/mysql"
)

// MarkOrder is MySQL's plain INSERT: a duplicate is error 1062, never zero rows.
func MarkOrder(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES (?, 'orders')", eventID) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkRide takes error 1062 for the answer.
func MarkRide(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	_, err := tx.ExecContext(ctx, "INSERT INTO processed_events (event_id) VALUES (?)", eventID) // want "R-KFK-IDEM-2"
	var myErr *mysql.MySQLError
	if errors.As(err, &myErr) && myErr.Number == 1062 {
		return false, nil
	}
	return err == nil, err
}

// MarkMeal takes the text of error 1062 for the answer.
func MarkMeal(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	_, err := tx.ExecContext(ctx, "INSERT INTO `processed_events` SET event_id = ?", eventID) // want "R-KFK-IDEM-2"
	if err != nil && strings.Contains(err.Error(), "Error 1062") {
		return false, nil
	}
	return err == nil, err
}

// MarkTour asks first and inserts after: two deliveries both read "not there".
func MarkTour(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	var one int
	err := tx.QueryRowContext(ctx, "SELECT 1 FROM processed_events WHERE event_id = ? LIMIT 1", eventID).Scan(&one)
	if err == nil {
		return false, nil
	}
	if !errors.Is(err, sql.ErrNoRows) {
		return false, err
	}
	_, err = tx.ExecContext(ctx, "INSERT INTO processed_events (event_id) VALUES (?)", eventID) // want "R-KFK-IDEM-2"
	return err == nil, err
}
