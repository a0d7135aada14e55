package effects

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/segmentio/kafka-go"
)

type jobAsked struct {
	EventID string `json:"eventId"`
	Text    string `json:"text"`
}

// QueueWorker has a message to SQS as its effect and no gate.
type QueueWorker struct {
	reader *kafka.Reader
	client *sqs.Client
	queue  string
}

func NewQueueWorker(brokers []string, client *sqs.Client, queue string) *QueueWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "job.asked", GroupID: "queue"})
	return &QueueWorker{reader: r, client: client, queue: queue}
}

func (w *QueueWorker) Run(ctx context.Context) error {
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

func (w *QueueWorker) handle(ctx context.Context, m kafka.Message) error {
	var e jobAsked
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.client.SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: aws.String(w.queue), MessageBody: aws.String(e.Text)}) // want "R-KFK-IDEM-X1"
	return err
}
