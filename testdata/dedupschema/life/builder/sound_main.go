// Command builder cleans up with a statement that squirrel builds.
package main

import (
	"context"
	"database/sql"
	"time"

	sq "github.com/Masterminds/squirrel"
)

func main() {
	ctx := context.Background()
	db, err := sql.Open("postgres", "")
	if err != nil {
		panic(err)
	}
	_, _ = claim(ctx, db, "1")
	_ = trim(ctx, db, time.Now().AddDate(0, 0, -14))
}

func claim(ctx context.Context, db *sql.DB, id string) (bool, error) {
	res, err := sq.Insert("till_processed_events").Columns("event_id").Values(id).Suffix("ON CONFLICT DO NOTHING").
		PlaceholderFormat(sq.Dollar).RunWith(db).ExecContext(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

func trim(ctx context.Context, db *sql.DB, before time.Time) error {
	_, err := sq.Delete("till_processed_events").Where(sq.Lt{"processed_at": before}).PlaceholderFormat(sq.Dollar).RunWith(db).ExecContext(ctx)
	return err
}
