//go:build unix

package kafkago_test

import (
	"context"
	"strings"
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

func TestOptions(t *testing.T) {
	for _, c := range []struct {
		cfg  kafka.ReaderConfig
		want string // in the error
	}{
		{kafka.ReaderConfig{Brokers: []string{"localhost:1"}, Topic: "orders"}, ""},
		{kafka.ReaderConfig{Brokers: []string{"localhost:1"}, GroupTopics: []string{"orders"}, GroupID: "billing"}, ""},
		{kafka.ReaderConfig{Brokers: []string{"localhost:1"}, Topic: "orders", GroupID: "mailing"}, "GroupID"},
		{kafka.ReaderConfig{Brokers: []string{"localhost:1"}, Topic: "orders", CommitInterval: time.Second}, "CommitInterval"},
		{kafka.ReaderConfig{Brokers: []string{"localhost:1"}}, "Topic"},
		{kafka.ReaderConfig{Topic: "orders"}, "broker"},
	} {
		_, err := kafkago.New(conformance.Idle(t), c.cfg)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want one about %q", err, c.want)
		}
	}
}
