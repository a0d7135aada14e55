// Package gate holds gates and helpers that take their key from the caller; nothing is wrong in here.
package gate

import (
	"bytes"
	"context"
	"net/http"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/redis/go-redis/v9"
)

// TryMark reports whether the group sees the id for the first time.
func TryMark(ctx context.Context, tx pgx.Tx, id, group string) (bool, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, $2) ON CONFLICT (event_id, consumer_group) DO NOTHING", id, group)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

// TryMarkAt does the same and keeps where the first copy was found in a column beside the key.
func TryMarkAt(ctx context.Context, tx pgx.Tx, id, group, at string) (bool, error) {
	tag, err := tx.Exec(ctx, "INSERT INTO processed_events (event_id, consumer_group, found_at) VALUES ($1, $2, $3) ON CONFLICT (event_id, consumer_group) DO NOTHING", id, group, at)
	if err != nil {
		return false, err
	}
	return tag.RowsAffected() == 1, nil
}

// FileError notes a failed record under its coordinates; it decides nothing.
func FileError(ctx context.Context, tx pgx.Tx, at string, cause error) error {
	_, err := tx.Exec(ctx, "INSERT INTO consumer_errors (record, error) VALUES ($1, $2) ON CONFLICT (record) DO NOTHING", at, cause.Error())
	return err
}

// Once is a Redis gate.
type Once struct {
	RDB *redis.Client
}

// First reports whether the id is new.
func (o *Once) First(ctx context.Context, id string) (bool, error) {
	return o.RDB.SetNX(ctx, "once:"+id, 1, 24*time.Hour).Result()
}

// Post sends body with the key as Idempotency-Key and trace as a request id.
func Post(ctx context.Context, client *http.Client, url, key, trace string, body []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("Idempotency-Key", key)
	req.Header.Set("X-Request-Id", trace)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
