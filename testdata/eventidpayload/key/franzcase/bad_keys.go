// Package franzcase takes the ids of events from franz-go's headers.
package franzcase

import (
	"context"
	"encoding/json"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

type tripEnded struct {
	EventID string `json:"eventId"`
	Rider   string `json:"rider"`
}

// receipts mails receipts.
type receipts struct {
	client *kgo.Client
	seen   *redis.Client
}

func (r *receipts) run(ctx context.Context) {
	for ctx.Err() == nil {
		r.client.PollFetches(ctx).EachRecord(func(rec *kgo.Record) {
			h := toMap(rec.Headers)
			first, err := r.seen.SetNX(ctx, "receipt:"+h["id"], 1, 24*time.Hour).Result() // want "a header of the record"
			if err != nil || !first {
				return
			}
			r.client.Produce(ctx, &kgo.Record{Topic: "receipts", Value: rec.Value}, nil)
		})
	}
}

func toMap(hs []kgo.RecordHeader) map[string]string {
	out := make(map[string]string, len(hs))
	for _, h := range hs {
		out[h.Key] = string(h.Value)
	}
	return out
}

// soundRun takes the id from the payload.
func (r *receipts) soundRun(ctx context.Context) {
	for ctx.Err() == nil {
		r.client.PollFetches(ctx).EachRecord(func(rec *kgo.Record) {
			var ev tripEnded
			if json.Unmarshal(rec.Value, &ev) != nil || toMap(rec.Headers)["kind"] != "trip" {
				return
			}
			first, err := r.seen.SetNX(ctx, "receipt:"+ev.EventID, 1, 24*time.Hour).Result()
			if err != nil || !first {
				return
			}
			r.client.Produce(ctx, &kgo.Record{Topic: "receipts", Value: rec.Value}, nil)
		})
	}
}
