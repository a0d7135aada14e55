package razorpay

import (
	"github.com/google/uuid"
	"github.com/razorpay/razorpay-go"
)

type seller struct {
	Account     string
	FundAccount string
	Paise       int64
}

func (s seller) transfer() map[string]interface{} {
	return map[string]interface{}{"account": s.Account, "amount": s.Paise, "currency": "INR"}
}

func (s seller) payout(from string) map[string]interface{} {
	return map[string]interface{}{
		"account_number":  from,
		"fund_account_id": s.FundAccount,
		"amount":          s.Paise,
		"currency":        "INR",
		"mode":            "IMPS",
		"purpose":         "payout",
	}
}

func transferAll(rzp *razorpay.Client, sellers []seller) error {
	for _, s := range sellers {
		if _, err := rzp.Transfer.Create(s.transfer(), nil); err != nil { // want "R-KFK-IDEM-4: Razorpay's Transfer.Create moves money without"
			return err
		}
	}
	return nil
}

func freshHeaders(name string) map[string]string {
	return map[string]string{name: uuid.New().String()}
}

func transferFresh(rzp *razorpay.Client, s seller) error {
	_, err := rzp.Transfer.Create(s.transfer(), freshHeaders("X-Transfer-Idempotency")) // want "R-KFK-IDEM-4.*Transfer.Create.*new at each attempt"
	return err
}

// payOut uses the request below the client: there is no call for payouts.
func payOut(rzp *razorpay.Client, from string, s seller) error {
	_, err := rzp.Payout.Request.Post("/v1/payouts", s.payout(from), nil) // want "R-KFK-IDEM-4.*HTTP POST moves money without"
	return err
}

func payOutFresh(from string, s seller) (map[string]interface{}, error) {
	headers := map[string]string{"X-Payout-Idempotency": uuid.NewString()}
	return razorpay.Request.Post("/v1/payouts", s.payout(from), headers) // want "R-KFK-IDEM-4.*HTTP POST.*new at each attempt"
}
