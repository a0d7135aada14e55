package effects

import (
	"context"
	"encoding/json"

	"github.com/go-resty/resty/v2"
	"github.com/twmb/franz-go/pkg/kgo"
)

type smsAsked struct {
	EventID string `json:"eventId"`
	Phone   string `json:"phone"`
	Text    string `json:"text"`
}

// SmsWorker has a POST through resty as its effect and no gate.
type SmsWorker struct {
	client *kgo.Client
	api    *resty.Client
}

func NewSmsWorker(seeds []string, api *resty.Client) (*SmsWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("sms"), kgo.ConsumeTopics("sms.asked"))
	if err != nil {
		return nil, err
	}
	return &SmsWorker{client: client, api: api}, nil
}

func (w *SmsWorker) Run(ctx context.Context) error {
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

func (w *SmsWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e smsAsked
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	_, err := w.api.R().SetContext(ctx).SetBody(map[string]string{"to": e.Phone, "text": e.Text}).Post("/messages") // want "R-KFK-IDEM-X1"
	return err
}
