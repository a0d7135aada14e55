package outbox_test

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
)

// fault is what goes wrong with one request to the provider.
type fault int

const (
	none           fault = iota
	chargedReset         // it charges, and the connection breaks before the answer
	lostReset            // the connection breaks before it charges
	conflict             // 409, an attempt under the key is still at work
	errorBefore          // 500, nothing was done
	errorAfter           // 500, although it charged
	faults               // how many there are
	chargedAndKill       // it charges, and the sender dies before the answer
	lostAndKill          // the sender dies before it charges
	answerAndKill        // it charges and answers, and the sender dies about then
)

// provider is a payment provider that keeps to its part: it charges once for each key, and
// answers 422 to a key that comes with another body. The body says who is charged.
type provider struct {
	*httptest.Server
	// fault chooses what goes wrong with a request, given how many were made for the body.
	fault func(n int) fault
	// kill ends the sender.
	kill func()

	mu       sync.Mutex
	bodies   map[string]string // by key
	charges  map[string]int    // by body
	requests map[string]int    // by body
	seen     map[fault]int
	keyless  int
}

func newProvider(t *testing.T, choose func(n int) fault) *provider {
	t.Helper()
	p := &provider{
		fault:  choose,
		bodies: map[string]string{}, charges: map[string]int{}, requests: map[string]int{}, seen: map[fault]int{},
	}
	p.Server = httptest.NewServer(http.HandlerFunc(p.serve))
	t.Cleanup(p.Close)
	return p
}

// upTo lets each of the first n requests for a body fail in one of the ways, by chance.
func upTo(n int, ways ...fault) func(int) fault {
	r := rand.New(rand.NewPCG(1, 2))
	return func(seen int) fault {
		if seen >= n {
			return none
		}
		return ways[r.IntN(len(ways))]
	}
}

// anyFault is every fault that leaves the sender alive.
func anyFault() (ways []fault) {
	for f := range faults {
		ways = append(ways, f)
	}
	return ways
}

func (p *provider) serve(w http.ResponseWriter, r *http.Request) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	body, key := string(b), r.Header.Get("Idempotency-Key")
	f := p.fault(p.requests[body])
	p.requests[body]++
	p.seen[f]++
	if key == "" {
		p.keyless++
	}
	if before, known := p.bodies[key]; known && before != body {
		w.WriteHeader(http.StatusUnprocessableEntity)
		return
	}
	switch f {
	case lostReset:
		panic(http.ErrAbortHandler)
	case lostAndKill:
		p.kill()
		panic(http.ErrAbortHandler)
	case conflict:
		w.WriteHeader(http.StatusConflict)
		return
	case errorBefore:
		w.WriteHeader(http.StatusInternalServerError)
		return
	}
	if _, known := p.bodies[key]; !known {
		p.bodies[key] = body
		p.charges[body]++
	}
	switch f {
	case chargedReset:
		panic(http.ErrAbortHandler)
	case chargedAndKill:
		p.kill()
		panic(http.ErrAbortHandler)
	case errorAfter:
		w.WriteHeader(http.StatusInternalServerError)
	case answerAndKill:
		w.WriteHeader(http.StatusOK)
		_ = http.NewResponseController(w).Flush()
		p.kill()
	}
}

// chargedOnce returns an error unless each body was charged exactly once, and nothing else
// was.
func (p *provider) chargedOnce(bodies []string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, body := range bodies {
		if n := p.charges[body]; n != 1 {
			return fmt.Errorf("%s was charged %d times", body, n)
		}
	}
	if len(p.charges) != len(bodies) {
		return fmt.Errorf("%d bodies were charged, want %d", len(p.charges), len(bodies))
	}
	if p.keyless > 0 {
		return fmt.Errorf("%d requests came without a key", p.keyless)
	}
	return nil
}

func (p *provider) count(f fault) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.seen[f]
}
