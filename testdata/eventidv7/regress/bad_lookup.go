// Package regress has shapes that once were missed, or reported wrongly.
package regress

import (
	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Ticket is looked up.
type Ticket struct {
	ID uuid.UUID
}

// OutboxEvent is the outbox's row.
type OutboxEvent struct {
	ID          uuid.UUID
	AggregateID uuid.UUID
	EventType   string
	Payload     []byte
}

// sold looks another row up first: what follows a look-up that finds its row is
// code like any other.
func sold(db *gorm.DB) error {
	tid := uuid.New()
	var t Ticket
	if err := db.Where("id = ?", tid).First(&t).Error; err != nil {
		return err
	}
	ev := OutboxEvent{ID: uuid.New(), AggregateID: t.ID, EventType: "ticket.sold"} // want "R-KFK-IDEM-1"
	return db.Create(&ev).Error
}
