package guarded

import (
	"context"
	"encoding/json"
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

type houseSold struct {
	EventID string `json:"eventId"`
	House   string `json:"house"`
	Owner   string `json:"owner"`
}

// HouseWorker is a guarded write: the update is conditional on the old state.
type HouseWorker struct {
	consumer *ckafka.Consumer
	ddb      *dynamodb.Client
}

func NewHouseWorker(brokers string, ddb *dynamodb.Client) (*HouseWorker, error) {
	c, err := ckafka.NewConsumer(&ckafka.ConfigMap{"bootstrap.servers": brokers, "group.id": "house"})
	if err != nil {
		return nil, err
	}
	return &HouseWorker{consumer: c, ddb: ddb}, c.Subscribe("house.sold", nil)
}

func (w *HouseWorker) Run(ctx context.Context) error {
	for ctx.Err() == nil {
		ev := w.consumer.Poll(200)
		msg, ok := ev.(*ckafka.Message)
		if !ok {
			continue
		}
		if err := w.handle(ctx, msg.Value); err != nil {
			return err
		}
		if _, err := w.consumer.StoreMessage(msg); err != nil {
			return err
		}
	}
	return nil
}

func (w *HouseWorker) handle(ctx context.Context, body []byte) error {
	var e houseSold
	if err := json.Unmarshal(body, &e); err != nil {
		return err
	}
	_, err := w.ddb.UpdateItem(ctx, &dynamodb.UpdateItemInput{
		TableName:           aws.String("houses"),
		Key:                 map[string]types.AttributeValue{"id": &types.AttributeValueMemberS{Value: e.House}},
		UpdateExpression:    aws.String("SET house_state = :sold, house_owner = :owner"),
		ConditionExpression: aws.String("house_state = :listed"),
		ExpressionAttributeValues: map[string]types.AttributeValue{
			":sold":   &types.AttributeValueMemberS{Value: "sold"},
			":listed": &types.AttributeValueMemberS{Value: "listed"},
			":owner":  &types.AttributeValueMemberS{Value: e.Owner},
		},
	})
	var moved *types.ConditionalCheckFailedException
	if errors.As(err, &moved) {
		return nil
	}
	return err
}
