package effects

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/IBM/sarama"
)

type bellRung struct {
	EventID string `json:"eventId"`
	Door    string `json:"door"`
}

// RingWorker has a request with POST as its effect and no gate.
type RingWorker struct {
	client *http.Client
	url    string
}

func NewRingWorker(client *http.Client, url string) *RingWorker {
	return &RingWorker{client: client, url: url}
}

func (w *RingWorker) Setup(sarama.ConsumerGroupSession) error { return nil }

func (w *RingWorker) Cleanup(sarama.ConsumerGroupSession) error { return nil }

func (w *RingWorker) ConsumeClaim(session sarama.ConsumerGroupSession, claim sarama.ConsumerGroupClaim) error {
	for msg := range claim.Messages() {
		if err := w.handle(session.Context(), msg); err != nil {
			return err
		}
		session.MarkMessage(msg, "")
	}
	return nil
}

func (w *RingWorker) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var e bellRung
	if err := json.Unmarshal(msg.Value, &e); err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, "POST", w.url, strings.NewReader(e.Door))
	if err != nil {
		return err
	}
	resp, err := w.client.Do(req) // want "R-KFK-IDEM-X1"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
