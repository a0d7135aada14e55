package money

import (
	"crypto/sha256"
	"fmt"
	"io"
	"net/http"

	"github.com/idemlint/idemlint/idem"
)

// DefaultHeader is the header of draft-ietf-httpapi-idempotency-key-header, and of most
// providers.
const DefaultHeader = "Idempotency-Key"

// Transport is an [http.RoundTripper] that sets the idempotency key of every request that
// can move money, and refuses a request for which there is no sound key, see [Guard]. The
// error of [http.Client.Do] then wraps a [*RefusedError].
//
// The zero value is ready to use and sets [DefaultHeader], unquoted. A Transport is safe
// for concurrent use; its fields are not changed once it is used.
//
// Requests that follow a redirect carry the key too. A retry inside one WithStep context
// is compared with the attempt before by method, path, query and body, as far as the
// request has GetBody (http.NewRequest sets it for bytes and strings): a difference is
// [ErrStepReused]. The host is not compared, since a retry may go to the provider's other
// address.
//
// With the header Idempotency-Key, net/http itself repeats a request whose kept-alive
// connection turns out to be dead; that is as sound as any other retry under the key.
type Transport struct {
	Guard
	// Base sends the request; nil is [http.DefaultTransport].
	Base http.RoundTripper
	// Header is the name of the header; empty is [DefaultHeader]. Providers have their
	// own: PayPal-Request-Id, X-Idempotency-Key.
	Header string
	// Quoted sends the key as a structured-field string, in double quotes, as the IETF
	// draft has it. Most providers, Stripe among them, take the quotes for a part of the
	// key.
	Quoted bool
	// Counts reports whether a request needs a key. Nil counts every method but GET, HEAD
	// and OPTIONS. Exclude what moves no money, such as fetching a token.
	Counts func(*http.Request) bool
}

// RoundTrip sends a copy of req with its key, or req itself when it does not count. On
// refusal it closes the body and returns a [*RefusedError].
func (t *Transport) RoundTrip(req *http.Request) (*http.Response, error) {
	base := t.base()
	counts := t.Counts
	if counts == nil {
		counts = mayWrite
	}
	if !counts(req) {
		return base.RoundTrip(req)
	}
	keyed, err := t.withKey(req)
	if err != nil {
		// A RoundTripper closes the body on every way out; base does on the others.
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, err
	}
	return base.RoundTrip(keyed)
}

// CloseIdleConnections closes those of Base, when it has such a method.
// [http.Client.CloseIdleConnections] calls it.
func (t *Transport) CloseIdleConnections() {
	if base, ok := t.base().(interface{ CloseIdleConnections() }); ok {
		base.CloseIdleConnections()
	}
}

func (t *Transport) base() http.RoundTripper {
	if t.Base != nil {
		return t.Base
	}
	return http.DefaultTransport
}

// withKey returns a copy of req that carries the key. A RoundTripper may not change the
// request it is given: the caller may send it again.
func (t *Transport) withKey(req *http.Request) (*http.Request, error) {
	call, err := fingerprint(req)
	if err != nil {
		return nil, err
	}
	ctx := req.Context()
	key, err := t.Key(ctx, call)
	if err != nil {
		return nil, err
	}
	if t.Quoted {
		key = `"` + key + `"`
	}
	header := t.Header
	if header == "" {
		header = DefaultHeader
	}
	for _, other := range req.Header.Values(header) {
		if other != key {
			event, _ := idem.EventFrom(ctx)
			step, _ := StepFrom(ctx)
			return nil, &RefusedError{Event: event, Step: step, Err: fmt.Errorf("%s is %.64q: %w", header, other, ErrOtherKey)}
		}
	}
	keyed := req.Clone(ctx)
	if keyed.Header == nil {
		keyed.Header = make(http.Header)
	}
	keyed.Header.Set(header, key)
	return keyed, nil
}

// mayWrite reports whether the method is none of those that only read.
func mayWrite(req *http.Request) bool {
	switch req.Method {
	case "", http.MethodGet, http.MethodHead, http.MethodOptions:
		return false
	}
	return true
}

// fingerprint returns what makes req another call for the provider, or "" where that
// cannot be judged.
func fingerprint(req *http.Request) (string, error) {
	// A client that follows a redirect sends the same call to another address.
	if req.Response != nil {
		return "", nil
	}
	h := sha256.New()
	fmt.Fprintf(h, "%s %s\n", req.Method, req.URL.RequestURI())
	if req.Body != nil && req.Body != http.NoBody && req.GetBody != nil {
		// A copy: the body itself is to be sent.
		body, err := req.GetBody()
		if err != nil {
			return "", fmt.Errorf("money: the request's GetBody: %w", err)
		}
		defer func() { _ = body.Close() }()
		if _, err := io.Copy(h, body); err != nil {
			return "", fmt.Errorf("money: the copy of the body from the request's GetBody: %w", err)
		}
	}
	return string(h.Sum(nil)), nil
}
