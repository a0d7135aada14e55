package moneykey

// Doc is the rule's manual.
const Doc = `report calls that move money without an idempotency key (R-KFK-IDEM-4)

The dedup gate cannot protect a call to somebody else's system: the provider
answers 200, the connection resets, the transaction rolls back and takes the gate
with it, and the next delivery charges the card again. Only the provider can tell
that the two are one, by the key that comes with both.

The rule reports a charge, capture, payout, refund, transfer, withdrawal, debit,
credit or top-up that carries no key, or one that is new at each attempt: random,
from the clock, the record's offset or a counter of attempts. Such calls are those
of payment SDKs, HTTP requests to a path like /charges or in a function called
like Refund, gRPC calls of such a name, and functions named in the configuration.

Bad:

	_, err := paymentintent.New(&stripe.PaymentIntentParams{Amount: &amount})

Good:

	params := &stripe.PaymentIntentParams{Amount: &amount}
	params.SetIdempotencyKey(ev.EventID)
	_, err := paymentintent.New(params)

Satisfied by the header Idempotency-Key (Idempotence-Key, X-Idempotency-Key,
PayPal-Request-Id, X-Refund-Idempotency and its like), the SDK's field, setter or
argument, a field idempotency_key of the body, gRPC metadata, a RoundTripper or
interceptor that sets it, a parameter that the callee uses for one of these.

Not reported: reads; a request that is handed in from elsewhere, which is judged
where it is made.`
