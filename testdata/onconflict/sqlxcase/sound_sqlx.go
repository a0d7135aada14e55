package sqlxcase

import (
	"context"
	"database/sql"
	"errors"

	"github.com/jmoiron/sqlx"
)

type claimRow struct {
	EventID string `db:"event_id"`
	Group   string `db:"consumer_group"`
}

// ClaimExec has the clause; right: zero rows is a duplicate.
func ClaimExec(ctx context.Context, tx *sqlx.Tx, eventID string) (bool, error) {
	res, err := tx.ExecContext(ctx, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING`, eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimNamedExec has the clause and named parameters; right: zero rows is a duplicate.
func ClaimNamedExec(ctx context.Context, db *sqlx.DB, eventID string) (bool, error) {
	res, err := db.NamedExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (:event_id, :consumer_group) ON CONFLICT (event_id, consumer_group) DO NOTHING`, claimRow{eventID, "fares"})
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimGet has the clause before RETURNING; right: no row is a duplicate.
func ClaimGet(ctx context.Context, tx *sqlx.Tx, eventID string) (bool, error) {
	var id string
	err := tx.GetContext(ctx, &id, `INSERT INTO processed_events (event_id) VALUES ($1) ON CONFLICT DO NOTHING RETURNING event_id`, eventID)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimSelect has the clause on many rows; right: only the new ids come back.
func ClaimSelect(ctx context.Context, tx *sqlx.Tx, claims []claimRow) (ids []string, err error) {
	q, args, err := tx.BindNamed(`INSERT INTO processed_events (event_id, consumer_group) VALUES (:event_id, :consumer_group) ON CONFLICT DO NOTHING RETURNING event_id`, claims)
	if err != nil {
		return nil, err
	}
	err = tx.SelectContext(ctx, &ids, q, args...)
	return ids, err
}

// ClaimRebind has the clause behind Rebind; right: zero rows is a duplicate.
func ClaimRebind(tx *sqlx.Tx, eventID string) (bool, error) {
	res, err := tx.Exec(tx.Rebind(`INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING`), eventID)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimPrepared has the clause in the prepared text; right: each execution answers for itself.
func ClaimPrepared(ctx context.Context, tx *sqlx.Tx, claims []claimRow) (fresh int64, err error) {
	stmt, err := tx.PrepareNamedContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES (:event_id, :consumer_group) ON CONFLICT DO NOTHING`)
	if err != nil {
		return 0, err
	}
	defer stmt.Close()
	for _, c := range claims {
		res, err := stmt.ExecContext(ctx, c)
		if err != nil {
			return 0, err
		}
		n, _ := res.RowsAffected()
		fresh += n
	}
	return fresh, nil
}

// AddStop is a plain NamedExec into a business table; right: stops is no dedup table.
func AddStop(ctx context.Context, tx *sqlx.Tx, line, name string) error {
	_, err := tx.NamedExecContext(ctx, `INSERT INTO stops (line, name) VALUES (:line, :name)`, map[string]any{"line": line, "name": name})
	return err
}
