// Package runtime holds consumers on the reference runtime.
package runtime

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/idemlint/idemlint/idem"
	"github.com/jackc/pgx/v5"
	"github.com/segmentio/kafka-go"
)

// Stamp is a letter's cancellation.
type Stamp struct {
	EventID string `json:"eventId"`
	Letter  string `json:"letter"`
}

// Post cancels stamps.
type Post struct {
	reader *kafka.Reader
	store  *idem.Store[pgx.Tx]
}

// ByOffset names the event after its place in the log.
func (w *Post) ByOffset(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var s Stamp
		if err := json.Unmarshal(m.Value, &s); err != nil {
			return err
		}
		id := fmt.Sprintf("%s-%d-%d", m.Topic, m.Partition, m.Offset)
		if _, err := w.store.Process(ctx, idem.Event{ID: id, Group: "post"}, s.cancel); err != nil { // want "R-KFK-IDEM-X2: "
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

// ByID names it by its id, and logs where it was.
func (w *Post) ByID(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		var s Stamp
		if err := json.Unmarshal(m.Value, &s); err != nil {
			return err
		}
		if _, err := w.store.Process(ctx, idem.Event{ID: s.EventID, Group: "post"}, s.cancel); err != nil {
			return fmt.Errorf("offset %d: %w", m.Offset, err)
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (s Stamp) cancel(ctx context.Context, tx pgx.Tx) error {
	_, err := tx.Exec(ctx, `INSERT INTO cancelled (letter) VALUES ($1)`, s.Letter)
	return err
}
