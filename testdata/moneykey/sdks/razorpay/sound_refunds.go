package razorpay

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/IBM/sarama"
	"github.com/razorpay/razorpay-go"
)

func (c *cancellations) handleOnce(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var ev orderCancelled
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	refund, err := c.rzp.Payment.Refund(ev.PaymentID, ev.Paise, nil, map[string]string{"X-Refund-Idempotency": ev.EventID})
	if err != nil {
		return err
	}
	_, err = c.db.ExecContext(ctx, `UPDATE payments SET refund_id = $1 WHERE id = $2`, refund["id"], ev.PaymentID)
	return err
}

const refundKey = "X-Refund-Idempotency"

func headersFor(name, eventID string) map[string]string {
	h := map[string]string{"X-Razorpay-Account": "acc_main"}
	h[name] = strings.ReplaceAll(eventID, ":", "_")
	return h
}

func refundHelped(rzp *razorpay.Client, ev orderCancelled) error {
	data := map[string]interface{}{"speed": "optimum", "receipt": ev.EventID}
	_, err := rzp.Payment.Refund(ev.PaymentID, ev.Paise, data, headersFor(refundKey, ev.EventID))
	return err
}

// refundHandedIn is judged where the headers are made.
func refundHandedIn(rzp *razorpay.Client, payment string, paise int, headers map[string]string) error {
	_, err := rzp.Refund.Create(map[string]interface{}{"payment_id": payment, "amount": paise}, headers)
	return err
}

func refundThrough(rzp *razorpay.Client, ev orderCancelled) error {
	return refundHandedIn(rzp, ev.PaymentID, ev.Paise, headersFor(refundKey, ev.EventID))
}

func annotate(rzp *razorpay.Client, refund string, notes map[string]interface{}) error {
	_, err := rzp.Refund.Update(refund, map[string]interface{}{"notes": notes}, nil)
	return err
}

// capture cannot be done twice to a payment, and Razorpay takes no key for it.
func capture(rzp *razorpay.Client, payment string, paise int) error {
	_, err := rzp.Payment.Capture(payment, paise, map[string]interface{}{"currency": "INR"}, nil)
	return err
}

func openOrder(rzp *razorpay.Client, receipt string, paise int) (map[string]interface{}, error) {
	return rzp.Order.Create(map[string]interface{}{"amount": paise, "currency": "INR", "receipt": receipt}, nil)
}

func refundsOf(rzp *razorpay.Client, payment string) (map[string]interface{}, error) {
	return rzp.Payment.FetchMultipleRefund(payment, nil, nil)
}
