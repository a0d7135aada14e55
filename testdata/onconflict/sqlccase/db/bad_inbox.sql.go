package db

import (
	"context"
)

const markProcessed = `-- name: MarkProcessed :execrows
INSERT INTO processed_events (event_id, consumer_group)
VALUES ($1, $2)
`

// MarkProcessedParams are the arguments of MarkProcessed.
type MarkProcessedParams struct {
	EventID       string `json:"event_id"`
	ConsumerGroup string `json:"consumer_group"`
}

// MarkProcessed is sqlc's :execrows of a plain INSERT.
func (q *Queries) MarkProcessed(ctx context.Context, arg MarkProcessedParams) (int64, error) {
	result, err := q.db.Exec(ctx, markProcessed, arg.EventID, arg.ConsumerGroup) // want "R-KFK-IDEM-2"
	if err != nil {
		return 0, err
	}
	return result.RowsAffected(), nil
}

const insertInboxEvent = `-- name: InsertInboxEvent :one
INSERT INTO inbox_events (event_id, payload) VALUES ($1, $2)
RETURNING event_id, payload
`

// InboxEvent is a row of inbox_events.
type InboxEvent struct {
	EventID string `json:"event_id"`
	Payload []byte `json:"payload"`
}

// InsertInboxEvent is sqlc's :one of a plain INSERT with RETURNING.
func (q *Queries) InsertInboxEvent(ctx context.Context, eventID string, payload []byte) (InboxEvent, error) {
	row := q.db.QueryRow(ctx, insertInboxEvent, eventID, payload) // want "R-KFK-IDEM-2"
	var i InboxEvent
	err := row.Scan(&i.EventID, &i.Payload)
	return i, err
}

const upsertProcessed = `-- name: UpsertProcessed :execrows
INSERT INTO processed_events (event_id, consumer_group)
VALUES ($1, $2)
ON CONFLICT (event_id, consumer_group) DO UPDATE
SET processed_at = now()
`

// UpsertProcessed is sqlc's :execrows of an INSERT that updates on conflict: one row both times.
func (q *Queries) UpsertProcessed(ctx context.Context, arg MarkProcessedParams) (int64, error) {
	result, err := q.db.Exec(ctx, upsertProcessed, arg.EventID, arg.ConsumerGroup) // want "R-KFK-IDEM-2"
	if err != nil {
		return 0, err
	}
	return result.RowsAffected(), nil
}
