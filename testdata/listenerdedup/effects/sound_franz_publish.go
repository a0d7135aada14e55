package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

type streamZipped struct {
	EventID string `json:"eventId"`
	Name    string `json:"name"`
}

// ZipWorker is sound for this rule: a publish with franz-go stands behind the mark of the event.
type ZipWorker struct {
	client *kgo.Client
	db     *sql.DB
	out    *kgo.Client
}

func NewZipWorker(seeds []string, db *sql.DB, out *kgo.Client) (*ZipWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("zip"), kgo.ConsumeTopics("stream.zipped"))
	if err != nil {
		return nil, err
	}
	return &ZipWorker{client: client, db: db, out: out}, nil
}

func (w *ZipWorker) Run(ctx context.Context) error {
	for {
		fetches := w.client.PollFetches(ctx)
		if fetches.IsClientClosed() {
			return nil
		}
		for _, r := range fetches.Records() {
			if err := w.handle(ctx, r); err != nil {
				return err
			}
		}
		if err := w.client.CommitUncommittedOffsets(ctx); err != nil {
			return err
		}
	}
}

func (w *ZipWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e streamZipped
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'zip') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	return w.out.ProduceSync(ctx, &kgo.Record{Topic: "streams.merged", Key: []byte(e.Name), Value: r.Value}).FirstErr()
}
