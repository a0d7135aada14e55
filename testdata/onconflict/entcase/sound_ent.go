package entcase

import (
	"context"
	stdsql "database/sql"
	"errors"

	"entgo.io/ent/dialect/sql"
	"example.com/cases/onconflict/entcase/ent"
	"example.com/cases/onconflict/entcase/ent/processedevent"
)

// ClaimDoNothing has the clause by the builder's method; right: no row back is a duplicate.
func ClaimDoNothing(ctx context.Context, tx *ent.Tx, eventID string) (bool, error) {
	create := tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards")
	err := create.OnConflictColumns(processedevent.FieldID).DoNothing().Exec(ctx)
	if errors.Is(err, stdsql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimOption has the clause by an option; right: no row back is a duplicate.
func ClaimOption(ctx context.Context, tx *ent.Tx, eventID string) (bool, error) {
	err := tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards").OnConflict(sql.DoNothing()).Exec(ctx)
	if errors.Is(err, stdsql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// ClaimWith has its options from the caller; silent: which they are cannot be seen here.
func ClaimWith(ctx context.Context, tx *ent.Tx, eventID string, opts ...sql.ConflictOption) error {
	return tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards").OnConflict(opts...).Exec(ctx)
}

// AddShipment takes the constraint error on a business table for "already there"; right: shipments is no dedup table.
func AddShipment(ctx context.Context, tx *ent.Tx, orderID, address string) (bool, error) {
	err := tx.Shipment.Create().SetOrderID(orderID).SetAddress(address).Exec(ctx)
	if ent.IsConstraintError(err) {
		return false, nil
	}
	return err == nil, err
}

// DropOld deletes from the dedup table; right: it inserts nothing.
func DropOld(ctx context.Context, client *ent.Client, ids []string) (int, error) {
	return client.ProcessedEvent.Delete().Where(processedevent.IDIn(ids...)).Exec(ctx)
}
