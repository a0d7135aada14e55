package paypal

import (
	"context"
	"database/sql"
	"time"

	"github.com/google/uuid"
	"github.com/plutov/paypal/v4"
)

// refunder is the part of the client that returns need.
type refunder interface {
	RefundCapture(ctx context.Context, captureID string, req paypal.RefundCaptureRequest) (*paypal.RefundResponse, error)
}

type returnDesk struct{ payments refunder }

func newReturnDesk(pp *paypal.Client) *returnDesk { return &returnDesk{payments: pp} }

func (d *returnDesk) accept(ctx context.Context, capture string) error {
	_, err := d.payments.RefundCapture(ctx, capture, paypal.RefundCaptureRequest{}) // want "R-KFK-IDEM-4.*RefundCapture"
	return err
}

func refundItem(ctx context.Context, pp *paypal.Client, capture, value string) (string, error) {
	res, err := pp.RefundCapture(ctx, capture, paypal.RefundCaptureRequest{ // want "R-KFK-IDEM-4.*RefundCapture moves money without"
		Amount:    &paypal.Money{Currency: "EUR", Value: value},
		InvoiceID: capture,
	})
	if err != nil {
		return "", err
	}
	return res.ID, nil
}

func refundRetried(ctx context.Context, pp *paypal.Client, capture string) error {
	var err error
	for range 3 {
		// Each attempt is another refund to PayPal.
		if _, err = pp.RefundCaptureWithPaypalRequestId(ctx, capture, paypal.RefundCaptureRequest{}, uuid.New().String()); err == nil { // want "R-KFK-IDEM-4.*RefundCapture.*new at each attempt"
			return nil
		}
		time.Sleep(time.Second)
	}
	return err
}

// refundOldSale has no call that would take an id.
func refundOldSale(ctx context.Context, tx *sql.Tx, pp *paypal.Client, sale string, total *paypal.Amount) error {
	refund, err := pp.RefundSale(ctx, sale, total) // want "R-KFK-IDEM-4.*RefundSale"
	if err != nil {
		return err
	}
	_, err = tx.ExecContext(ctx, `UPDATE sales SET refund_id = $1 WHERE id = $2`, refund.ID, sale)
	return err
}

func collectArrears(ctx context.Context, pp *paypal.Client, subscription, value string) error {
	_, err := pp.CaptureSubscription(ctx, subscription, paypal.CaptureRequest{ // want "R-KFK-IDEM-4.*CaptureSubscription"
		Note:        "outstanding balance",
		CaptureType: paypal.CaptureTypeOutstandingBalance,
		Amount:      paypal.Money{Currency: "USD", Value: value},
	})
	return err
}
