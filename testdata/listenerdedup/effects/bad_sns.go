package effects

import (
	"context"
	"encoding/json"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/sns"
	"github.com/segmentio/kafka-go"
)

type alertRaised struct {
	EventID string `json:"eventId"`
	Text    string `json:"text"`
}

// AlertWorker has a publish to SNS as its effect and no gate.
type AlertWorker struct {
	reader *kafka.Reader
	client *sns.Client
	topic  string
}

func NewAlertWorker(brokers []string, client *sns.Client, topic string) *AlertWorker {
	r := kafka.NewReader(kafka.ReaderConfig{Brokers: brokers, Topic: "alert.raised", GroupID: "alert"})
	return &AlertWorker{reader: r, client: client, topic: topic}
}

func (w *AlertWorker) Run(ctx context.Context) error {
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

func (w *AlertWorker) handle(ctx context.Context, m kafka.Message) error {
	var e alertRaised
	if err := json.Unmarshal(m.Value, &e); err != nil {
		return err
	}
	_, err := w.client.Publish(ctx, &sns.PublishInput{TopicArn: aws.String(w.topic), Message: aws.String(e.Text)}) // want "R-KFK-IDEM-X1"
	return err
}
