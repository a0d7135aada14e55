package jetcase

import (
	"context"
	"database/sql"
	"errors"

	"example.com/cases/onconflict/jetcase/gen/model"
	"example.com/cases/onconflict/jetcase/gen/table"
	mytable "example.com/cases/onconflict/jetcase/mygen/table"
	"github.com/go-jet/jet/v2/mysql"
	"github.com/go-jet/jet/v2/qrm"
)

// ClaimValues has the clause; right: zero rows is a duplicate.
func ClaimValues(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	stmt := table.ProcessedEvents.INSERT(table.ProcessedEvents.EventID, table.ProcessedEvents.ConsumerGroup).VALUES(eventID, "berths").ON_CONFLICT().DO_NOTHING()
	res, err := stmt.ExecContext(ctx, tx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimModel has the clause with columns and RETURNING; right: no row is a duplicate.
func ClaimModel(ctx context.Context, tx qrm.DB, eventID string) (bool, error) {
	t := table.ProcessedEvents
	row := model.ProcessedEvents{EventID: eventID, ConsumerGroup: "berths"}
	var back model.ProcessedEvents
	err := t.INSERT(t.EventID, t.ConsumerGroup).MODEL(row).ON_CONFLICT(t.EventID, t.ConsumerGroup).DO_NOTHING().RETURNING(t.EventID).QueryContext(ctx, tx, &back)
	if errors.Is(err, qrm.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimConstraint has the clause on a named constraint; right: zero rows is a duplicate.
func ClaimConstraint(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	t := table.ProcessedEvents
	stmt := t.INSERT(t.EventID).VALUES(eventID).
		ON_CONFLICT().ON_CONSTRAINT("processed_events_pkey").DO_NOTHING()
	res, err := stmt.ExecContext(ctx, tx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimSql has the clause in the text that Sql makes; right: zero rows is a duplicate.
func ClaimSql(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	q, args := table.ProcessedEvents.INSERT(table.ProcessedEvents.EventID).VALUES(eventID).ON_CONFLICT().DO_NOTHING().Sql()
	res, err := tx.ExecContext(ctx, q, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimMySQL sets the key to itself on a duplicate; right: nothing changes, the count is zero.
func ClaimMySQL(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	t := mytable.ProcessedEvents
	stmt := t.INSERT(t.EventID).VALUES(eventID).ON_DUPLICATE_KEY_UPDATE(t.EventID.SET(t.EventID))
	res, err := stmt.ExecContext(ctx, tx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// AddBerth is an INSERT into a business table without a clause; right: berths is no dedup table.
func AddBerth(ctx context.Context, tx *sql.Tx, id string) error {
	_, err := table.Berths.INSERT(table.Berths.ID, table.Berths.Ships).VALUES(id, 0).ExecContext(ctx, tx)
	return err
}

// MarkMySQL changes the row on a duplicate key; silent: which columns are set to what is not followed.
func MarkMySQL(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	t := mytable.ProcessedEvents
	stmt := t.INSERT(t.EventID).VALUES(eventID).ON_DUPLICATE_KEY_UPDATE(t.ProcessedAt.SET(mysql.CURRENT_TIMESTAMP()))
	res, err := stmt.ExecContext(ctx, tx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}
