package effects

import (
	"context"
	"encoding/json"

	"github.com/twmb/franz-go/pkg/kgo"
)

type streamMerged struct {
	EventID string `json:"eventId"`
	Name    string `json:"name"`
}

// MergeWorker has a publish with franz-go as its effect and no gate.
type MergeWorker struct {
	client *kgo.Client
	out    *kgo.Client
}

func NewMergeWorker(seeds []string, out *kgo.Client) (*MergeWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("merge"), kgo.ConsumeTopics("stream.merged"))
	if err != nil {
		return nil, err
	}
	return &MergeWorker{client: client, out: out}, nil
}

func (w *MergeWorker) Run(ctx context.Context) error {
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

func (w *MergeWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e streamMerged
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	return w.out.ProduceSync(ctx, &kgo.Record{Topic: "streams.merged", Key: []byte(e.Name), Value: r.Value}).FirstErr() // want "R-KFK-IDEM-X1"
}
