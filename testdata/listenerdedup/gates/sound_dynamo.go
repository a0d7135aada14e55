package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type ropeCut struct {
	EventID string `json:"eventId"`
	Roll    string `json:"roll"`
	Metres  int    `json:"metres"`
}

// RopeWorker is sound here: the conditional put fails for a known event, which returns.
type RopeWorker struct {
	ddb *dynamodb.Client
	db  *sql.DB
}

func NewRopeWorker(ddb *dynamodb.Client, db *sql.DB) *RopeWorker {
	return &RopeWorker{ddb: ddb, db: db}
}

func (w *RopeWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RopeWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RopeWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RopeWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e ropeCut
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.ddb.PutItem(ctx, &dynamodb.PutItemInput{
		TableName:           aws.String("processed_events"),
		Item:                map[string]types.AttributeValue{"event_id": &types.AttributeValueMemberS{Value: e.EventID}},
		ConditionExpression: aws.String("attribute_not_exists(event_id)"),
	})
	var known *types.ConditionalCheckFailedException
	if errors.As(err, &known) {
		return nil
	}
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE rolls SET metres = metres - $1 WHERE id = $2`, e.Metres, e.Roll)
	return err
}
