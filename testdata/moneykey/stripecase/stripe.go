// Package stripecase charges cards with Stripe's library.
package stripecase

import (
	"context"
	"fmt"
	"time"

	"github.com/google/uuid"
	"github.com/stripe/stripe-go/v82"
	"github.com/stripe/stripe-go/v82/charge"
	"github.com/stripe/stripe-go/v82/paymentintent"
	"github.com/stripe/stripe-go/v82/refund"
)

func withoutKey(amount int64) error {
	_, err := paymentintent.New(&stripe.PaymentIntentParams{Amount: &amount}) // want "R-KFK-IDEM-4: Stripe's paymentintent.New moves money without an idempotency key"
	return err
}

func withKey(amount int64, eventID string) error {
	params := &stripe.PaymentIntentParams{Amount: &amount}
	params.SetIdempotencyKey(eventID)
	_, err := paymentintent.New(params)
	return err
}

func withField(amount int64, eventID string) error {
	_, err := charge.New(&stripe.ChargeParams{Amount: &amount, Params: stripe.Params{IdempotencyKey: &eventID}})
	return err
}

func withHelper(amount int64, eventID string) error {
	_, err := refund.New(refundParams(amount, eventID))
	return err
}

func refundParams(amount int64, key string) *stripe.RefundParams {
	p := &stripe.RefundParams{Amount: &amount}
	p.SetIdempotencyKey("refund-" + key)
	return p
}

func maybe(amount int64, key string) error {
	params := &stripe.RefundParams{Amount: &amount}
	if key != "" {
		params.SetIdempotencyKey(key)
	}
	_, err := refund.New(params)
	return err
}

func random(amount int64) error {
	params := &stripe.RefundParams{Amount: &amount}
	params.SetIdempotencyKey(uuid.NewString())
	_, err := refund.New(params) // want "R-KFK-IDEM-4.*new at each attempt.*a generator"
	return err
}

func clock(amount int64, order string) error {
	params := &stripe.RefundParams{Amount: &amount}
	params.SetIdempotencyKey(fmt.Sprintf("%s-%d", order, time.Now().UnixNano()))
	_, err := refund.New(params) // want "R-KFK-IDEM-4.*the clock"
	return err
}

func attempts(amount int64, order string) error {
	var err error
	for attempt := 0; attempt < 3; attempt++ {
		params := &stripe.RefundParams{Amount: &amount}
		params.SetIdempotencyKey(fmt.Sprintf("%s-%d", order, attempt))
		if _, err = refund.New(params); err == nil { // want "R-KFK-IDEM-4.*a counter of attempts"
			return nil
		}
	}
	return err
}

func confirmed(amount int64, eventID string) error {
	params := &stripe.PaymentIntentParams{Amount: &amount}
	params.SetIdempotencyKey(eventID)
	pi, err := paymentintent.New(params)
	if err != nil {
		return err
	}
	_, err = paymentintent.Confirm(pi.ID, &stripe.PaymentIntentConfirmParams{}) // want "R-KFK-IDEM-4.*Confirm"
	return err
}

func newClient(ctx context.Context, sc *stripe.Client, amount int64, eventID string) error {
	params := &stripe.PaymentIntentCreateParams{Amount: &amount}
	if _, err := sc.V1PaymentIntents.Create(ctx, params); err != nil { // want "R-KFK-IDEM-4"
		return err
	}
	keyed := &stripe.PaymentIntentCreateParams{Amount: &amount}
	keyed.SetIdempotencyKey(eventID)
	_, err := sc.V1PaymentIntents.Create(ctx, keyed)
	return err
}

// handedIn is judged where the parameters are made.
func handedIn(params *stripe.PaymentIntentParams) error {
	_, err := paymentintent.New(params)
	return err
}

func reads(id string) error {
	_, err := paymentintent.Get(id, nil)
	return err
}
