package clients

import (
	"bytes"
	"context"
	"net/http"
)

// Sender sends one body.
type Sender func(ctx context.Context, body []byte) error

// Senders makes functions that share a client without a RoundTripper.
func Senders(url string) map[string]Sender {
	client := &http.Client{}
	to := func(path string) Sender {
		return func(ctx context.Context, body []byte) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(body))
			if err != nil {
				return err
			}
			resp, err := client.Do(req) // want "R-KFK-IDEM-4: an HTTP POST moves money without an idempotency key"
			if err != nil {
				return err
			}
			return resp.Body.Close()
		}
	}
	return map[string]Sender{"charge": to("/charges"), "refund": to("/refunds")}
}

// KeyedSenders makes functions that share a client with one.
func KeyedSenders(url string) map[string]Sender {
	client := &http.Client{Transport: stamping{http.DefaultTransport}}
	to := func(path string) Sender {
		return func(ctx context.Context, body []byte) error {
			req, err := http.NewRequestWithContext(ctx, http.MethodPost, url+path, bytes.NewReader(body))
			if err != nil {
				return err
			}
			resp, err := client.Do(req)
			if err != nil {
				return err
			}
			return resp.Body.Close()
		}
	}
	return map[string]Sender{"charge": to("/charges"), "refund": to("/refunds")}
}

// Bank keeps its client.
type Bank struct{ client *http.Client }

// NewBank makes one without a RoundTripper.
func NewBank() *Bank { return &Bank{client: &http.Client{}} }

// Refund has none.
func (b *Bank) Refund(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := b.client.Do(req) // want "R-KFK-IDEM-4: an HTTP POST moves money without an idempotency key"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
