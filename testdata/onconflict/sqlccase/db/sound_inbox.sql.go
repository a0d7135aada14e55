package db

import (
	"context"
)

const tryMarkProcessed = `-- name: TryMarkProcessed :execrows
INSERT INTO processed_events (event_id, consumer_group)
VALUES ($1, $2)
ON CONFLICT (event_id, consumer_group) DO NOTHING
`

// TryMarkProcessedParams are the arguments of TryMarkProcessed.
type TryMarkProcessedParams struct {
	EventID       string `json:"event_id"`
	ConsumerGroup string `json:"consumer_group"`
}

// TryMarkProcessed is sqlc's :execrows with the clause; right: zero rows is a duplicate.
func (q *Queries) TryMarkProcessed(ctx context.Context, arg TryMarkProcessedParams) (int64, error) {
	result, err := q.db.Exec(ctx, tryMarkProcessed, arg.EventID, arg.ConsumerGroup)
	if err != nil {
		return 0, err
	}
	return result.RowsAffected(), nil
}

const claimInboxEvent = `-- name: ClaimInboxEvent :one
INSERT INTO inbox_events (event_id, payload) VALUES ($1, $2)
ON CONFLICT DO NOTHING
RETURNING event_id
`

// ClaimInboxEvent is sqlc's :one with the clause; right: pgx.ErrNoRows is a duplicate.
func (q *Queries) ClaimInboxEvent(ctx context.Context, eventID string, payload []byte) (string, error) {
	row := q.db.QueryRow(ctx, claimInboxEvent, eventID, payload)
	var eventIDOut string
	err := row.Scan(&eventIDOut)
	return eventIDOut, err
}

const createPermit = `-- name: CreatePermit :exec
INSERT INTO permits (number, holder) VALUES ($1, $2)
`

// CreatePermit is sqlc's :exec of a plain INSERT into a business table; right: permits is no dedup table.
func (q *Queries) CreatePermit(ctx context.Context, number string, holder string) error {
	_, err := q.db.Exec(ctx, createPermit, number, holder)
	return err
}

const deleteOldProcessed = `-- name: DeleteOldProcessed :exec
DELETE FROM processed_events WHERE processed_at < now() - interval '7 days'
`

// DeleteOldProcessed is the dedup table's purge; right: it inserts nothing.
func (q *Queries) DeleteOldProcessed(ctx context.Context) error {
	_, err := q.db.Exec(ctx, deleteOldProcessed)
	return err
}
