// Package hook sets the key of every request in a RoundTripper.
package hook

import (
	"context"
	"net/http"
)

type keyed struct{}

// WithKey returns a context that carries the event id.
func WithKey(ctx context.Context, id string) context.Context {
	return context.WithValue(ctx, keyed{}, id)
}

type transport struct{ next http.RoundTripper }

// RoundTrip sets the key.
func (t transport) RoundTrip(req *http.Request) (*http.Response, error) {
	if id, ok := req.Context().Value(keyed{}).(string); ok {
		req = req.Clone(req.Context())
		req.Header.Set("Idempotency-Key", id)
	}
	return t.next.RoundTrip(req)
}

// Bank posts payments.
type Bank struct{ client *http.Client }

// New wires the transport.
func New() *Bank {
	return &Bank{client: &http.Client{Transport: transport{http.DefaultTransport}}}
}

// Pay is right: the transport sets the key.
func (b *Bank) Pay(ctx context.Context, eventID string) error {
	req, err := http.NewRequestWithContext(WithKey(ctx, eventID), http.MethodPost, "https://bank.example/payments", nil)
	if err != nil {
		return err
	}
	resp, err := b.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
