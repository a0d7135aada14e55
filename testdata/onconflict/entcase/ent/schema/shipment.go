package schema

import (
	"entgo.io/ent"
	"entgo.io/ent/schema/field"
)

// Shipment is a business table.
type Shipment struct {
	ent.Schema
}

// Fields of a shipment.
func (Shipment) Fields() []ent.Field {
	return []ent.Field{
		field.String("order_id").Unique(),
		field.String("address"),
	}
}
