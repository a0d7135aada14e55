//go:build unix

package franz_test

import (
	"context"
	"testing"
	"time"

	"github.com/twmb/franz-go/pkg/kgo"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/consumer/conformance"
	"github.com/idemlint/idemlint/idem/consumer/franz"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func TestFranz(t *testing.T) {
	conformance.Run(t, conformance.Adapter{
		Run: func(ctx context.Context, p *consumer.Processor, brokers []string, topic string) error {
			c, err := franz.New(p, kgo.SeedBrokers(brokers...), kgo.ConsumeTopics(topic), kgo.HeartbeatInterval(100*time.Millisecond))
			if err != nil {
				return err
			}
			return c.Run(ctx)
		},
	})
}
