package catalog

import "fmt"

// Payment SDKs: the calls that move money, and how each takes its idempotency key.

// Stripe's module has its major version in every import path.
const (
	firstStripe = 70
	lastStripe  = 86
)

func init() {
	register(entry{
		libs: []Library{{"github.com/stripe/stripe-go", Effects}},
		rows: stripe,
	})
}

func stripe() []Row {
	var out []Row
	for v := firstStripe; v <= lastStripe; v++ {
		p := fmt.Sprintf("github.com/stripe/stripe-go/v%d", v)
		for resource, calls := range map[string][]string{
			"charge": {"New", "Capture"}, "paymentintent": {"New", "Confirm", "Capture"},
			"payout": {"New"}, "refund": {"New"}, "transfer": {"New"}, "topup": {"New"}, "invoice": {"Pay"},
		} {
			for _, call := range calls {
				kind := "Stripe's " + resource + "." + call
				params := A0
				if call != "New" {
					params = A1 // after the id
				}
				out = append(out,
					Row{Name: p + "/" + resource + "." + call, Verb: Effect, Money: true, Key: params, Kind: kind},
					Row{Name: "(" + p + "/" + resource + ".Client)." + call, Verb: Effect, Money: true, Key: params, Kind: kind})
			}
		}
		for service, calls := range map[string][]string{
			"Charge": {"Create", "Capture"}, "PaymentIntent": {"Create", "Confirm", "Capture"},
			"Payout": {"Create"}, "Refund": {"Create"}, "Transfer": {"Create"}, "Topup": {"Create"}, "Invoice": {"Pay"},
		} {
			for _, call := range calls {
				params := A1 // after the context
				if call != "Create" {
					params = A2
				}
				out = append(out, Row{Name: "(" + p + ".v1" + service + "Service)." + call, Verb: Effect, Money: true, Key: params, Kind: "Stripe's " + service + " " + call})
			}
		}
		out = append(out, Row{Name: "(*" + p + ".Params).SetIdempotencyKey", Verb: SetKey, Text: A0})
	}
	return out
}

// moves makes the row of a money call for every name, with the name put into the
// formats of the function and of its kind.
func moves(format, kind string, r Row, names ...string) []Row {
	r.Verb, r.Money = Effect, true
	out := each(format, names, r)
	for i, n := range names {
		out[i].Kind = fmt.Sprintf(kind, n)
	}
	return out
}

const paypal = "github.com/plutov/paypal/v4"

func init() {
	register(entry{
		libs: []Library{{paypal, Effects}},
		rows: func() []Row {
			client := "(*" + paypal + ".Client)."
			return rows(
				// A call that takes the PayPal-Request-Id has a name of its own. CreateOrder
				// is not here: an order only asks for money, its capture moves it.
				moves(client+"%sWithPaypalRequestId", "PayPal's %s", Row{Text: A3}, "CaptureOrder", "CaptureAuthorization", "RefundCapture"),
				// Under the plain name there is no place for the id. The last two have no
				// other name: SendWithAuth, with the header, does what they do.
				moves(client+"%s", "PayPal's %s", Row{}, "CaptureOrder", "CaptureAuthorization", "RefundCapture", "RefundSale", "CaptureSubscription"),
				// PayPal refuses a second payout with the same batch id.
				moves(client+"%s", "PayPal's %s", Row{Key: A1, Field: "SenderBatchHeader.SenderBatchID"}, "CreatePayout", "CreateSinglePayout"),
				[]Row{{Name: client + "NewRequest", Verb: Request, Method: A1, URL: A2}},
				each(client+"%s", []string{"Send", "SendWithAuth", "SendWithBasicAuth"}, Row{Verb: Send, Key: A0}),
			)
		},
	})
}

const razorpay = "github.com/razorpay/razorpay-go"

func init() {
	register(entry{
		libs: []Library{{razorpay, Effects}},
		rows: func() []Row {
			// The last argument of every call is a map of headers: X-Refund-Idempotency,
			// X-Transfer-Idempotency, X-Payout-Idempotency. The provider heeds them for
			// refunds, direct transfers and payouts; captures, transfers of a payment
			// and reversals have none, so there is nothing to ask of them.
			out := rows(
				moves("(*"+razorpay+"/resources.%s).Create", "Razorpay's %s.Create", Row{Key: A1}, "Refund", "Transfer"),
				moves("(*"+razorpay+"/resources.Payment).%s", "Razorpay's Payment.%s", Row{Key: A3}, "Refund"),
			)
			// Payouts have no call of their own.
			for name, method := range map[string]string{"Post": "POST", "Put": "PUT", "Patch": "PATCH", "Delete": "DELETE", "Get": "GET"} {
				out = append(out, Row{Name: "(*" + razorpay + "/requests.Request)." + name, Verb: Send, Const: method, URL: A0, Key: A2})
			}
			return out
		},
	})
}
