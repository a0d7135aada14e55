package looks

import (
	"net/http"
	"time"

	"github.com/google/uuid"
)

// request carries ids that are no event's.
type request struct {
	RequestID     string
	TraceID       string
	CorrelationID string
	SessionID     uuid.UUID
	Type          string
	Timestamp     time.Time
}

func newRequest() request {
	return request{RequestID: uuid.NewString(), TraceID: uuid.NewString(), CorrelationID: uuid.NewString(), SessionID: uuid.New(), Type: "http", Timestamp: time.Now()}
}

func withID(r *http.Request) { r.Header.Set("X-Request-Id", uuid.NewString()) }

// lock's token is random by purpose.
type lock struct {
	Token string
	Until time.Time
}

func take() lock { return lock{Token: uuid.NewString(), Until: time.Now().Add(time.Minute)} }
