package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type officeOpened struct {
	EventID string `json:"eventId"`
	Office  string `json:"office"`
	Owner   string `json:"owner"`
}

// OfficeWorker puts without a condition: it overwrites.
type OfficeWorker struct {
	ddb *dynamodb.Client
}

func NewOfficeWorker(ddb *dynamodb.Client) *OfficeWorker {
	return &OfficeWorker{ddb: ddb}
}

func (w *OfficeWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *OfficeWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *OfficeWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *OfficeWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e officeOpened
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.ddb.PutItem(ctx, &dynamodb.PutItemInput{ // want "R-KFK-IDEM-X1.*overwrit"
		TableName: aws.String("offices"),
		Item: map[string]types.AttributeValue{
			"id":    &types.AttributeValueMemberS{Value: e.Office},
			"owner": &types.AttributeValueMemberS{Value: e.Owner},
		},
	})
	return err
}
