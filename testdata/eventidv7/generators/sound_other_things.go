package generators

import (
	"time"

	google "github.com/google/uuid"
	gonanoid "github.com/matoous/go-nanoid/v2"
	"github.com/oklog/ulid/v2"
	"github.com/rs/xid"
	"github.com/segmentio/ksuid"
)

// manifestFiled carries the ids of many things; only the event's own must be version 7.
type manifestFiled struct {
	EventID    google.UUID `json:"eventId"`
	Type       string      `json:"type"`
	OccurredAt time.Time   `json:"occurredAt"`
	ManifestID string      `json:"manifestId"`
	RequestID  string      `json:"requestId"`
	TraceID    string      `json:"traceId"`
	Reference  string      `json:"reference"`
}

func fileManifest() (manifestFiled, error) {
	id, err := google.NewV7()
	return manifestFiled{
		EventID:    id,
		Type:       "manifest.filed",
		OccurredAt: time.Now(),
		ManifestID: ulid.Make().String(),
		RequestID:  ksuid.New().String(),
		TraceID:    xid.New().String(),
		Reference:  gonanoid.Must(8),
	}, err
}

// parsed ids of each library come from elsewhere.
type manifestCopied struct {
	EventID    string
	Type       string
	OccurredAt time.Time
}

func copyManifest(id string) (manifestCopied, error) {
	parsed, err := ulid.Parse(id)
	return manifestCopied{EventID: parsed.String(), Type: "manifest.copied", OccurredAt: time.Now()}, err
}

func copyManifestKsuid(id string) (manifestCopied, error) {
	parsed, err := ksuid.Parse(id)
	return manifestCopied{EventID: parsed.String(), Type: "manifest.copied", OccurredAt: time.Now()}, err
}

func copyManifestXid(id string) (manifestCopied, error) {
	parsed, err := xid.FromString(id)
	return manifestCopied{EventID: parsed.String(), Type: "manifest.copied", OccurredAt: time.Now()}, err
}
