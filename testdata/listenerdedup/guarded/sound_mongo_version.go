package guarded

import (
	"context"
	"encoding/json"

	"github.com/IBM/sarama"
	"go.mongodb.org/mongo-driver/v2/bson"
	"go.mongodb.org/mongo-driver/v2/mongo"
)

type articleEdited struct {
	EventID string `json:"eventId"`
	Article string `json:"article"`
	Text    string `json:"text"`
	Version int    `json:"version"`
}

// ArticleWorker is a guarded write: the filter asks for an older version than the event's.
type ArticleWorker struct {
	coll *mongo.Collection
}

func NewArticleWorker(coll *mongo.Collection) *ArticleWorker {
	return &ArticleWorker{coll: coll}
}

func (w *ArticleWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *ArticleWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *ArticleWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *ArticleWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e articleEdited
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	_, err := w.coll.UpdateOne(ctx, bson.M{"_id": e.Article, "version": bson.M{"$lt": e.Version}}, bson.M{"$set": bson.M{"text": e.Text, "version": e.Version}})
	return err
}
