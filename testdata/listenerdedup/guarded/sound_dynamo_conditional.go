package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type roomOpened struct {
	EventID string `json:"eventId"`
	Room    string `json:"room"`
	Owner   string `json:"owner"`
}

// RoomWorker is a guarded write: the put is conditional on the payload's key being absent.
type RoomWorker struct {
	ddb *dynamodb.Client
}

func NewRoomWorker(ddb *dynamodb.Client) *RoomWorker {
	return &RoomWorker{ddb: ddb}
}

func (w *RoomWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RoomWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RoomWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RoomWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e roomOpened
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.ddb.PutItem(ctx, &dynamodb.PutItemInput{
		TableName: aws.String("rooms"),
		Item: map[string]types.AttributeValue{
			"id":    &types.AttributeValueMemberS{Value: e.Room},
			"owner": &types.AttributeValueMemberS{Value: e.Owner},
		},
		ConditionExpression: aws.String("attribute_not_exists(id)"),
	})
	var there *types.ConditionalCheckFailedException
	if errors.As(err, &there) {
		return nil
	}
	return err
}
