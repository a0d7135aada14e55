// Package shared declares events that others publish.
package shared

import "time"

// NestBuilt has its id last.
type NestBuilt struct {
	At      time.Time `json:"at"`
	Bird    string    `json:"bird"`
	EventID string    `json:"eventId"`
}

// NestLeft has it first.
type NestLeft struct {
	EventID string    `json:"eventId"`
	At      time.Time `json:"at"`
}
