// Package consumer has the listeners of the billing service, one file a topic.
package consumer

import (
	"context"
	"strconv"

	"github.com/segmentio/kafka-go"
)

// DeadLetters takes the records that cannot be read. Where they stood in the log travels as headers, which is
// what an offset is good for.
type DeadLetters struct {
	w *kafka.Writer
}

// NewDeadLetters writes to the topics named after the original one.
func NewDeadLetters(w *kafka.Writer) *DeadLetters {
	return &DeadLetters{w: w}
}

// Send forwards a failed record.
func (d *DeadLetters) Send(ctx context.Context, topic string, partition int, offset int64, key, value []byte, cause error) error {
	return d.w.WriteMessages(ctx, kafka.Message{
		Topic: topic + ".dlq",
		Key:   key,
		Value: value,
		Headers: []kafka.Header{
			{Key: "dlq-partition", Value: []byte(strconv.Itoa(partition))},
			{Key: "dlq-offset", Value: []byte(strconv.FormatInt(offset, 10))},
			{Key: "dlq-error", Value: []byte(cause.Error())},
		},
	})
}
