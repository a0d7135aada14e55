// Package bad embeds goose migrations.
package bad

import (
	"database/sql"
	"embed"
)

// want +2 "migrations/0002_inbox.sql:7: the key \\(event_id, received_at\\) of inbox holds received_at"
//
//go:embed migrations/*.sql
var files embed.FS

// Up applies them.
func Up(db *sql.DB) error {
	for _, name := range []string{"migrations/0001_orders.sql", "migrations/0002_inbox.sql"} {
		text, err := files.ReadFile(name)
		if err != nil {
			return err
		}
		if _, err := db.Exec(string(text)); err != nil {
			return err
		}
	}
	return nil
}
