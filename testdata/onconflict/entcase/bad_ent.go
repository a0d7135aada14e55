package entcase

import (
	"context"

	"entgo.io/ent/dialect/sql"
	"example.com/cases/onconflict/entcase/ent"
	"example.com/cases/onconflict/entcase/ent/processedevent"
)

// MarkExec is a generated create without a clause.
func MarkExec(ctx context.Context, tx *ent.Tx, eventID string) (bool, error) {
	err := tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards").Exec(ctx) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// MarkCaught takes the constraint error for the answer.
func MarkCaught(ctx context.Context, tx *ent.Tx, eventID string) (bool, error) {
	_, err := tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards").Save(ctx) // want "R-KFK-IDEM-2"
	if ent.IsConstraintError(err) {
		return false, nil
	}
	return err == nil, err
}

// MarkExist asks first and creates after: two deliveries both read "not there".
func MarkExist(ctx context.Context, client *ent.Client, eventID string) (bool, error) {
	seen, err := client.ProcessedEvent.Query().Where(processedevent.ID(eventID)).Exist(ctx)
	if err != nil || seen {
		return false, err
	}
	err = client.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards").Exec(ctx) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// MarkNewValues updates on conflict: no error both times.
func MarkNewValues(ctx context.Context, tx *ent.Tx, eventID string) (bool, error) {
	create := tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards")
	err := create.OnConflictColumns(processedevent.FieldID).UpdateNewValues().Exec(ctx) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// MarkIgnore is ent's Ignore, which is DO UPDATE of each column by itself: a row comes back both times.
func MarkIgnore(ctx context.Context, tx *ent.Tx, eventID string) (bool, error) {
	create := tx.ProcessedEvent.Create().SetID(eventID).SetConsumerGroup("yards")
	err := create.OnConflict(sql.ConflictColumns(processedevent.FieldID)).Ignore().Exec(ctx) // want "R-KFK-IDEM-2"
	return err == nil, err
}

// MarkBulk creates many rows without a clause.
func MarkBulk(ctx context.Context, tx *ent.Tx, ids []string) error {
	rows := make([]*ent.ProcessedEventCreate, 0, len(ids))
	for _, id := range ids {
		rows = append(rows, tx.ProcessedEvent.Create().SetID(id).SetConsumerGroup("yards"))
	}
	return tx.ProcessedEvent.CreateBulk(rows...).Exec(ctx) // want "R-KFK-IDEM-2"
}
