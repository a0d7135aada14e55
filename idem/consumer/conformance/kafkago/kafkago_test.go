//go:build unix

package kafkago_test

import (
	"context"
	"testing"
	"time"

	"github.com/segmentio/kafka-go"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/consumer/conformance"
	"github.com/idemlint/idemlint/idem/consumer/kafkago"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestKafkaGo(t *testing.T) {
	conformance.Run(t, conformance.Adapter{
		Run: func(ctx context.Context, p *consumer.Processor, brokers []string, topic string) error {
			c, err := kafkago.New(p, kafka.ReaderConfig{
				Brokers: brokers, Topic: topic, HeartbeatInterval: 100 * time.Millisecond,
				MaxWait: 100 * time.Millisecond, JoinGroupBackoff: 100 * time.Millisecond,
			})
			if err != nil {
				return err
			}
			return c.Run(ctx)
		},
	})
}
