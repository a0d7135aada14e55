// Package looks has payloads whose event id is in front, by other ways of encoding.
package looks

import (
	"context"
	"encoding/json"

	"github.com/google/uuid"
	"github.com/twmb/franz-go/pkg/kgo"
)

// meta is embedded by pointer.
type meta struct {
	EventID uuid.UUID `json:"event_id"`
	Source  string    `json:"source"`
}

type sailed struct {
	*meta
	Ship string `json:"ship"`
}

// sunk's order is its schema's.
type sunk struct {
	Ship    string `avro:"ship"`
	EventID string `avro:"event_id"`
}

// saved has a name of its own for the id, by the tag.
type saved struct {
	Key  string `json:"eventId"`
	Ship string `json:"ship"`
}

// towed hides what stands before the id.
type towed struct {
	internal string
	Secret   string `json:"-"`
	EventID  string `json:"eventId"`
}

func all(ctx context.Context, c *kgo.Client, id uuid.UUID) error {
	for _, v := range []any{sailed{meta: &meta{EventID: id}}, sunk{EventID: id.String()}, saved{Key: id.String()}, towed{internal: "x", EventID: id.String()}} {
		body, err := json.Marshal(v)
		if err != nil {
			return err
		}
		if err := c.ProduceSync(ctx, kgo.SliceRecord(body)).FirstErr(); err != nil {
			return err
		}
	}
	return nil
}
