// Package outbox sends the calls that an event causes, such as a charge, from a table in
// PostgreSQL: the call is written in the transaction that does the event's work, and a
// worker sends it once that has committed.
//
// A call that is made inside the transaction holds it open for as long as the provider
// takes, and happens although the transaction rolls back. One that is made behind the
// commit is lost in a crash between the two. A row is there exactly when the work is:
//
//	first, err := outbox.Enqueue(ctx, outbox.Pgx(tx), outbox.Call{Step: "charge", Kind: "charge", Payload: body})
//
// The worker sends it at least once, always under the key that package money derives from
// the event, the group and the step, so the provider charges once:
//
//	client := &http.Client{Transport: &money.Transport{}}
//	worker, err := outbox.NewWorker(stdlib.OpenDBFromPool(pool), outbox.Config{
//		Guard: money.Guard{Window: 23 * time.Hour}, // the provider forgets after 24
//		Senders: map[string]outbox.Sender{
//			"charge": func(ctx context.Context, a outbox.Attempt) error {
//				req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(a.Payload))
//				if err != nil {
//					return err
//				}
//				resp, err := client.Do(req)
//				if err != nil {
//					return err
//				}
//				defer resp.Body.Close()
//				return outbox.CheckResponse(resp)
//			},
//		},
//	})
//	…
//	err = worker.Run(ctx)
//
// # The life of a call
//
// A row is pending, then sent or dead. A worker claims a pending row for the time that a
// send may take, in a transaction of its own that is over before the call begins; a worker
// that dies leaves the row to the others once that lease is over. A failed attempt is
// repeated after a backoff. A call is dead after too many attempts, after an error that
// wraps [ErrPermanent], and when the provider may have forgotten the key since the first
// attempt ([money.ErrWindowPassed]). A dead call may have reached the provider: look it up
// there by idempotency_key. Only when it has not charged:
//
//	UPDATE idem_outbox SET state = 'pending', attempts = 0, due_at = now(),
//	       first_attempt_at = NULL, done_at = NULL WHERE id = $1 AND state = 'dead'
//
// Calls are sent in no particular order. Where a second call follows from the first
// (a capture from its authorization), enqueue it when the first is done.
//
// The row of a sent call stays until [Purge] removes it, and keeps a second Enqueue of the
// same call from sending it again.
package outbox
