package buncase

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// ProcessedEvent is the dedup row; the table's name stands in the tag.
type ProcessedEvent struct {
	bun.BaseModel `bun:"table:processed_events,alias:pe"`

	EventID  string `bun:"event_id,pk"`
	Consumer string `bun:"consumer_group,pk"`
}

// MarkModel is an insert of the model without a clause.
func MarkModel(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	res, err := tx.NewInsert().Model(&ProcessedEvent{EventID: eventID, Consumer: "tolls"}).Exec(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkReturning is an insert with RETURNING and without a clause.
func MarkReturning(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	var id string
	err := tx.NewInsert().Model(&ProcessedEvent{EventID: eventID, Consumer: "tolls"}).Returning("event_id").Scan(ctx, &id) // want "R-KFK-IDEM-2"
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// MarkUpsert updates on conflict: one row both times.
func MarkUpsert(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	q := tx.NewInsert().Model(&ProcessedEvent{EventID: eventID, Consumer: "tolls"})
	q = q.On("CONFLICT (event_id, consumer_group) DO UPDATE").Set("consumer_group = EXCLUDED.consumer_group")
	res, err := q.Exec(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkReplace replaces the row on MySQL: every delivery writes it anew.
func MarkReplace(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	res, err := tx.NewInsert().Model(&ProcessedEvent{EventID: eventID, Consumer: "tolls"}).Replace().Exec(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n > 0, err
}

// MarkExists asks first and inserts after: two deliveries both read "not there".
func MarkExists(ctx context.Context, db bun.IDB, eventID string) (bool, error) {
	seen, err := db.NewSelect().Model((*ProcessedEvent)(nil)).Where("event_id = ?", eventID).Exists(ctx)
	if err != nil || seen {
		return false, err
	}
	_, err = db.NewInsert().Model(&ProcessedEvent{EventID: eventID, Consumer: "tolls"}).Exec(ctx) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// MarkMap is an insert of a map into a named table without a clause.
func MarkMap(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	row := map[string]any{"event_id": eventID, "consumer_group": "tolls"}
	res, err := tx.NewInsert().Model(&row).TableExpr("processed_events").Exec(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// MarkRaw is a raw INSERT without the clause.
func MarkRaw(ctx context.Context, db *bun.DB, eventID string) (bool, error) {
	res, err := db.NewRaw("INSERT INTO processed_events (event_id) VALUES (?)", eventID).Exec(ctx) // want "R-KFK-IDEM-2"
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}
