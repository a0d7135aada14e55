package paypal

import (
	"context"
	"strconv"
	"time"

	"github.com/google/uuid"
	"github.com/plutov/paypal/v4"
)

type earning struct {
	Seller string
	Email  string
	Value  string
}

func (e earning) item() paypal.PayoutItem {
	return paypal.PayoutItem{
		RecipientType: "EMAIL",
		Receiver:      e.Email,
		Amount:        &paypal.AmountPayout{Currency: "USD", Value: e.Value},
		SenderItemID:  e.Seller,
	}
}

func payWithoutHeader(ctx context.Context, pp *paypal.Client, e earning) error {
	_, err := pp.CreatePayout(ctx, paypal.Payout{Items: []paypal.PayoutItem{e.item()}}) // want "R-KFK-IDEM-4: PayPal's CreatePayout moves money without"
	return err
}

func payWithoutBatchID(ctx context.Context, pp *paypal.Client, earnings []earning) error {
	batch := paypal.Payout{
		SenderBatchHeader: &paypal.SenderBatchHeader{EmailSubject: "Your earnings are on their way"},
	}
	for _, e := range earnings {
		batch.Items = append(batch.Items, e.item())
	}
	_, err := pp.CreatePayout(ctx, batch) // want "R-KFK-IDEM-4.*CreatePayout moves money without"
	return err
}

func payFreshBatch(ctx context.Context, pp *paypal.Client, e earning) error {
	header := paypal.SenderBatchHeader{EmailSubject: "Your earnings"}
	header.SenderBatchID = "earnings-" + uuid.NewString()
	_, err := pp.CreateSinglePayout(ctx, paypal.Payout{SenderBatchHeader: &header, Items: []paypal.PayoutItem{e.item()}}) // want "R-KFK-IDEM-4.*CreateSinglePayout.*new at each attempt"
	return err
}

func payDatedBatch(ctx context.Context, pp *paypal.Client, items []paypal.PayoutItem) error {
	id := strconv.FormatInt(time.Now().UnixMilli(), 36)
	_, err := pp.CreatePayout(ctx, paypal.Payout{ // want "R-KFK-IDEM-4.*CreatePayout.*the clock"
		SenderBatchHeader: &paypal.SenderBatchHeader{SenderBatchID: id},
		Items:             items,
	})
	return err
}

// payouts is what main gives the service: the client, seen from nowhere here.
type payouts interface {
	CreatePayout(ctx context.Context, p paypal.Payout) (*paypal.PayoutResponse, error)
	CaptureOrderWithPaypalRequestId(ctx context.Context, orderID string, req paypal.CaptureOrderRequest, requestID string, mock *paypal.CaptureOrderMockResponse) (*paypal.CaptureOrderResponse, error)
}

type settlement struct{ api payouts }

func (s settlement) run(ctx context.Context, earnings []earning) error {
	for _, e := range earnings {
		if _, err := s.api.CreatePayout(ctx, paypal.Payout{Items: []paypal.PayoutItem{e.item()}}); err != nil { // want "R-KFK-IDEM-4.*CreatePayout"
			return err
		}
	}
	return nil
}

func (s settlement) take(ctx context.Context, order string) error {
	_, err := s.api.CaptureOrderWithPaypalRequestId(ctx, order, paypal.CaptureOrderRequest{}, uuid.NewString(), nil) // want "R-KFK-IDEM-4.*CaptureOrder.*new at each attempt"
	return err
}
