package goqucase

import (
	"context"
	"database/sql"

	"github.com/doug-martin/goqu/v9"
	"github.com/doug-martin/goqu/v9/exp"
)

type claimRow struct {
	EventID  string `db:"event_id"`
	Consumer string `db:"consumer_group"`
}

// ClaimExecutor has the clause; right: zero rows is a duplicate.
func ClaimExecutor(ctx context.Context, tx *goqu.TxDatabase, eventID string) (bool, error) {
	res, err := tx.Insert("processed_events").Rows(claimRow{eventID, "docks"}).OnConflict(goqu.DoNothing()).Executor().ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimScan has the clause and RETURNING; right: no row found is a duplicate.
func ClaimScan(ctx context.Context, tx *goqu.TxDatabase, eventID string) (bool, error) {
	var id string
	return tx.Insert("processed_events").Rows(goqu.Record{"event_id": eventID}).OnConflict(goqu.DoNothing()).Returning("event_id").Executor().ScanValContext(ctx, &id)
}

// ClaimToSQL has the clause in the text that ToSQL makes; right: zero rows is a duplicate.
func ClaimToSQL(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	q, args, err := pg.Insert(goqu.T("processed_events")).Cols("event_id").Vals(goqu.Vals{eventID}).OnConflict(goqu.DoNothing()).Prepared(true).ToSQL()
	if err != nil {
		return false, err
	}
	res, err := tx.ExecContext(ctx, q, args...)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimSteps adds the clause in a second step; right: the dataset that runs has it.
func ClaimSteps(ctx context.Context, tx *goqu.TxDatabase, eventID string) (bool, error) {
	ds := tx.Insert("processed_events").Rows(claimRow{eventID, "docks"})
	ds = ds.OnConflict(goqu.DoNothing())
	res, err := ds.Executor().ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimWith has its clause from the caller; silent: which one it is cannot be seen here.
func ClaimWith(ctx context.Context, tx *goqu.TxDatabase, eventID string, c exp.ConflictExpression) error {
	_, err := tx.Insert("processed_events").Rows(claimRow{eventID, "docks"}).OnConflict(c).Executor().ExecContext(ctx)
	return err
}

// AddCrane is a dataset into a business table without a clause; right: cranes is no dedup table.
func AddCrane(ctx context.Context, tx *goqu.TxDatabase, dock string) error {
	_, err := tx.Insert("cranes").Rows(goqu.Record{"dock": dock}).Executor().ExecContext(ctx)
	return err
}
