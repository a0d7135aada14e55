// Package looks has headers that are none of Kafka's, and payloads that are no events.
package looks

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/segmentio/kafka-go"
)

type moored struct {
	Ship string `json:"ship"`
}

// post sends an HTTP request with the id in a header.
func post(ctx context.Context, client *http.Client, id string, m moored) error {
	body, err := json.Marshal(m)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://port.example.com/moored", bytes.NewReader(body))
	if err != nil {
		return err
	}
	req.Header.Set("X-Event-ID", id)
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// raw publishes bytes whose content is not seen.
func raw(ctx context.Context, w *kafka.Writer, id string, body []byte) error {
	return w.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{{Key: "event_id", Value: []byte(id)}}})
}

// mapped publishes a map with the id in it.
func mapped(ctx context.Context, w *kafka.Writer, id, ship string) error {
	body, err := json.Marshal(map[string]string{"event_id": id, "ship": ship})
	if err != nil {
		return err
	}
	return w.WriteMessages(ctx, kafka.Message{Value: body, Headers: []kafka.Header{{Key: "event_id", Value: []byte(id)}}})
}
