// Package client talks to a payment provider over HTTP.
package client

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
)

// Client is the house's own client.
type Client struct {
	http *http.Client
	base string
}

// Charge sends no key, whoever calls it.
func (c *Client) Charge(ctx context.Context, cents int64) error {
	body, err := json.Marshal(map[string]any{"cents": cents})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/charges", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req) // want "R-KFK-IDEM-4: an HTTP POST moves money without an idempotency key"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Refund takes the key from its caller.
func (c *Client) Refund(ctx context.Context, key string, cents int64) error {
	return c.post(ctx, "/refunds", key, map[string]any{"cents": cents})
}

func (c *Client) post(ctx context.Context, path, key string, in any) error {
	body, err := json.Marshal(in)
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	setKey(req, key)
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func setKey(req *http.Request, key string) { req.Header.Set("Idempotency-Key", key) }

type payout struct {
	IdempotencyKey string `json:"idempotency_key"`
	Cents          int64  `json:"cents"`
}

// Payout has its key in the body.
func (c *Client) Payout(ctx context.Context, eventID string, cents int64) error {
	body, err := json.Marshal(payout{IdempotencyKey: eventID, Cents: cents})
	if err != nil {
		return err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/v1/payouts", bytes.NewReader(body))
	if err != nil {
		return err
	}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Transfer has its key in a form.
func (c *Client) Transfer(eventID, to string) error {
	form := url.Values{}
	form.Set("to", to)
	form.Set("idempotency_key", eventID)
	resp, err := c.http.Post(c.base+"/transfers", "application/x-www-form-urlencoded", strings.NewReader(form.Encode()))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// TopUp builds its header as a map, in one provider's own spelling.
func (c *Client) TopUp(ctx context.Context, eventID string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, c.base+"/topups", nil)
	if err != nil {
		return err
	}
	req.Header = http.Header{"Idempotence-Key": {eventID}}
	resp, err := c.http.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Withdraw posts to an address from the configuration: its name tells.
func (c *Client) Withdraw(ctx context.Context) error {
	resp, err := http.Post(c.base, "application/json", nil) // want "R-KFK-IDEM-4"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Payments reads.
func (c *Client) Payments(ctx context.Context) error {
	resp, err := http.Get(c.base + "/payments")
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Receipt is sent beside the refund.
func (c *Client) Receipt(to string) error {
	resp, err := http.Post(c.base+"/emails", "text/plain", strings.NewReader(to))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Search posts a query.
func (c *Client) Search(q string) error {
	resp, err := http.Post(c.base+"/payments/search", "text/plain", strings.NewReader(q))
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Doer sends requests; its implementation is elsewhere.
type Doer interface {
	Do(ctx context.Context, req *http.Request) (*http.Response, error)
}

// Debit sends by an interface.
func Debit(ctx context.Context, d Doer, base string) error {
	req, err := http.NewRequest(http.MethodPost, base+"/debits", nil)
	if err != nil {
		return err
	}
	req = req.WithContext(ctx)
	resp, err := d.Do(ctx, req) // want "R-KFK-IDEM-4"
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

// Credit sends by an interface, with a key; right.
func Credit(ctx context.Context, d Doer, base, eventID string) error {
	req, err := http.NewRequest(http.MethodPost, base+"/credits", nil)
	if err != nil {
		return err
	}
	req = req.Clone(ctx)
	req.Header.Set("Idempotency-Key", eventID)
	resp, err := d.Do(ctx, req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}
