//go:build unix

package sarama_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	ibm "github.com/IBM/sarama"

	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/consumer/conformance"
	"github.com/idemlint/idemlint/idem/consumer/sarama"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

func TestMain(m *testing.M) { pgtest.Main(m) }

func config() *ibm.Config {
	cfg := ibm.NewConfig()
	cfg.Version = ibm.V2_8_0_0
	cfg.Consumer.Offsets.Initial = ibm.OffsetOldest
	cfg.Consumer.Offsets.AutoCommit.Interval = 20 * time.Millisecond
	cfg.Consumer.Group.Heartbeat.Interval = 100 * time.Millisecond
	cfg.Consumer.Group.Rebalance.Retry.Backoff = 100 * time.Millisecond
	return cfg
}

func TestSarama(t *testing.T) {
	conformance.Run(t, conformance.Adapter{
		Run: func(ctx context.Context, p *consumer.Processor, brokers []string, topic string) (err error) {
			client, err := ibm.NewClient(brokers, config())
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, client.Close()) }()
			return sarama.New(p).Run(ctx, client, topic)
		},
	})
}

func TestCheck(t *testing.T) {
	cfg := config()
	if err := sarama.Check(cfg); err != nil {
		t.Error(err)
	}
	cfg.Consumer.Offsets.AutoCommit.Enable = false
	if err := sarama.Check(cfg); err == nil || !strings.Contains(err.Error(), "AutoCommit.Enable") {
		t.Errorf("no word about AutoCommit.Enable: %v", err)
	}
}
