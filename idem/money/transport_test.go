package money_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/money"
)

// recorder is a server that notes "METHOD path key" of each request.
func recorder(t *testing.T, header string) (*httptest.Server, *[]string) {
	t.Helper()
	var got []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = append(got, r.Method+" "+r.URL.Path+" "+strings.Join(r.Header.Values(header), "|"))
		switch r.URL.Path {
		case "/moved":
			http.Redirect(w, r, "/charges", http.StatusTemporaryRedirect)
		case "/done":
			http.Redirect(w, r, "/receipt", http.StatusSeeOther)
		}
	}))
	t.Cleanup(server.Close)
	return server, &got
}

func do(ctx context.Context, t *testing.T, client *http.Client, method, url, body string, header ...string) error {
	t.Helper()
	req, err := http.NewRequestWithContext(ctx, method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(header); i += 2 {
		req.Header.Add(header[i], header[i+1])
	}
	before := req.Header.Clone()
	resp, err := client.Do(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	for name := range req.Header {
		if !slices.Equal(req.Header[name], before[name]) {
			t.Errorf("the caller's request was changed: %s", name)
		}
	}
	return err
}

func TestTransportSetsTheKey(t *testing.T) {
	for _, tt := range []struct {
		name      string
		transport money.Transport
		header    string
		want      string
	}{
		{"as it is", money.Transport{}, "Idempotency-Key", key},
		{"another name", money.Transport{Header: "paypal-request-id"}, "PayPal-Request-Id", key},
		{"quoted", money.Transport{Quoted: true}, "Idempotency-Key", `"` + key + `"`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server, got := recorder(t, tt.header)
			client := &http.Client{Transport: &tt.transport}
			// A second delivery, and a request that has the same key already.
			for _, header := range [][]string{nil, nil, {tt.header, tt.want}} {
				if err := do(charging(eventID), t, client, "POST", server.URL+"/charges", "9", header...); err != nil {
					t.Fatal(err)
				}
			}
			want := "POST /charges " + tt.want
			if !slices.Equal(*got, []string{want, want, want}) {
				t.Fatalf("the server got %q, want thrice %q", *got, want)
			}
		})
	}
}

func TestTransportKeepsTheKeyOverRedirects(t *testing.T) {
	server, got := recorder(t, "Idempotency-Key")
	client := &http.Client{Transport: &money.Transport{}}
	ctx := charging(eventID)
	for _, path := range []string{"/moved", "/moved"} {
		if err := do(ctx, t, client, "POST", server.URL+path, "9"); err != nil {
			t.Fatal(err)
		}
	}
	if err := do(charging(eventID), t, client, "POST", server.URL+"/done", "9"); err != nil {
		t.Fatal(err)
	}
	want := []string{
		"POST /moved " + key, "POST /charges " + key,
		"POST /moved " + key, "POST /charges " + key,
		"POST /done " + key, "GET /receipt ",
	}
	if !slices.Equal(*got, want) {
		t.Fatalf("the server got %q, want %q", *got, want)
	}
}

func TestTransportWhatCounts(t *testing.T) {
	server, got := recorder(t, "Idempotency-Key")
	client := &http.Client{Transport: &money.Transport{}}
	for _, method := range []string{"GET", "HEAD", "OPTIONS"} {
		if err := do(context.Background(), t, client, method, server.URL, ""); err != nil {
			t.Errorf("%s outside an event: %v", method, err)
		}
	}
	for _, method := range []string{"POST", "PUT", "PATCH", "DELETE", "CHARGE"} {
		if err := do(context.Background(), t, client, method, server.URL, ""); !errors.Is(err, money.ErrNoEvent) {
			t.Errorf("%s outside an event: %v", method, err)
		}
	}
	if len(*got) != 3 {
		t.Errorf("the server got %q", *got)
	}
	*got = nil
	client.Transport = &money.Transport{Counts: func(r *http.Request) bool { return r.URL.Path != "/token" }}
	if err := do(charging(eventID), t, client, "POST", server.URL+"/token", ""); err != nil {
		t.Error(err)
	}
	if err := do(charging(eventID), t, client, "GET", server.URL+"/charge", ""); err != nil {
		t.Error(err)
	}
	if want := []string{"POST /token ", "GET /charge " + key}; !slices.Equal(*got, want) {
		t.Errorf("the server got %q, want %q", *got, want)
	}
}

func TestTransportRefuses(t *testing.T) {
	event := idem.WithEvent(context.Background(), idem.Event{ID: eventID, Group: "billing"})
	for _, tt := range []struct {
		name   string
		ctx    context.Context
		header []string
		want   error
	}{
		{"no event", money.WithStep(context.Background(), "charge"), nil, money.ErrNoEvent},
		{"no step", event, nil, money.ErrNoStep},
		{"too old", charging("017d0000-0000-7000-8000-000000000000"), nil, money.ErrWindowPassed},
		{"age unknown", charging("order-1"), nil, money.ErrAgeUnknown},
		{"another key", charging(eventID), []string{"Idempotency-Key", "random"}, money.ErrOtherKey},
		{"the key and another", charging(eventID), []string{"Idempotency-Key", key, "Idempotency-Key", "random"}, money.ErrOtherKey},
		{"an empty key", charging(eventID), []string{"Idempotency-Key", ""}, money.ErrOtherKey},
		{"the key in other quotes", charging(eventID), []string{"Idempotency-Key", `"` + key + `"`}, money.ErrOtherKey},
	} {
		t.Run(tt.name, func(t *testing.T) {
			server, got := recorder(t, "Idempotency-Key")
			transport := &money.Transport{Guard: money.Guard{Window: time.Hour, Now: func() time.Time { return born }}}
			err := do(tt.ctx, t, &http.Client{Transport: transport}, "POST", server.URL, "9", tt.header...)
			var refused *money.RefusedError
			if !errors.Is(err, tt.want) || !errors.As(err, &refused) {
				t.Errorf("the error is %v, want a RefusedError of %v", err, tt.want)
			}
			if len(*got) != 0 {
				t.Errorf("the server got %q", *got)
			}
		})
	}
}

func TestTransportStepReused(t *testing.T) {
	server, got := recorder(t, "Idempotency-Key")
	other, _ := recorder(t, "Idempotency-Key")
	client := &http.Client{Transport: &money.Transport{}}
	ctx := charging(eventID)
	for _, tt := range []struct {
		name, method, url, body string
		want                    error
	}{
		{"first", "POST", server.URL + "/charges?a=1", "9", nil},
		{"retry", "POST", server.URL + "/charges?a=1", "9", nil},
		{"retry at the other host", "POST", other.URL + "/charges?a=1", "9", nil},
		{"another body", "POST", server.URL + "/charges?a=1", "10", money.ErrStepReused},
		{"another path", "POST", server.URL + "/refunds?a=1", "9", money.ErrStepReused},
		{"another query", "POST", server.URL + "/charges?a=2", "9", money.ErrStepReused},
		{"another method", "PUT", server.URL + "/charges?a=1", "9", money.ErrStepReused},
	} {
		if err := do(ctx, t, client, tt.method, tt.url, tt.body); !errors.Is(err, tt.want) {
			t.Errorf("%s: %v, want %v", tt.name, err, tt.want)
		}
	}
	if len(*got) != 2 {
		t.Errorf("the server got %q", *got)
	}
}

// body is a request body that knows whether it was read and closed.
type body struct {
	read, closed bool
}

func (b *body) Read([]byte) (int, error) { b.read = true; return 0, io.EOF }
func (b *body) Close() error             { b.closed = true; return nil }

func TestTransportClosesTheBodyOnRefusal(t *testing.T) {
	var b body
	req, err := http.NewRequestWithContext(context.Background(), "POST", "http://provider.invalid/", &b)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&money.Transport{}).RoundTrip(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, money.ErrNoEvent) || !b.closed || b.read {
		t.Fatalf("error %v, body closed %t, read %t", err, b.closed, b.read)
	}
	// Without a body there is nothing to close.
	req, err = http.NewRequestWithContext(context.Background(), "POST", "http://provider.invalid/", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err = (&money.Transport{}).RoundTrip(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, money.ErrNoEvent) {
		t.Fatal(err)
	}
}

// A body that cannot be read twice is sent, not consumed by the comparison.
func TestTransportStreamsABody(t *testing.T) {
	var got string
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		b, _ := io.ReadAll(r.Body)
		got = string(b) + " " + r.Header.Get("Idempotency-Key")
	}))
	defer server.Close()
	req, err := http.NewRequestWithContext(charging(eventID), "POST", server.URL, io.MultiReader(strings.NewReader("nine")))
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: &money.Transport{}}).Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if got != "nine "+key {
		t.Fatalf("the server got %q", got)
	}
}

func TestTransportGetBodyFails(t *testing.T) {
	var b body
	req, err := http.NewRequestWithContext(charging(eventID), "POST", "http://provider.invalid/", &b)
	if err != nil {
		t.Fatal(err)
	}
	broken := errors.New("file is gone")
	req.GetBody = func() (io.ReadCloser, error) { return nil, broken }
	resp, err := (&money.Transport{}).RoundTrip(req)
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, broken) || !b.closed {
		t.Fatalf("error %v, body closed %t", err, b.closed)
	}
}

type idleCloser struct {
	http.RoundTripper
	closed bool
}

func (c *idleCloser) CloseIdleConnections() { c.closed = true }

func TestTransportClosesIdleConnections(t *testing.T) {
	var base idleCloser
	(&http.Client{Transport: &money.Transport{Base: &base}}).CloseIdleConnections()
	if !base.closed {
		t.Fatal("the base's idle connections stay open")
	}
	// A base without the method.
	(&http.Client{Transport: &money.Transport{Base: http.NewFileTransport(http.Dir("."))}}).CloseIdleConnections()
}
