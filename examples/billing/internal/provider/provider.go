// Package provider is a payment provider to try the service with: it answers over HTTP,
// keeps to its part of the Idempotency-Key, and loses answers on the way.
package provider

import (
	"io"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"sync"
)

// Provider charges and refunds. A request under a key that it knows changes nothing and
// gets the answer of the first one; a request without a key is done each time.
type Provider struct {
	server *httptest.Server
	lose   func(request int) bool

	mu    sync.Mutex
	known map[string]string // the body, by path and key
	count Count
}

// Count is what a provider has done.
type Count struct {
	// Requests is the number of requests, Lost that of those that were done and whose
	// answer was lost, Keyless of those without a key, Refused of those whose key had come
	// with another body.
	Requests, Lost, Keyless, Refused int
	// Charges and Refunds count what was done, by the body of the request.
	Charges, Refunds map[string]int
}

// Start starts a provider. lose says of each request, counted from 1, whether its answer
// is lost after it was done; it may be nil, and is called for one request at a time.
func Start(lose func(request int) bool) *Provider {
	if lose == nil {
		lose = func(int) bool { return false }
	}
	p := &Provider{lose: lose, known: map[string]string{}, count: Count{Charges: map[string]int{}, Refunds: map[string]int{}}}
	mux := http.NewServeMux()
	mux.HandleFunc("POST /charges", p.serve(p.count.Charges))
	mux.HandleFunc("POST /refunds", p.serve(p.count.Refunds))
	p.server = httptest.NewServer(mux)
	return p
}

// URL returns the address.
func (p *Provider) URL() string { return p.server.URL }

// Close stops the provider.
func (p *Provider) Close() {
	p.server.CloseClientConnections()
	p.server.Close()
}

// Count returns what was done so far.
func (p *Provider) Count() Count {
	p.mu.Lock()
	defer p.mu.Unlock()
	count := p.count
	count.Charges, count.Refunds = maps.Clone(p.count.Charges), maps.Clone(p.count.Refunds)
	return count
}

func (p *Provider) serve(done map[string]int) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return // the request broke off, and nothing is done
		}
		same, lost := p.do(done, r.URL.Path, r.Header.Get("Idempotency-Key"), string(body))
		switch {
		case !same:
			w.WriteHeader(http.StatusUnprocessableEntity)
		case lost:
			reset(w)
		default:
			w.WriteHeader(http.StatusOK)
			_, _ = w.Write([]byte(`{"status":"succeeded"}`))
		}
	}
}

// do does a request unless it was done before. same is false when the key came with
// another body.
func (p *Provider) do(done map[string]int, path, key, body string) (same, lost bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.count.Requests++
	if key == "" {
		p.count.Keyless++
		done[body]++
	} else if before, ok := p.known[path+" "+key]; !ok {
		p.known[path+" "+key] = body
		done[body]++
	} else if before != body {
		p.count.Refused++
		return false, false
	}
	if lost = p.lose(p.count.Requests); lost {
		p.count.Lost++
	}
	return true, lost
}

// reset answers 200 and resets the connection before the answer is complete.
func reset(w http.ResponseWriter) {
	w.Header().Set("Content-Length", "100")
	w.WriteHeader(http.StatusOK)
	control := http.NewResponseController(w)
	_ = control.Flush()
	conn, _, err := control.Hijack()
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	if tcp, ok := conn.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = conn.Close()
}
