package franzcase

import (
	"context"
	"encoding/json"
	"log"

	"github.com/jmoiron/sqlx"
	"github.com/twmb/franz-go/pkg/kgo"
)

type meterRead struct {
	EventID string `json:"eventId"`
	Meter   string `json:"meter"`
	KWh     int    `json:"kwh"`
}

// MeterWorker is PollFetches + EachPartition over p.Records; the reading is added at every delivery.
type MeterWorker struct {
	client *kgo.Client
	db     *sqlx.DB
}

func NewMeterWorker(seeds []string, db *sqlx.DB) (*MeterWorker, error) {
	client, err := kgo.NewClient(kgo.SeedBrokers(seeds...), kgo.ConsumerGroup("billing"), kgo.ConsumeTopics("meters"))
	if err != nil {
		return nil, err
	}
	return &MeterWorker{client: client, db: db}, nil
}

func (w *MeterWorker) Run(ctx context.Context) {
	for ctx.Err() == nil {
		fetches := w.client.PollFetches(ctx)
		fetches.EachPartition(func(p kgo.FetchTopicPartition) {
			for _, r := range p.Records {
				var e meterRead
				if err := json.Unmarshal(r.Value, &e); err != nil {
					log.Printf("%s/%d: %v", p.Topic, p.Partition, err)
					continue
				}
				if _, err := w.db.ExecContext(ctx, `UPDATE meters SET kwh = kwh + $1 WHERE id = $2`, e.KWh, e.Meter); err != nil { // want "R-KFK-IDEM-X1"
					log.Printf("%s/%d: %v", p.Topic, p.Partition, err)
				}
			}
		})
	}
}
