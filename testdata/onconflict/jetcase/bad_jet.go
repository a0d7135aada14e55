package jetcase

import (
	"context"
	"database/sql"
	"errors"

	"example.com/cases/onconflict/jetcase/gen/model"
	"example.com/cases/onconflict/jetcase/gen/table"
	"github.com/go-jet/jet/v2/postgres"
	"github.com/go-jet/jet/v2/qrm"
)

// MarkValues is an INSERT of values without a clause.
func MarkValues(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	stmt := table.ProcessedEvents.INSERT(table.ProcessedEvents.EventID, table.ProcessedEvents.ConsumerGroup).VALUES(eventID, "berths")
	res, err := stmt.ExecContext(ctx, tx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkModel is an INSERT of a model with RETURNING, without a clause.
func MarkModel(ctx context.Context, tx qrm.DB, eventID string) (bool, error) {
	t := table.ProcessedEvents
	row := model.ProcessedEvents{EventID: eventID, ConsumerGroup: "berths"}
	var back model.ProcessedEvents
	err := t.INSERT(t.EventID, t.ConsumerGroup).MODEL(row).RETURNING(t.EventID).QueryContext(ctx, tx, &back) // want "R-KFK-IDEM-2"
	if errors.Is(err, qrm.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkUpdate updates on conflict: one row both times.
func MarkUpdate(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	t := table.ProcessedEvents
	stmt := t.INSERT(t.EventID, t.ConsumerGroup).VALUES(eventID, "berths").
		ON_CONFLICT(t.EventID, t.ConsumerGroup).DO_UPDATE(postgres.SET(t.ProcessedAt.SET(postgres.NOW())))
	res, err := stmt.ExecContext(ctx, tx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkSql is a statement made to text and run by the transaction, without a clause.
func MarkSql(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	q, args := table.ProcessedEvents.INSERT(table.ProcessedEvents.EventID).VALUES(eventID).Sql()
	res, err := tx.ExecContext(ctx, q, args...) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
