// Package watermill makes a handler for a router of watermill
// (github.com/ThreeDotsLabs/watermill) of a [consumer.Processor].
package watermill

import (
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/idemlint/idemlint/idem/consumer"
)

// Handler returns a handler that takes each message through the processor and returns nil
// once it is settled: the router then acknowledges it. It returns an error when the
// message could not be dead-lettered, or when the subscriber closes before the message is
// settled: the router then refuses the message, and the subscriber delivers it again. So
// it does after a panic.
//
//	router.AddConsumerHandler("billing", "orders", subscriber, watermill.Handler(processor))
//
// The subscriber's ConsumerGroup must be the processor's. The processor retries and
// dead-letters by itself, so no middleware may do so too: one that swallows errors, such
// as PoisonQueue, acknowledges what was not processed. A processor with HandleBatch gets
// one message at a time.
//
// The event's id is read from the payload: [message.Message.UUID] and Metadata travel as
// headers. A [consumer.Record] has the metadata as its headers, the topic that the router
// has subscribed to, and neither key nor timestamp; its partition and offset are -1.
// DeadLetter gets a context that descends from the message's, in which watermill-kafka
// keeps those.
//
// watermill-kafka does not wait for the message in hand when it closes. It is finished
// within the processor's grace and not acknowledged, so it comes again, as a duplicate. Nor
// does it tell a handler of a rebalance: while a message waits for the end of an outage,
// the group waits for this member, and goes on without it after sarama's
// Consumer.Group.Rebalance.Timeout.
func Handler(p *consumer.Processor) message.NoPublishHandlerFunc {
	return func(m *message.Message) error {
		_, err := p.Process(m.Context(), record(m))
		return err
	}
}

func record(m *message.Message) consumer.Record {
	headers := make([]consumer.Header, 0, len(m.Metadata))
	for name, value := range m.Metadata {
		headers = append(headers, consumer.Header{Key: name, Value: []byte(value)})
	}
	return consumer.Record{Topic: message.SubscribeTopicFromCtx(m.Context()), Partition: -1, Offset: -1, Value: m.Payload, Headers: headers}
}
