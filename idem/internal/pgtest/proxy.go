//go:build unix

package pgtest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"
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

// Proxy sits between a client and a PostgreSQL server, counts round trips and cuts
// connections at their COMMIT.
type Proxy struct {
	network, address string // the server's
	dir              string

	mu    sync.Mutex
	cuts  []Cut
	trips int
}

// NewProxy starts a proxy in front of the server of dsn and returns it with the
// connection string that leads through it. It ends with the test.
func NewProxy(t testing.TB, dsn string) (*Proxy, string) {
	t.Helper()
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{network: "tcp", address: net.JoinHostPort(cfg.Host, fmt.Sprint(cfg.Port))}
	if strings.HasPrefix(cfg.Host, "/") {
		p.network, p.address = "unix", filepath.Join(cfg.Host, fmt.Sprintf(".s.PGSQL.%d", cfg.Port))
	}
	if p.dir, err = os.MkdirTemp("", "px"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(p.dir) })
	listener, err := net.Listen("unix", filepath.Join(p.dir, ".s.PGSQL.5432"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			go p.serve(client)
		}
	}()
	through := fmt.Sprintf("host=%s port=5432 user=%s dbname=%s sslmode=disable", p.dir, cfg.User, cfg.Database)
	if cfg.Password != "" {
		through += " password='" + cfg.Password + "'"
	}
	return p, through
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

func (p *Proxy) next() Cut {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.cuts) == 0 {
		return Whole
	}
	cut := p.cuts[0]
	p.cuts = p.cuts[1:]
	return cut
}

// serve copies one connection, message by message in the client's direction.
func (p *Proxy) serve(client net.Conn) {
	defer func() { _ = client.Close() }()
	server, err := net.Dial(p.network, p.address)
	if err != nil {
		return
	}
	defer func() { _ = server.Close() }()
	answers := &answers{to: client, ready: make(chan struct{})}
	go func() {
		_, _ = io.Copy(answers, server)
		answers.end()
		_ = client.Close()
	}()
	startup, err := read(client, true)
	if err != nil {
		return
	}
	if _, err := server.Write(startup); err != nil {
		return
	}
	commits := map[string]bool{} // prepared statements that are a COMMIT
	for pending := Whole; ; {
		message, err := read(client, false)
		if err != nil {
			return
		}
		if isCommit(message, commits) {
			pending = p.next()
			if pending == BeforeCommit {
				return
			}
			if pending == AfterCommit {
				answers.swallow()
			}
		}
		if _, err := server.Write(message); err != nil {
			return
		}
		if message[0] == 'S' || message[0] == 'Q' { // Sync and simple query end a trip
			p.mu.Lock()
			p.trips++
			p.mu.Unlock()
			if pending == AfterCommit {
				<-answers.ready
				return
			}
		}
	}
}

// isCommit recognizes a COMMIT as a simple query and as the execution of a prepared one,
// whose names it collects.
func isCommit(message []byte, prepared map[string]bool) bool {
	body := message[5:]
	first, rest, _ := bytes.Cut(body, []byte{0})
	switch message[0] {
	case 'Q':
		return strings.EqualFold(string(first), "commit")
	case 'P': // the name, the text
		text, _, _ := bytes.Cut(rest, []byte{0})
		prepared[string(first)] = strings.EqualFold(string(text), "commit")
	case 'B': // the portal, the statement's name
		name, _, _ := bytes.Cut(rest, []byte{0})
		return prepared[string(name)]
	}
	return false
}

// answers hands the server's answers to the client, until they are to be swallowed: then
// it waits for ReadyForQuery in their place.
type answers struct {
	mu    sync.Mutex
	to    io.Writer
	gone  bool
	tail  []byte
	once  sync.Once
	ready chan struct{} // closed by ReadyForQuery, or when the server has gone
}

func (a *answers) swallow() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.gone = true
}

func (a *answers) end() { a.once.Do(func() { close(a.ready) }) }

func (a *answers) Write(b []byte) (int, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.gone {
		return a.to.Write(b)
	}
	a.tail = append(a.tail, b...)
	if n := len(a.tail); n >= 6 && a.tail[n-6] == 'Z' {
		a.end()
	}
	return len(b), nil
}

// read reads one message of the client: a type, which the startup has not, a length and a
// body.
func read(r io.Reader, startup bool) ([]byte, error) {
	head := make([]byte, 5)
	if startup {
		head = head[:4]
	}
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	length := int(binary.BigEndian.Uint32(head[len(head)-4:]))
	message := make([]byte, len(head)-4+length)
	copy(message, head)
	_, err := io.ReadFull(r, message[len(head):])
	return message, err
}
