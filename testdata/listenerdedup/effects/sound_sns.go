package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/segmentio/kafka-go"
)

type warningRaised struct {
	EventID string `json:"eventId"`
	Text    string `json:"text"`
}

// WarnWorker is sound for this rule: a publish to SNS stands behind the mark of the event.
type WarnWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	client *sns.Client
	topic  string
}

func NewWarnWorker(brokers []string, db *sql.DB, client *sns.Client, topic string) *WarnWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "warning.raised", GroupID: "warn"})
	return &WarnWorker{reader: r, db: db, client: client, topic: topic}
}

func (w *WarnWorker) Run(ctx context.Context) error {
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

func (w *WarnWorker) handle(ctx context.Context, m kafka.Message) error {
	var e warningRaised
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'warn') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = w.client.Publish(ctx, &sns.PublishInput{TopicArn: aws.String(w.topic), Message: aws.String(e.Text)})
	return err
}
