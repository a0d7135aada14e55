package franzcase

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/twmb/franz-go/pkg/kgo"
)

type reportWritten struct {
	EventID string `json:"eventId"`
	Patient string `json:"patient"`
	Text    string `json:"text"`
}

// FileReports is PollFetches + RecordIter; sound: sql.ErrNoRows from RETURNING says duplicate and the insert is left out.
func FileReports(ctx context.Context, seeds []string, db *sql.DB) error {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("files"), kgo.ConsumeTopics("reports"), kgo.DisableAutoCommit())
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
			var e reportWritten
			if err := json.Unmarshal(r.Value, &e); err != nil {
				return fmt.Errorf("report at %d: %w", r.Offset, err)
			}
			if err := fileReport(ctx, db, e); err != nil {
				return err
			}
			if err := client.CommitRecords(ctx, r); err != nil {
				return err
			}
		}
	}
}

func fileReport(ctx context.Context, db *sql.DB, e reportWritten) error {
	tx, err := db.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer tx.Rollback()
	var marked string
	err = tx.QueryRowContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'files') ON CONFLICT DO NOTHING RETURNING event_id`, e.EventID).Scan(&marked)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		return nil
	case err != nil:
		return err
	}
	if _, err := tx.ExecContext(ctx, `INSERT INTO reports (patient, body) VALUES ($1, $2)`, e.Patient, e.Text); err != nil {
		return err
	}
	return tx.Commit()
}
