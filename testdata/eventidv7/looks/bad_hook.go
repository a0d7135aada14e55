package looks

import (
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// AuditEvent gets its id from the hook.
type AuditEvent struct {
	EventID    uuid.UUID `gorm:"type:uuid;primaryKey"`
	EventType  string
	OccurredAt time.Time
	Payload    []byte
}

// BeforeCreate is gorm's hook.
func (e *AuditEvent) BeforeCreate(*gorm.DB) error {
	e.EventID = uuid.New() // want "R-KFK-IDEM-1"
	return nil
}
