//go:build unix

package watermill_test

import (
	"context"
	"testing"
	"time"

	ibm "github.com/IBM/sarama"
	tdl "github.com/ThreeDotsLabs/watermill"
	"github.com/ThreeDotsLabs/watermill-kafka/v3/pkg/kafka"
	"github.com/ThreeDotsLabs/watermill/message"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/consumer/conformance"
	"github.com/idemlint/idemlint/idem/consumer/watermill"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestWatermill(t *testing.T) {
	conformance.Run(t, conformance.Adapter{
		Run: run,
		// The router refuses the message, and watermill-kafka delivers it again.
		HidesErrors: true,
		NoPosition:  true,
		// watermill-kafka does not wait for the message in hand.
		ForgetsLast: true,
	})
}

func run(ctx context.Context, p *consumer.Processor, brokers []string, topic string) error {
	cfg := kafka.DefaultSaramaSubscriberConfig()
	cfg.Version = ibm.V2_8_0_0
	cfg.Consumer.Offsets.Initial = ibm.OffsetOldest
	cfg.Consumer.Offsets.AutoCommit.Interval = 20 * time.Millisecond
	cfg.Consumer.Group.Heartbeat.Interval = 100 * time.Millisecond
	// watermill-kafka holds a rebalance up as long as a message is in hand; the group then
	// goes on without it after this time.
	cfg.Consumer.Group.Rebalance.Timeout = 2 * time.Second
	subscriber, err := kafka.NewSubscriber(kafka.SubscriberConfig{
		Brokers: brokers, ConsumerGroup: p.Group(), Unmarshaler: kafka.DefaultMarshaler{},
		OverwriteSaramaConfig: cfg, NackResendSleep: 20 * time.Millisecond,
	}, nil)
	if err != nil {
		return err
	}
	router, err := message.NewRouter(message.RouterConfig{}, tdl.NopLogger{})
	if err != nil {
		return err
	}
	router.AddConsumerHandler("billing", topic, subscriber, watermill.Handler(p))
	return router.Run(ctx)
}
