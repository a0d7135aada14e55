package sqlccase

import (
	"context"
	"errors"

	"example.com/cases/onconflict/sqlccase/db"
	"github.com/jackc/pgx/v5"
)

// PermitStore calls the generated queries; silent here: a statement without the clause is the finding of the package where its text stands.
type PermitStore struct {
	q *db.Queries
}

// NewPermitStore binds the store to its queries.
func NewPermitStore(q *db.Queries) *PermitStore {
	return &PermitStore{q: q}
}

// FirstTime calls the query with the clause; right: no row is a duplicate.
func (s *PermitStore) FirstTime(ctx context.Context, tx pgx.Tx, eventID string, payload []byte) (bool, error) {
	_, err := s.q.WithTx(tx).ClaimInboxEvent(ctx, eventID, payload)
	if errors.Is(err, pgx.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// Marked calls the query whose text has the clause; right: zero rows is a duplicate.
func (s *PermitStore) Marked(ctx context.Context, tx pgx.Tx, eventID string) (bool, error) {
	n, err := s.q.WithTx(tx).TryMarkProcessed(ctx, db.TryMarkProcessedParams{EventID: eventID, ConsumerGroup: "permits"})
	return n == 1, err
}
