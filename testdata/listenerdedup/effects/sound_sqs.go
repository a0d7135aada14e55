package effects

import (
	"context"
	"database/sql"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/segmentio/kafka-go"
)

type taskAsked struct {
	EventID string `json:"eventId"`
	Text    string `json:"text"`
}

// StackWorker is sound for this rule: a message to SQS stands behind the mark of the event.
type StackWorker struct {
	reader *kafka.Reader
	db     *sql.DB
	client *sqs.Client
	queue  string
}

func NewStackWorker(brokers []string, db *sql.DB, client *sqs.Client, queue string) *StackWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "task.asked", GroupID: "stack"})
	return &StackWorker{reader: r, db: db, client: client, queue: queue}
}

func (w *StackWorker) Run(ctx context.Context) error {
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

func (w *StackWorker) handle(ctx context.Context, m kafka.Message) error {
	var e taskAsked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	res, err := w.db.ExecContext(ctx, `INSERT INTO processed_events (event_id, consumer_group) VALUES ($1, 'stack') ON CONFLICT DO NOTHING`, e.EventID)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	_, err = w.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: aws.String(w.queue), MessageBody: aws.String(e.Text)})
	return err
}
