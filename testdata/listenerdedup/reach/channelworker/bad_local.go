package channelworker

import (
	"context"
	"database/sql"
	"encoding/json"
	"log"

	"github.com/twmb/franz-go/pkg/kgo"
)

type plateMade struct {
	EventID string `json:"eventId"`
	Line    string `json:"line"`
	Pieces  int    `json:"pieces"`
}

// CountPlates has a local channel between the poll and a goroutine of two stages; the second one writes.
func CountPlates(ctx context.Context, client *kgo.Client, db *sql.DB) {
	raw := make(chan []byte)
	events := make(chan plateMade)
	go func() {
		defer close(events)
		for body := range raw {
			var e plateMade
			if json.Unmarshal(body, &e) == nil {
				events <- e
			}
		}
	}()
	go func() {
		for e := range events {
			if _, err := db.ExecContext(ctx, `INSERT INTO plates (line, pieces) VALUES ($1, $2)`, e.Line, e.Pieces); err != nil { // want "R-KFK-IDEM-X1"
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
