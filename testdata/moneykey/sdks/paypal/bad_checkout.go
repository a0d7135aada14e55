// Package paypal settles orders, returns and seller earnings with PayPal.
package paypal

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"github.com/google/uuid"
	"github.com/plutov/paypal/v4"
	"github.com/segmentio/kafka-go"
)

type orderApproved struct {
	EventID string `json:"event_id"`
	OrderID string `json:"order_id"`
}

type checkoutConsumer struct {
	pp  *paypal.Client
	log *slog.Logger
}

func (c *checkoutConsumer) onApproved(ctx context.Context, msg kafka.Message) error {
	var ev orderApproved
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	res, err := c.pp.CaptureOrder(ctx, ev.OrderID, paypal.CaptureOrderRequest{}) // want "R-KFK-IDEM-4: PayPal's CaptureOrder moves money without an idempotency key"
	if err != nil {
		return fmt.Errorf("capture %s: %w", ev.OrderID, err)
	}
	c.log.InfoContext(ctx, "captured", "order", ev.OrderID, "status", res.Status)
	return nil
}

// captureEmpty uses the call that takes the id and gives it none.
func captureEmpty(ctx context.Context, pp *paypal.Client, order string) error {
	_, err := pp.CaptureOrderWithPaypalRequestId(ctx, order, paypal.CaptureOrderRequest{}, "", nil) // want "R-KFK-IDEM-4.*CaptureOrder moves money without"
	return err
}

func captureFresh(ctx context.Context, pp *paypal.Client, order string) error {
	requestID := uuid.NewString()
	_, err := pp.CaptureOrderWithPaypalRequestId(ctx, order, paypal.CaptureOrderRequest{}, requestID, nil) // want "R-KFK-IDEM-4.*CaptureOrder.*new at each attempt"
	return err
}

type authorization struct {
	ID       string
	Currency string
	Total    string
}

func (a authorization) final() *paypal.PaymentCaptureRequest {
	return &paypal.PaymentCaptureRequest{
		Amount:       &paypal.Money{Currency: a.Currency, Value: a.Total},
		FinalCapture: true,
	}
}

func shipAll(ctx context.Context, pp *paypal.Client, parcels []authorization) error {
	for _, p := range parcels {
		if _, err := pp.CaptureAuthorization(ctx, p.ID, p.final()); err != nil { // want "R-KFK-IDEM-4.*CaptureAuthorization"
			return err
		}
	}
	return nil
}

func shipNow(ctx context.Context, pp *paypal.Client, p authorization) error {
	key := fmt.Sprintf("ship-%s-%d", p.ID, time.Now().Unix())
	_, err := pp.CaptureAuthorizationWithPaypalRequestId(ctx, p.ID, p.final(), key) // want "R-KFK-IDEM-4.*CaptureAuthorization.*the clock"
	return err
}

// captureByHand builds the request that the client has no call for.
func captureByHand(ctx context.Context, pp *paypal.Client, order string) error {
	req, err := pp.NewRequest(ctx, http.MethodPost, pp.APIBase+"/v2/checkout/orders/"+order+"/capture", nil)
	if err != nil {
		return err
	}
	req.Header.Set("Prefer", "return=minimal")
	return pp.SendWithAuth(req, nil) // want "R-KFK-IDEM-4.*HTTP POST moves money without"
}
