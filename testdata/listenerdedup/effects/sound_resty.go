package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/go-resty/resty/v2"
	"github.com/twmb/franz-go/pkg/kgo"
)

type pushAsked struct {
	EventID string `json:"eventId"`
	Phone   string `json:"phone"`
	Text    string `json:"text"`
}

// PushWorker is sound for this rule: a POST through resty stands behind the mark of the event.
type PushWorker struct {
	client *kgo.Client
	db     *sql.DB
	api    *resty.Client
}

func NewPushWorker(seeds []string, db *sql.DB, api *resty.Client) (*PushWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("push"), kgo.ConsumeTopics("push.asked"))
	if err != nil {
		return nil, err
	}
	return &PushWorker{client: client, db: db, api: api}, nil
}

func (w *PushWorker) Run(ctx context.Context) error {
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

func (w *PushWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e pushAsked
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'push') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = w.api.R().SetContext(ctx).SetBody(map[string]string{"to": e.Phone, "text": e.Text}).Post("/messages")
	return err
}
