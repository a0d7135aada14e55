//go:build unix

package franz_test

import (
	"context"
	"strings"
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

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		option kgo.Opt
		want   string // in the error
	}{
		{kgo.ConsumerGroup("billing"), ""},
		{kgo.ConsumerGroup("mailing"), "ConsumerGroup"},
		{kgo.AutoCommitMarks(), "autocommit"},
	} {
		consumer, err := franz.New(conformance.Idle(t), kgo.SeedBrokers("localhost:1"), kgo.ConsumeTopics("orders"), c.option)
		if err == nil {
			consumer.Client().Close()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(c.want)) {
			t.Errorf("%v, want one about %q", err, c.want)
		}
	}
}
