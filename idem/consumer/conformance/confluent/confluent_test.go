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
				"auto.commit.interval.ms": 20, "heartbeat.interval.ms": 100, "log_level": 4,
			}, topic)
			if err != nil {
				return err
			}
			return c.Run(ctx)
		},
	})
}

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		name  string
		value kafka.ConfigValue
		fails bool
	}{
		{"group.id", "billing", false},
		{"group.id", "mailing", true},
		{"enable.auto.commit", true, false},
		{"enable.auto.commit", "false", true},
		{"enable.auto.offset.store", false, false},
		{"enable.auto.offset.store", true, true},
		{"go.events.channel.enable", true, true},
		{"no.such.option", true, true},
	} {
		consumer, err := confluent.New(conformance.Idle(t), kafka.ConfigMap{"bootstrap.servers": "localhost:1", c.name: c.value}, "orders")
		if err == nil {
			_ = consumer.Client().Close()
		}
		if (err != nil) != c.fails || err != nil && !strings.Contains(err.Error(), c.name) {
			t.Errorf("%s = %v: %v", c.name, c.value, err)
		}
	}
}
