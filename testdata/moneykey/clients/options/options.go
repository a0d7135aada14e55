// Package options gives its clients their transports by functions that are called where it
// cannot be told on which client.
package options

import (
	"context"
	"net/http"
)

type stamping struct{ next http.RoundTripper }

// RoundTrip sets the key.
func (s stamping) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Idempotency-Key", req.Header.Get("X-Event"))
	return s.next.RoundTrip(req)
}

// Till keeps a client that is given to it later.
type Till struct{ client *http.Client }

// NewTill makes one that is told about its transport by options.
func NewTill(opts ...func(*http.Client)) *Till {
	t := &Till{client: &http.Client{}}
	for _, o := range opts {
		o(t.client)
	}
	return t
}

// Refund goes through what the options say.
func (t *Till) Refund(ctx context.Context) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := t.client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Open makes a till whose requests have their keys.
func Open() *Till {
	return NewTill(func(c *http.Client) { c.Transport = stamping{http.DefaultTransport} })
}
