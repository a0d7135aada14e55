// Package entcase has schemas of ent.
package entcase

import (
	"time"

	"entgo.io/ent"
	"entgo.io/ent/dialect/entsql"
	"entgo.io/ent/schema"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// ProcessedEvent has a number for its key.
type ProcessedEvent struct {
	ent.Schema
}

// Fields of the row.
func (ProcessedEvent) Fields() []ent.Field { // want "processed_events has no primary key or unique constraint on event_id"
	return []ent.Field{
		field.String("event_id").NotEmpty(),
		field.Time("processed_at").Default(time.Now),
	}
}

// Mark's unique index holds the time of the delivery.
type Mark struct {
	ent.Schema
}

// Annotations name the table.
func (Mark) Annotations() []schema.Annotation {
	return []schema.Annotation{entsql.Annotation{Table: "billing_inbox"}}
}

// Fields of the row.
func (Mark) Fields() []ent.Field { // want "the key .event_id, received_at. of billing_inbox holds received_at"
	return []ent.Field{
		field.String("event_id"),
		field.Time("received_at").Default(time.Now).Immutable(),
	}
}

// Indexes of the table.
func (Mark) Indexes() []ent.Index {
	return []ent.Index{index.Fields("event_id", "received_at").Unique()}
}
