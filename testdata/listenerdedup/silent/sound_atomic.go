package silent

import (
	"context"
	"encoding/json"
	"sync/atomic"

	"github.com/IBM/sarama"
)

type pulseSent struct {
	EventID string `json:"eventId"`
	Beats   int64  `json:"beats"`
}

// PulseWorker only adds to a number in memory.
type PulseWorker struct {
	total *atomic.Int64
}

func NewPulseWorker(total *atomic.Int64) *PulseWorker {
	return &PulseWorker{total: total}
}

func (w *PulseWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *PulseWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *PulseWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *PulseWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e pulseSent
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	w.total.Add(e.Beats)
	return ctx.Err()
}
