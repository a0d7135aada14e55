package idfield

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"
	"gorm.io/gorm"
)

// Vehicle is an entity: it has a type and was created at some time, and it is stored, not published.
type Vehicle struct {
	ID        string
	Type      string
	CreatedAt time.Time
}

func addVehicle(ctx context.Context, db *sql.DB, typ string) (*Vehicle, error) {
	v := &Vehicle{ID: uuid.NewString(), Type: typ, CreatedAt: time.Now()}
	_, err := db.ExecContext(ctx, `INSERT INTO vehicles (id, type, created_at) VALUES ($1, $2, $3)`, v.ID, v.Type, v.CreatedAt)
	return v, err
}

// Document has a kind, a name, a body and two times.
type Document struct {
	ID        uuid.UUID `gorm:"primaryKey"`
	Kind      string
	Name      string
	Body      []byte
	CreatedAt time.Time
	UpdatedAt time.Time
}

// BeforeCreate is gorm's hook on an entity.
func (d *Document) BeforeCreate(*gorm.DB) error {
	d.ID = uuid.New()
	return nil
}

func addDocument(db *gorm.DB, kind string, body []byte) error {
	return db.Create(&Document{Kind: kind, Body: body}).Error
}

// Payment has a state and a time of its own.
type Payment struct {
	ID     uuid.UUID
	Type   string
	Amount int64
	PaidAt time.Time
}

func newPayment(amount int64) Payment {
	return Payment{ID: uuid.New(), Type: "card", Amount: amount, PaidAt: time.Now()}
}

// Measurement has a type and a time stamp; it goes into a time series table.
type Measurement struct {
	ID     string
	Sensor string
	Unit   string
	Value  float64
	Taken  time.Time
}

func measure(sensor string, value float64) Measurement {
	return Measurement{ID: uuid.NewString(), Sensor: sensor, Unit: "K", Value: value, Taken: time.Now()}
}

// Notification is stored for the inbox of the web page.
type Notification struct {
	ID        string
	Type      string
	Title     string
	Body      string
	CreatedAt time.Time
}

func notify(ctx context.Context, db *sql.DB, title string) error {
	n := Notification{ID: uuid.NewString(), Type: "info", Title: title, CreatedAt: time.Now()}
	_, err := db.ExecContext(ctx, `INSERT INTO notifications (id, type, title, created_at) VALUES ($1, $2, $3, $4)`, n.ID, n.Type, n.Title, n.CreatedAt)
	return err
}
