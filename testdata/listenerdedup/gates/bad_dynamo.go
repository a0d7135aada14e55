package gates

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"log"

	"github.com/IBM/sarama"
	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
)

type chainCut struct {
	EventID string `json:"eventId"`
	Roll    string `json:"roll"`
	Metres  int    `json:"metres"`
}

// ChainWorker sees the failed condition of a known event, logs it and goes on.
type ChainWorker struct {
	ddb *dynamodb.Client
	db  *sql.DB
}

func NewChainWorker(ddb *dynamodb.Client, db *sql.DB) *ChainWorker {
	return &ChainWorker{ddb: ddb, db: db}
}

func (w *ChainWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ChainWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ChainWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ChainWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e chainCut
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
		log.Printf("event %s is known", e.EventID)
		err = nil
	}
	if err != nil {
		return err
	}
	_, err = w.db.ExecContext(ctx, `UPDATE rolls SET metres = metres - $1 WHERE id = $2`, e.Metres, e.Roll) // want "R-KFK-IDEM-X1"
	return err
}
