// Package schema holds the tables of the ent cases.
package schema

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// ProcessedEvent is the dedup table (processed_events): its id is the event's own.
type ProcessedEvent struct {
	ent.Schema
}

// Fields of the dedup table.
func (ProcessedEvent) Fields() []ent.Field {
	return []ent.Field{
		field.String("id").StorageKey("event_id"),
		field.String("consumer_group"),
		field.Time("processed_at").Default(time.Now),
	}
}
