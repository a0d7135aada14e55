// Package money gives an outgoing call that moves money its second lock: an
// Idempotency-Key that is the same at every redelivery of the event that causes the call.
//
// The mark of package idem is the first lock, and it is not enough. The provider answers
// 200, the connection resets, the transaction rolls back with its mark, and the next
// delivery charges again: only the provider can tell that charge from the first, and only
// when both carry the same key. So a key comes from the event, the consumer group and the
// step of the work ([Key]), never from a random source, a clock, an offset or an attempt.
//
// A [Transport] sets the header:
//
//	client := &http.Client{Transport: &money.Transport{
//		Guard: money.Guard{Window: 23 * time.Hour}, // the provider forgets after 24
//	}}
//	…
//	ctx = money.WithStep(ctx, "charge") // ctx carries the event: idem.WithEvent
//	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
//	…
//	resp, err := client.Do(req)
//
// A client library that sets a header of its own (stripe-go makes a random one when it is
// given none) takes the key through its field instead:
//
//	key, err := money.Guard{Window: 23 * time.Hour}.Key(ctx, "")
//	…
//	params.SetIdempotencyKey(key)
//
// # What the caller still owes
//
//   - One step, one call. A handler that makes two calls names two steps ("charge",
//     "fee"), and one that makes a call for each item of an order puts the item's own id
//     into the step ("refund/line-7"), not its position in a map.
//   - The same body at each attempt: no clock, no random reference, nothing read from a
//     row that changes in between. Otherwise the provider refuses the key (422, a
//     parameter error), or ignores the change without a word.
//   - Group and step keep their names. They are part of the key: under another name a
//     replayed event is a new charge.
//   - Answers: 409, a timeout and most of 5xx are tried again under the same key; 422 and
//     parameter errors never. A provider that stores its 500 gives it back for ever: that
//     call needs a person.
//
// The call does not belong into the database transaction, which it would hold open, nor
// behind the commit, where a crash loses it: package outbox is the form that is sound.
package money
