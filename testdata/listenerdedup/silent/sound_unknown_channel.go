package silent

import (
	"context"
	"time"

	ckafka "github.com/confluentinc/confluent-kafka-go/v2/kafka"
)

// RelayTo sends each record into a channel whose other end is elsewhere.
func RelayTo(ctx context.Context, consumer *ckafka.Consumer, out chan<- []byte) error {
	for ctx.Err() == nil {
		msg, err := consumer.ReadMessage(time.Second)
		if err != nil {
			return err
		}
		out <- msg.Value
	}
	return nil
}
