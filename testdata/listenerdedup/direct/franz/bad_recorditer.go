package franzcase

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

type noteWritten struct {
	EventID string `json:"eventId"`
	Patient string `json:"patient"`
	Text    string `json:"text"`
}

// FileNotes is PollFetches + RecordIter; the note is filed at every delivery.
func FileNotes(ctx context.Context, seeds []string, db *sql.DB) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("files"), kgo.ConsumeTopics("notes"), kgo.DisableAutoCommit())
	if err != nil {
		return err
	}
	defer client.Close()
	for {
		fetches := client.PollFetches(ctx)
		if err := fetches.Err(); err != nil {
			return err
		}
		iter := fetches.RecordIter()
		for !iter.Done() {
			r := iter.Next()
			var e noteWritten
			if err := json.Unmarshal(r.Value, &e); err != nil {
				return fmt.Errorf("note at %d: %w", r.Offset, err)
			}
			if _, err := db.ExecContext(ctx, `INSERT INTO notes (patient, body) VALUES ($1, $2)`, e.Patient, e.Text); err != nil { // want "R-KFK-IDEM-X1"
				return err
			}
			if err := client.CommitRecords(ctx, r); err != nil {
				return err
			}
		}
	}
}
