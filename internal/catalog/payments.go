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
