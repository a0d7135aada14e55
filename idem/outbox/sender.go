package outbox

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"time"

	"github.com/idemlint/idemlint/idem"
)

// A Sender makes one attempt at a call: it sends the request that it makes from a, with
// ctx, and returns nil when the provider has done it.
//
// ctx carries the event, the step and the time of the first attempt, so a
// [money.Transport] sets the key; a client that takes the key otherwise is given a.Key.
// ctx ends after [Config].Timeout, and not when the worker is told to stop.
//
// Any error lets the call be tried again under the same key, as a lost answer must be; one
// that wraps [ErrPermanent] does not. An answer that is final and expected, such as a
// declined card, is no error: the Sender notes it and returns nil. What it writes must
// bear being written twice, since after a crash the call is sent again and the provider
// gives the same answer.
type Sender func(ctx context.Context, a Attempt) error

// Attempt is one attempt at a call.
type Attempt struct {
	Call
	// Event caused the call.
	Event idem.Event
	// Key is the idempotency key: the same at each attempt.
	Key string
	// Number counts the attempts from 1, those included that ended with the process.
	Number int
	// First is when the first attempt began, by the database's clock.
	First time.Time
}

// String returns the call in words, for logs.
func (a Attempt) String() string {
	return fmt.Sprintf("the call %q of event %s (key %s)", a.Step, a.Event, a.Key)
}

// ErrPermanent is wrapped by a Sender's error when a retry does not help: the call becomes
// dead at once.
var ErrPermanent = errors.New("a retry does not help")

// CheckResponse returns nil for a status of 2xx, and else an error by which the call is
// tried again or, wrapping [ErrPermanent], not.
//
// Tried again are 5xx, 408, 409 (the first attempt is still at work), 425 and 429, and
// also 401 and 403, which a new credential mends. All others say that this request will
// never do: 422 that the key was used with other parameters. A Sender that has a use for
// one of these, such as 402 for a declined card, looks at it first.
func CheckResponse(resp *http.Response) error {
	code := resp.StatusCode
	switch {
	case code >= 200 && code < 300:
		return nil
	case code >= 500:
	case code == http.StatusRequestTimeout, code == http.StatusConflict, code == http.StatusTooEarly,
		code == http.StatusTooManyRequests, code == http.StatusUnauthorized, code == http.StatusForbidden:
	default:
		return fmt.Errorf("the provider answers %s: %w", resp.Status, ErrPermanent)
	}
	return fmt.Errorf("the provider answers %s", resp.Status)
}
