package razorpay

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/razorpay/razorpay-go"
	"github.com/razorpay/razorpay-go/requests"
)

// keyOf fits the 36 characters that Razorpay allows.
func keyOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		h.Write([]byte(p))
		h.Write([]byte{0})
	}
	return hex.EncodeToString(h.Sum(nil))[:32]
}

func transferOnce(rzp *razorpay.Client, settlement string, sellers []seller) error {
	for _, s := range sellers {
		headers := map[string]string{"X-Transfer-Idempotency": keyOf(settlement, s.Account)}
		if _, err := rzp.Transfer.Create(s.transfer(), headers); err != nil {
			return err
		}
	}
	return nil
}

type payoutAPI struct {
	request *requests.Request
	from    string
}

func newPayoutAPI(rzp *razorpay.Client, from string) *payoutAPI {
	return &payoutAPI{request: rzp.Payout.Request, from: from}
}

func (p *payoutAPI) send(s seller, key string) (map[string]interface{}, error) {
	return p.request.Post("/v1/payouts", s.payout(p.from), map[string]string{"X-Payout-Idempotency": key})
}

func (p *payoutAPI) onSettled(eventID string, s seller) error {
	_, err := p.send(s, eventID)
	return err
}

func payoutStatus(rzp *razorpay.Client, id string) (map[string]interface{}, error) {
	return rzp.Payout.Fetch(id, nil, nil)
}

func payoutsBy(reference string) (map[string]interface{}, error) {
	return razorpay.Request.Get("/v1/payouts", map[string]interface{}{"reference_id": reference}, nil)
}

func contact(name string) (map[string]interface{}, error) {
	return razorpay.Request.Post("/v1/contacts", map[string]interface{}{"name": name, "type": "vendor"}, nil)
}
