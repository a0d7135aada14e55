package effects

import (
	"context"
	"encoding/json"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/segmentio/kafka-go"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"example.com/cases/listenerdedup/effects/labelpb"
)

type tagAsked struct {
	EventID string `json:"eventId"`
	Parcel  string `json:"parcel"`
}

// TagWorker is sound for this rule: a gRPC call stands behind the mark of the event.
type TagWorker struct {
	reader *kafka.Reader
	pool   *pgxpool.Pool
	labels labelpb.LabelServiceClient
}

func NewTagWorker(brokers []string, pool *pgxpool.Pool, labels labelpb.LabelServiceClient) *TagWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "tag.asked", GroupID: "tag"})
	return &TagWorker{reader: r, pool: pool, labels: labels}
}

func (w *TagWorker) Run(ctx context.Context) error {
	for {
		m, err := w.reader.FetchMessage(ctx)
		if err != nil {
			return err
		}
		if err := w.handle(ctx, m); err != nil {
			return err
		}
		if err := w.reader.CommitMessages(ctx, m); err != nil {
			return err
		}
	}
}

func (w *TagWorker) handle(ctx context.Context, m kafka.Message) error {
	var e tagAsked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	tag, err := w.pool.Exec(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'tag') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if tag.RowsAffected() == 0 {
		return nil
	}
	_, err = w.labels.CreateLabel(ctx, wrapperspb.String(e.Parcel))
	return err
}
