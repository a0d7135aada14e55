package stdmysql

import (
	"context"
	"database/sql"
	"errors"

	"github.com/go-sql-driver/mysql"
)

// AddMember handles 1062 on a business table; right: members is no dedup table.
func AddMember(ctx context.Context, db *sql.DB, email string) (bool, error) {
	_, err := db.ExecContext(ctx, "INSERT INTO members (email) VALUES (?)", email)
	var myErr *mysql.MySQLError
	if errors.As(err, &myErr) && myErr.Number == 1062 {
		return false, nil
	}
	return err == nil, err
}

// BumpCounter changes a row of a business table on a duplicate key; right: page_views is no dedup table.
func BumpCounter(ctx context.Context, db *sql.DB, page string) error {
	_, err := db.ExecContext(ctx, "INSERT INTO page_views (page, n) VALUES (?, 1) ON DUPLICATE KEY UPDATE n = n + 1", page)
	return err
}

// SetSetting replaces a row of a business table; right: settings is no dedup table.
func SetSetting(ctx context.Context, db *sql.DB, key, value string) error {
	_, err := db.ExecContext(ctx, "REPLACE INTO settings (name, value) VALUES (?, ?)", key, value)
	return err
}
