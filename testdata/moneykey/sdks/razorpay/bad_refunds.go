// Package razorpay refunds buyers and pays sellers with Razorpay.
package razorpay

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"time"

	"github.com/IBM/sarama"
	"github.com/google/uuid"
	"github.com/razorpay/razorpay-go"
)

type orderCancelled struct {
	EventID   string `json:"event_id"`
	PaymentID string `json:"payment_id"`
	Paise     int    `json:"paise"`
}

type cancellations struct {
	db  *sql.DB
	rzp *razorpay.Client
}

func (c *cancellations) handle(ctx context.Context, msg *sarama.ConsumerMessage) error {
	var ev orderCancelled
	if err := json.Unmarshal(msg.Value, &ev); err != nil {
		return err
	}
	refund, err := c.rzp.Payment.Refund(ev.PaymentID, ev.Paise, nil, nil) // want "R-KFK-IDEM-4: Razorpay's Payment.Refund moves money without an idempotency key"
	if err != nil {
		return fmt.Errorf("refund %s: %w", ev.PaymentID, err)
	}
	_, err = c.db.ExecContext(ctx, `UPDATE payments SET refund_id = $1 WHERE id = $2`, refund["id"], ev.PaymentID)
	return err
}

// refundNoted hides the key in the notes, where only people read it.
func refundNoted(rzp *razorpay.Client, ev orderCancelled) error {
	data := map[string]interface{}{
		"speed": "normal",
		"notes": map[string]interface{}{"idempotency_key": ev.EventID},
	}
	_, err := rzp.Payment.Refund(ev.PaymentID, ev.Paise, data, map[string]string{}) // want "R-KFK-IDEM-4.*Payment.Refund moves money without"
	return err
}

func refundOtherHeader(rzp *razorpay.Client, ev orderCancelled) error {
	headers := map[string]string{"X-Request-Id": ev.EventID}
	_, err := rzp.Payment.Refund(ev.PaymentID, ev.Paise, nil, headers) // want "R-KFK-IDEM-4.*Payment.Refund moves money without"
	return err
}

func refundFresh(rzp *razorpay.Client, payment string, paise int) (string, error) {
	headers := map[string]string{"X-Refund-Idempotency": uuid.NewString()}
	res, err := rzp.Refund.Create(map[string]interface{}{"payment_id": payment, "amount": paise}, headers) // want "R-KFK-IDEM-4: Razorpay's Refund.Create.*new at each attempt"
	if err != nil {
		return "", err
	}
	id, _ := res["id"].(string)
	return id, nil
}

func refundStamped(rzp *razorpay.Client, payment string, paise int) error {
	headers := make(map[string]string, 1)
	headers["X-Refund-Idempotency"] = fmt.Sprintf("%s-%d", payment, time.Now().UnixNano())
	_, err := rzp.Payment.Refund(payment, paise, nil, headers) // want "R-KFK-IDEM-4.*Payment.Refund.*the clock"
	return err
}
