package silent

import (
	"context"
	"database/sql"

	"github.com/IBM/sarama"
)

// BrowseDeadLetters reads a dead-letter topic from its beginning without a group and keeps a list for the operators; a tool, not a listener.
func BrowseDeadLetters(ctx context.Context, brokers []string, db *sql.DB) error {
	consumer, err := sarama.NewConsumer(brokers, sarama.NewConfig())
	if err != nil {
		return err
	}
	defer consumer.Close()
	pc, err := consumer.ConsumePartition("orders.dlq", 0, sarama.OffsetOldest)
	if err != nil {
		return err
	}
	defer pc.Close()
	for {
		select {
		case msg := <-pc.Messages():
			if _, err := db.ExecContext(ctx, `INSERT INTO dlq_browser (k, v) VALUES ($1, $2)`, msg.Key, msg.Value); err != nil {
				return err
			}
		case <-ctx.Done():
			return nil
		}
	}
}
