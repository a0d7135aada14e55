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

const paypal = "github.com/plutov/paypal/v4"

func init() {
	register(entry{
		libs: []Library{{paypal, Effects}},
		rows: func() []Row {
			client := "(*" + paypal + ".Client)."
			return rows(
				// The calls that take the PayPal-Request-Id have a name of their own;
				// an order only asks for money, its capture moves it.
				[]Row{
					{Name: client + "CaptureOrderWithPaypalRequestId", Verb: Effect, Money: true, Text: A3, Kind: "PayPal's CaptureOrder"},
					{Name: client + "CaptureAuthorizationWithPaypalRequestId", Verb: Effect, Money: true, Text: A3, Kind: "PayPal's CaptureAuthorization"},
					{Name: client + "RefundCaptureWithPaypalRequestId", Verb: Effect, Money: true, Text: A3, Kind: "PayPal's RefundCapture"},
				},
				// The others of these names have no place for it. RefundSale and
				// CaptureSubscription have no twin that does: what is left is
				// SendWithAuth with the header.
				paypalKeyless(client, "CaptureOrder", "CaptureAuthorization", "RefundCapture", "RefundSale", "CaptureSubscription"),
				// PayPal refuses a second payout with the same batch id.
				each(client+"%s", []string{"CreatePayout", "CreateSinglePayout"},
					Row{Verb: Effect, Money: true, Key: A1, Field: "SenderBatchHeader.SenderBatchID", Kind: "PayPal's CreatePayout"}),
				[]Row{{Name: client + "NewRequest", Verb: Request, Method: A1, URL: A2}},
				each(client+"%s", []string{"Send", "SendWithAuth", "SendWithBasicAuth"}, Row{Verb: Send, Key: A0}),
			)
		},
	})
}

func paypalKeyless(client string, names ...string) []Row {
	out := make([]Row, len(names))
	for i, n := range names {
		out[i] = Row{Name: client + n, Verb: Effect, Money: true, Kind: "PayPal's " + n}
	}
	return out
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
