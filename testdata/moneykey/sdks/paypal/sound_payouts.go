package paypal

import (
	"context"
	"fmt"

	"github.com/plutov/paypal/v4"
)

func payOnce(ctx context.Context, pp *paypal.Client, period string, e earning) error {
	_, err := pp.CreatePayout(ctx, paypal.Payout{
		SenderBatchHeader: &paypal.SenderBatchHeader{
			SenderBatchID: fmt.Sprintf("%s-%s", period, e.Seller),
			EmailSubject:  "Your earnings",
		},
		Items: []paypal.PayoutItem{e.item()},
	})
	return err
}

func batchOf(id string, earnings []earning) paypal.Payout {
	p := paypal.Payout{SenderBatchHeader: &paypal.SenderBatchHeader{EmailMessage: "Thank you"}}
	p.SenderBatchHeader.SenderBatchID = id
	for _, e := range earnings {
		p.Items = append(p.Items, e.item())
	}
	return p
}

func payBatchOnce(ctx context.Context, pp *paypal.Client, runID string, earnings []earning) error {
	res, err := pp.CreatePayout(ctx, batchOf(runID, earnings))
	if err != nil {
		return err
	}
	_, err = pp.GetPayout(ctx, res.BatchHeader.PayoutBatchID)
	return err
}

// payUnder is given the header, which is judged where it is made.
func payUnder(ctx context.Context, pp *paypal.Client, header *paypal.SenderBatchHeader, e earning) error {
	_, err := pp.CreateSinglePayout(ctx, paypal.Payout{SenderBatchHeader: header, Items: []paypal.PayoutItem{e.item()}})
	return err
}

func payHandedIn(ctx context.Context, pp *paypal.Client, batch paypal.Payout) error {
	_, err := pp.CreatePayout(ctx, batch)
	return err
}

func takeBack(ctx context.Context, pp *paypal.Client, item string) error {
	_, err := pp.CancelPayoutItem(ctx, item)
	return err
}

func (s settlement) runOnce(ctx context.Context, period string, earnings []earning) error {
	for _, e := range earnings {
		if _, err := s.api.CreatePayout(ctx, batchOf(period+"/"+e.Seller, []earning{e})); err != nil {
			return err
		}
	}
	return nil
}

func (s settlement) takeOnce(ctx context.Context, order, eventID string) error {
	_, err := s.api.CaptureOrderWithPaypalRequestId(ctx, order, paypal.CaptureOrderRequest{}, eventID, nil)
	return err
}

// cashier is a port of the service's own: what is behind it has the key.
type cashier interface {
	CreatePayout(ctx context.Context, seller, value string) (*paypal.PayoutResponse, error)
}

func payThrough(ctx context.Context, c cashier, e earning) error {
	_, err := c.CreatePayout(ctx, e.Seller, e.Value)
	return err
}
