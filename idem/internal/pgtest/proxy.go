//go:build unix

package pgtest

import (
	"sync"
	"testing"

	"github.com/idemlint/idemlint/idem/idemtest"
)

// Cut says where a [Proxy] cuts a connection.
type Cut int

const (
	// Whole does not cut.
	Whole Cut = iota
	// BeforeCommit cuts when a COMMIT comes; the server does not get it.
	BeforeCommit
	// AfterCommit hands the COMMIT to the server, waits for its answer, and cuts without
	// handing that on.
	AfterCommit
)

// Proxy is an [idemtest.Proxy] that counts round trips and cuts connections at their
// COMMIT, by a plan.
type Proxy struct {
	mu    sync.Mutex
	cuts  []Cut
	after map[int]bool // the requests whose answers are cut off
	trips int
}

// NewProxy starts a proxy in front of the server of dsn and returns it with the
// connection string that leads through it. It ends with the test.
func NewProxy(t testing.TB, dsn string) (*Proxy, string) {
	t.Helper()
	p := &Proxy{after: make(map[int]bool)}
	wire, err := idemtest.NewProxy(dsn, p.decide)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(wire.Close)
	return p, wire.DSN()
}

// Plan says what happens to the next COMMITs, one after the other; later ones pass.
func (p *Proxy) Plan(cuts ...Cut) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.cuts = cuts
}

// Trips returns the number of round trips since the last call: how often a client waited
// for the server.
func (p *Proxy) Trips() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	n := p.trips
	p.trips = 0
	return n
}

// decide counts a request and carries the plan out.
func (p *Proxy) decide(at idemtest.Point) idemtest.Verdict {
	p.mu.Lock()
	defer p.mu.Unlock()
	if at.Answered {
		if p.after[at.Request] {
			return idemtest.Cut
		}
		return idemtest.Pass
	}
	p.trips++
	if at.Commit && len(p.cuts) > 0 {
		cut := p.cuts[0]
		p.cuts = p.cuts[1:]
		p.after[at.Request] = cut == AfterCommit
		if cut == BeforeCommit {
			return idemtest.Cut
		}
	}
	return idemtest.Pass
}
