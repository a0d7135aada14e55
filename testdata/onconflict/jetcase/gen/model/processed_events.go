// Package model holds rows in the form that jet generates.
package model

import "time"

// ProcessedEvents is a row of processed_events.
type ProcessedEvents struct {
	EventID       string `sql:"primary_key"`
	ConsumerGroup string `sql:"primary_key"`
	ProcessedAt   *time.Time
}
