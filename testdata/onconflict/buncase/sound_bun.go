package buncase

import (
	"context"
	"database/sql"
	"errors"

	"github.com/uptrace/bun"
)

// SeenEvent is the dedup row of the sound cases.
type SeenEvent struct {
	bun.BaseModel `bun:"table:processed_events"`

	EventID  string `bun:"event_id,pk"`
	Consumer string `bun:"consumer_group,pk"`
}

// TollGate is a business row.
type TollGate struct {
	bun.BaseModel `bun:"table:toll_gates"`

	ID   int64  `bun:"id,pk,autoincrement"`
	Road string `bun:"road"`
}

// ClaimOn has the clause by On; right: zero rows is a duplicate.
func ClaimOn(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	res, err := tx.NewInsert().Model(&SeenEvent{EventID: eventID, Consumer: "gates"}).On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimTarget has the clause with columns, set in a second step; right: zero rows is a duplicate.
func ClaimTarget(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	q := tx.NewInsert().Model(&SeenEvent{EventID: eventID, Consumer: "gates"})
	q = q.On("CONFLICT (event_id, consumer_group) DO NOTHING")
	res, err := q.Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimIgnore is Ignore, which is the clause or INSERT IGNORE by dialect; right: zero rows is a duplicate.
func ClaimIgnore(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	res, err := tx.NewInsert().Model(&SeenEvent{EventID: eventID, Consumer: "gates"}).Ignore().Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimReturning has the clause and RETURNING; right: no row is a duplicate.
func ClaimReturning(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	var id string
	err := tx.NewInsert().Model(&SeenEvent{EventID: eventID, Consumer: "gates"}).On("CONFLICT DO NOTHING").Returning("event_id").Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimMap has the clause on a map into a named table; right: zero rows is a duplicate.
func ClaimMap(ctx context.Context, tx bun.Tx, eventID string) (bool, error) {
	row := map[string]any{"event_id": eventID, "consumer_group": "gates"}
	res, err := tx.NewInsert().Model(&row).TableExpr("processed_events").On("CONFLICT DO NOTHING").Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimRaw is a raw INSERT with the clause; right: zero rows is a duplicate.
func ClaimRaw(ctx context.Context, db *bun.DB, eventID string) (bool, error) {
	res, err := db.NewRaw("INSERT INTO processed_events (event_id) VALUES (?) ON CONFLICT DO NOTHING", eventID).Exec(ctx)
	if err != nil {
		return false, err
	}
	n, err := res.RowsAffected()
	return n == 1, err
}

// ClaimOnText has its clause from the caller; silent: which one it is cannot be seen here.
func ClaimOnText(ctx context.Context, tx bun.Tx, eventID, on string) error {
	_, err := tx.NewInsert().Model(&SeenEvent{EventID: eventID, Consumer: "gates"}).On(on).Exec(ctx)
	return err
}

// AddTollGate is an insert of a business model without a clause; right: toll_gates is no dedup table.
func AddTollGate(ctx context.Context, db bun.IDB, road string) error {
	_, err := db.NewInsert().Model(&TollGate{Road: road}).Exec(ctx)
	return err
}
