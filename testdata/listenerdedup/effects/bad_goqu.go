package effects

import (
	"context"
	"encoding/json"

	"github.com/doug-martin/goqu/v9"
	"github.com/twmb/franz-go/pkg/kgo"
)

type woolShorn struct {
	EventID string `json:"eventId"`
	Farm    string `json:"farm"`
	Kilos   int    `json:"kilos"`
}

// WoolWorker has an insert with goqu as its effect and no gate.
type WoolWorker struct {
	client *kgo.Client
	db     *goqu.Database
}

func NewWoolWorker(seeds []string, db *goqu.Database) (*WoolWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("wool"), kgo.ConsumeTopics("wool.shorn"))
	if err != nil {
		return nil, err
	}
	return &WoolWorker{client: client, db: db}, nil
}

func (w *WoolWorker) Run(ctx context.Context) error {
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

func (w *WoolWorker) handle(ctx context.Context, r *kgo.Record) error {
	var e woolShorn
	if err := json.Unmarshal(r.Value, &e); err != nil {
		return err
	}
	_, err := w.db.Insert("bales").Rows(goqu.Record{"farm": e.Farm, "kilos": e.Kilos}).Executor().ExecContext(ctx) // want "R-KFK-IDEM-X1"
	return err
}
