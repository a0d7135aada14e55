package entcase

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
	"entgo.io/ent/schema/index"
)

// HandledEvent is unique by event and consumer.
type HandledEvent struct {
	ent.Schema
}

// Fields of the row.
func (HandledEvent) Fields() []ent.Field {
	return []ent.Field{field.String("event_id"), field.String("consumer"), field.Time("at")}
}

// Indexes of the table.
func (HandledEvent) Indexes() []ent.Index {
	return []ent.Index{index.Fields("event_id", "consumer").Unique(), index.Fields("at")}
}

// SeenMessage is unique by its field.
type SeenMessage struct {
	ent.Schema
}

// Fields of the row.
func (SeenMessage) Fields() []ent.Field {
	return []ent.Field{field.String("message_id").Unique().Immutable()}
}

// Order is no dedup table.
type Order struct {
	ent.Schema
}

// Fields of the row.
func (Order) Fields() []ent.Field {
	return []ent.Field{field.String("event_id"), field.Int("cents")}
}
