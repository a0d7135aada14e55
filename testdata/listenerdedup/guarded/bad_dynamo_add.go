package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type deskUsed struct {
	EventID string `json:"eventId"`
	Desk    string `json:"desk"`
	Hours   string `json:"hours"`
}

// DeskWorker adds to a number with ADD.
type DeskWorker struct {
	ddb *dynamodb.Client
}

func NewDeskWorker(ddb *dynamodb.Client) *DeskWorker {
	return &DeskWorker{ddb: ddb}
}

func (w *DeskWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *DeskWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *DeskWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *DeskWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e deskUsed
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.ddb.UpdateItem(ctx, &dynamodb.UpdateItemInput{ // want "R-KFK-IDEM-X1"
		TableName:                 aws.String("desks"),
		Key:                       map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: e.Desk}},
		UpdateExpression:          aws.String("ADD used_hours :h"),
		ExpressionAttributeValues: map[string]types.AttributeValue{":h": &types.AttributeValueMemberN{Value: e.Hours}},
	})
	return err
}
