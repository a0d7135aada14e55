package goqucase

import (
	"context"
	"database/sql"

	"github.com/doug-martin/goqu/v9"
	_ "github.com/doug-martin/goqu/v9/dialect/postgres"
)

var pg = goqu.Dialect("postgres")

type markRow struct {
	EventID  string `db:"event_id"`
	Consumer string `db:"consumer_group"`
}

// MarkExecutor is a dataset run by its own executor, without a clause.
func MarkExecutor(ctx context.Context, tx *goqu.TxDatabase, eventID string) (bool, error) {
	res, err := tx.Insert("processed_events").Rows(markRow{eventID, "docks"}).Executor().ExecContext(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkScan is a dataset with RETURNING, without a clause.
func MarkScan(ctx context.Context, tx *goqu.TxDatabase, eventID string) (bool, error) {
	var id string
	return tx.Insert("processed_events").Rows(goqu.Record{"event_id": eventID}).Returning("event_id").Executor().ScanValContext(ctx, &id) // want "R-KFK-IDEM-2"
}

// MarkToSQL is a dataset made to text and run by database/sql, without a clause.
func MarkToSQL(ctx context.Context, tx *sql.Tx, eventID string) (bool, error) {
	q, args, err := pg.Insert(goqu.T("processed_events")).Cols("event_id").Vals(goqu.Vals{eventID}).Prepared(true).ToSQL()
	if err != nil {
		return false, err
	}
	res, err := tx.ExecContext(ctx, q, args...) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkUpdate updates on conflict: one row both times.
func MarkUpdate(ctx context.Context, tx *goqu.TxDatabase, eventID string) (bool, error) {
	ds := tx.Insert("processed_events").Rows(markRow{eventID, "docks"})
	ds = ds.OnConflict(goqu.DoUpdate("event_id", goqu.Record{"processed_at": goqu.L("now()")}))
	res, err := ds.Executor().ExecContext(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkCleared takes the clause away again before it runs.
func MarkCleared(ctx context.Context, tx *goqu.TxDatabase, eventID string) error {
	ds := tx.Insert("processed_events").Rows(markRow{eventID, "docks"}).OnConflict(goqu.DoNothing())
	_, err := ds.ClearOnConflict().Executor().ExecContext(ctx) // want "R-KFK-IDEM-2"
	return err
}
