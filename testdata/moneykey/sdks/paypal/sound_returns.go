package paypal

import (
	"context"
	"net/http"
	"net/url"

	"github.com/plutov/paypal/v4"
)

type returned struct {
	RMA     string
	Capture string
	Value   string
	key     string
}

func refundOnce(ctx context.Context, pp *paypal.Client, r returned) (*paypal.RefundResponse, error) {
	req := paypal.RefundCaptureRequest{Amount: &paypal.Money{Currency: "EUR", Value: r.Value}}
	return pp.RefundCaptureWithPaypalRequestId(ctx, r.Capture, req, "rma-"+r.RMA)
}

// gateway hides the client from the services.
type gateway struct{ pp *paypal.Client }

func (g *gateway) refund(ctx context.Context, capture, key string, req paypal.RefundCaptureRequest) error {
	_, err := g.pp.RefundCaptureWithPaypalRequestId(ctx, capture, req, key)
	return err
}

func (g *gateway) acceptReturn(ctx context.Context, r returned) error {
	return g.refund(ctx, r.Capture, r.key, paypal.RefundCaptureRequest{NoteToPayer: "Return " + r.RMA})
}

// refundOldSaleOnce does what RefundSale does, with the header.
func refundOldSaleOnce(ctx context.Context, pp *paypal.Client, sale, eventID string, total *paypal.Amount) error {
	target, err := url.JoinPath(pp.APIBase, "v1/payments/sale", sale, "refund")
	if err != nil {
		return err
	}
	req, err := pp.NewRequest(ctx, http.MethodPost, target, map[string]any{"amount": total})
	if err != nil {
		return err
	}
	identify(req, eventID)
	return pp.SendWithAuth(req, &paypal.Refund{})
}

func identify(req *http.Request, id string) { req.Header.Set("Paypal-Request-Id", id) }
