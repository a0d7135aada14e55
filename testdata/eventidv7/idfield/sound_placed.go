package idfield

import "github.com/google/uuid"

// placed is kept here; nothing says that it is sent.
type placed struct {
	EventID string
	Order   string
}

func place(order string) placed { return placed{EventID: uuid.NewString(), Order: order} }
