package paypal

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"net/http"

	"github.com/google/uuid"
	"github.com/plutov/paypal/v4"
	"github.com/segmentio/kafka-go"
)

func (c *checkoutConsumer) onApprovedOnce(ctx context.Context, msg kafka.Message) error {
	var ev orderApproved
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	_, err := c.pp.CaptureOrderWithPaypalRequestId(ctx, ev.OrderID, paypal.CaptureOrderRequest{}, ev.EventID, nil)
	return err
}

// requestID fits PayPal's limit of 38 characters for any event id.
func requestID(step, eventID string) string {
	sum := sha256.Sum256([]byte(step + "\x00" + eventID))
	return hex.EncodeToString(sum[:16])
}

func captureHashed(ctx context.Context, pp *paypal.Client, order, eventID string) error {
	_, err := pp.CaptureOrderWithPaypalRequestId(ctx, order, paypal.CaptureOrderRequest{}, requestID("capture", eventID), nil)
	return err
}

func shipOnce(ctx context.Context, pp *paypal.Client, shipment string, p authorization) error {
	_, err := pp.CaptureAuthorizationWithPaypalRequestId(ctx, p.ID, p.final(), "shipment:"+shipment)
	return err
}

var captures = uuid.MustParse("5f0d3f3e-2f0e-4a53-9d5e-0b6c7c0a9c11")

// captureNamed computes the id from the event's: version 5 is no random one.
func captureNamed(ctx context.Context, pp *paypal.Client, order, eventID string) error {
	id := uuid.NewSHA1(captures, []byte(eventID))
	_, err := pp.CaptureOrderWithPaypalRequestId(ctx, order, paypal.CaptureOrderRequest{}, id.String(), nil)
	return err
}

func captureByHandOnce(ctx context.Context, pp *paypal.Client, order, eventID string) error {
	req, err := pp.NewRequest(ctx, http.MethodPost, pp.APIBase+"/v2/checkout/orders/"+order+"/capture", nil)
	if err != nil {
		return err
	}
	req.Header.Set("PayPal-Request-Id", eventID)
	return pp.SendWithAuth(req, nil)
}

// openOrder moves nothing: the buyer has yet to approve it.
func openOrder(ctx context.Context, pp *paypal.Client, units []paypal.PurchaseUnitRequest) (string, error) {
	order, err := pp.CreateOrder(ctx, paypal.OrderIntentCapture, units, nil, nil)
	if err != nil {
		return "", err
	}
	return order.ID, nil
}

func orderStatus(ctx context.Context, pp *paypal.Client, id string) (string, error) {
	order, err := pp.GetOrder(ctx, id)
	if err != nil {
		return "", err
	}
	return order.Status, nil
}

// lookUp reads with a request of its own making.
func lookUp(ctx context.Context, pp *paypal.Client, capture string) (*paypal.CaptureDetailsResponse, error) {
	req, err := pp.NewRequest(ctx, http.MethodGet, pp.APIBase+"/v2/payments/captures/"+capture, nil)
	if err != nil {
		return nil, err
	}
	var out paypal.CaptureDetailsResponse
	return &out, pp.SendWithAuth(req, &out)
}
