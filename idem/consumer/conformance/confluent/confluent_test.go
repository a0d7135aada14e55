//go:build unix

package confluent_test

import (
	"context"
	"strings"
	"testing"

	"github.com/confluentinc/confluent-kafka-go/v2/kafka"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/consumer/confluent"
	"github.com/idemlint/idemlint/idem/consumer/conformance"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestConfluent(t *testing.T) {
	conformance.Run(t, conformance.Adapter{
		Run: func(ctx context.Context, p *consumer.Processor, brokers []string, topic string) error {
			c, err := confluent.New(p, kafka.ConfigMap{
				"bootstrap.servers": strings.Join(brokers, ","), "auto.offset.reset": "earliest",
				"auto.commit.interval.ms": 20, "heartbeat.interval.ms": 100,
			}, topic)
			if err != nil {
				return err
			}
			return c.Run(ctx)
		},
	})
}
