// Package restycase posts payments with resty.
package restycase

import (
	"context"

	"github.com/go-resty/resty/v2"
)

func withoutKey(ctx context.Context, c *resty.Client) error {
	_, err := c.R().SetContext(ctx).SetBody(map[string]any{"cents": 5}).Post("/payments") // want "R-KFK-IDEM-4"
	return err
}

func withHeader(ctx context.Context, c *resty.Client, eventID string) error {
	_, err := c.R().SetContext(ctx).SetHeader("Idempotency-Key", eventID).SetBody(map[string]any{"cents": 5}).Post("/payments")
	return err
}

func withHeaders(c *resty.Client, eventID string) error {
	r := c.R()
	r.SetHeaders(map[string]string{"X-Idempotency-Key": eventID, "Accept": "application/json"})
	_, err := r.Post("/refunds")
	return err
}

func withBody(c *resty.Client, eventID string) error {
	_, err := c.R().SetBody(map[string]any{"cents": 5, "idempotency_key": eventID}).Post("/payouts")
	return err
}

func mail(c *resty.Client) error {
	_, err := c.R().SetBody("hello").Post("/notifications")
	return err
}
