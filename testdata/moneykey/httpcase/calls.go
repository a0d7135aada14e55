// Package httpcase calls a client of another package.
package httpcase

import (
	"context"

	"github.com/google/uuid"

	"example.com/cases/moneykey/httpcase/client"
)

func refundEvent(ctx context.Context, c *client.Client, eventID string) error {
	return c.Refund(ctx, eventID, 100)
}

func refundRandom(ctx context.Context, c *client.Client) error {
	return c.Refund(ctx, uuid.NewString(), 100) // want "R-KFK-IDEM-4.*new at each attempt"
}

func refundEmpty(ctx context.Context, c *client.Client) error {
	return c.Refund(ctx, "", 100) // want "R-KFK-IDEM-4.*without an idempotency key"
}

// chargeCard is judged in the client's package.
func chargeCard(ctx context.Context, c *client.Client) error { return c.Charge(ctx, 100) }

type battery struct{ level int }

// Charge moves no money.
func (b *battery) Charge() { b.level = 100 }
