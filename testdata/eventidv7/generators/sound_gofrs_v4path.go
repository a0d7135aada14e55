package generators

import (
	"time"

	"github.com/gofrs/uuid"
)

// tugSent is written against the import path that versions 3 and 4 of gofrs/uuid have.
type tugSent struct {
	EventID    string    `json:"eventId"`
	Type       string    `json:"type"`
	OccurredAt time.Time `json:"occurredAt"`
	Job        string    `json:"job"`
}

func sendTug() (tugSent, error) {
	id, err := uuid.NewV7()
	return tugSent{EventID: id.String(), Type: "tug.sent", OccurredAt: time.Now(), Job: uuid.Must(uuid.NewV4()).String()}, err
}

func sendTugTwice(job uuid.UUID) tugSent {
	return tugSent{EventID: uuid.NewV5(job, "sent").String(), Type: "tug.sent", OccurredAt: time.Now(), Job: job.String()}
}
