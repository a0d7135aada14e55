// Package looks has ids that look like an event's, and are none.
package looks

import (
	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Customer is an entity: its hook may use version 4.
type Customer struct {
	ID   uuid.UUID `gorm:"type:uuid;primaryKey"`
	Name string
}

// BeforeCreate is gorm's hook.
func (c *Customer) BeforeCreate(*gorm.DB) error {
	c.ID = uuid.New()
	return nil
}

// OutboxEvent gets a version 7 from its hook.
type OutboxEvent struct {
	ID        uuid.UUID `gorm:"type:uuid;primaryKey"`
	EventType string
	Payload   []byte
}

// BeforeCreate is gorm's hook.
func (e *OutboxEvent) BeforeCreate(*gorm.DB) (err error) {
	e.ID, err = uuid.NewV7()
	return err
}
