package channelworker

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/twmb/franz-go/pkg/kgo"
)

type cupMade struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Pieces  int    `json:"pieces"`
}

// CountCups has the same two stages; sound: between them the event is marked, and a known one goes no further.
func CountCups(ctx context.Context, client *kgo.Client, db *sql.DB) {
	raw := make(chan []byte)
	events := make(chan cupMade)
	go func() {
		defer close(events)
		for body := range raw {
			var e cupMade
			if json.Unmarshal(body, &e) != nil {
				continue
			}
			res, err := db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'cups') ON CONFLICT DO NOTHING`, e.EventID)
			if err != nil {
				log.Print(err)
				continue
			}
			if n, err := res.RowsAffected(); err != nil || n == 0 {
				continue
			}
			events <- e
		}
	}()
	go func() {
		for e := range events {
			if _, err := db.ExecContext(ctx, `INSERT INTO cups (line, pieces) VALUES ($1, $2)`, e.Line, e.Pieces); err != nil {
				log.Print(err)
			}
		}
	}()
	defer close(raw)
	for ctx.Err() == nil {
		for _, r := range client.PollFetches(ctx).Records() {
			raw <- r.Value
		}
	}
}
