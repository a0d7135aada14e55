// Package clients makes its HTTP clients where it can be seen, in a program that also has a
// RoundTripper which sets the key.
package clients

import (
	"context"
	"net/http"
	"time"

	"github.com/idemlint/idemlint/idem/money"
)

type stamping struct{ next http.RoundTripper }

// RoundTrip sets the key.
func (s stamping) RoundTrip(req *http.Request) (*http.Response, error) {
	req = req.Clone(req.Context())
	req.Header.Set("Idempotency-Key", req.Header.Get("X-Event"))
	return s.next.RoundTrip(req)
}

func post(ctx context.Context, client *http.Client, url string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req) // judged by its callers' clients
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Stamped goes through the RoundTripper.
func Stamped(ctx context.Context) error {
	return post(ctx, &http.Client{Transport: stamping{http.DefaultTransport}}, "https://bank.example/stamped/refunds")
}

// Store goes through the runtime's.
func Store(ctx context.Context) error {
	client := &http.Client{Transport: &money.Transport{}, Timeout: time.Second}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Plain has nothing that would set the key.
func Plain(ctx context.Context) error {
	client := &http.Client{Timeout: time.Second}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req) // want "R-KFK-IDEM-4: an HTTP POST moves money without an idempotency key"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Tuned has the library's own transport.
func Tuned(ctx context.Context) error {
	client := &http.Client{Transport: &http.Transport{MaxIdleConns: 4}}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req) // want "R-KFK-IDEM-4: an HTTP POST moves money without an idempotency key"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Later sets the transport in a step of its own.
func Later(ctx context.Context) error {
	client := &http.Client{}
	client.Transport = stamping{http.DefaultTransport}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Either has one of two transports.
func Either(ctx context.Context, sandbox bool) error {
	client := &http.Client{}
	if !sandbox {
		client = &http.Client{Transport: stamping{http.DefaultTransport}}
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Copied begins with a client that is not seen.
func Copied(ctx context.Context, base http.Client) error {
	client := &http.Client{}
	*client = base
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "https://bank.example/refunds", nil)
	if err != nil {
		return err
	}
	resp, err := client.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
