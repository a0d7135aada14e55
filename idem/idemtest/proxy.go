package idemtest

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
)

// Point is a moment of a request on its way through a [Proxy]. A request is what a client
// sends until it waits: a simple query, or extended messages up to their Sync, such as the
// whole of a batch.
type Point struct {
	// Request counts the requests of all connections from 1.
	Request int
	// Answered is false before the server gets the request, and true when the server has
	// done it and the client has not been told.
	Answered bool
	// SQL is the text of the request's statements, as far as it is known.
	SQL string
	// Commit says that one of the statements is a COMMIT.
	Commit bool
}

// String returns the point in words, such as "after request 3 (COMMIT)".
func (p Point) String() string {
	when := "before"
	if p.Answered {
		when = "after"
	}
	return fmt.Sprintf("%s request %d (%s)", when, p.Request, p.SQL)
}

// Verdict is what a [Proxy] does at a [Point].
type Verdict int

const (
	// Pass hands the request or the answer on.
	Pass Verdict = iota
	// Cut breaks the connection. Before the request the server never gets it; after it the
	// server has done it and the client does not know.
	Cut
)

// Proxy sits between a client and a PostgreSQL server and can break a connection between
// any two messages, so that the client meets what a network does to it, and the server
// really has, or has not, done what was asked. That is why it is no wrapper of a driver:
// it is the same for pgx, database/sql and an ORM above it, and the code under test runs
// as it is.
//
// It does not speak TLS: the server must accept connections without.
type Proxy struct {
	network, address string // the server's
	dsn              string
	hook             func(Point) Verdict
	listener         net.Listener

	mu       sync.Mutex
	requests int
	conns    map[net.Conn]bool
	dead     bool
	serving  sync.WaitGroup
}

// NewProxy starts a proxy in front of the server of dsn, a connection string as pgx takes
// it. hook decides at each point, and may block to hold the request or the answer up; nil
// lets everything pass. It is called from several goroutines.
func NewProxy(dsn string, hook func(Point) Verdict) (*Proxy, error) {
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		return nil, fmt.Errorf("idemtest: the DSN cannot be read: %w", err)
	}
	if hook == nil {
		hook = func(Point) Verdict { return Pass }
	}
	p := &Proxy{network: "tcp", address: net.JoinHostPort(cfg.Host, strconv.Itoa(int(cfg.Port))), hook: hook, conns: map[net.Conn]bool{}}
	if strings.HasPrefix(cfg.Host, "/") {
		p.network, p.address = "unix", filepath.Join(cfg.Host, fmt.Sprintf(".s.PGSQL.%d", cfg.Port))
	}
	if p.listener, err = net.Listen("tcp", "127.0.0.1:0"); err != nil {
		return nil, fmt.Errorf("idemtest: start a proxy: %w", err)
	}
	through := url.URL{Scheme: "postgres", User: url.User(cfg.User), Host: p.listener.Addr().String(), Path: "/" + cfg.Database}
	if cfg.Password != "" {
		through.User = url.UserPassword(cfg.User, cfg.Password)
	}
	params := url.Values{"sslmode": {"disable"}}
	for name, value := range cfg.RuntimeParams {
		params.Set(name, value)
	}
	through.RawQuery = params.Encode()
	p.dsn = through.String()
	p.serving.Go(p.accept)
	return p, nil
}

// DSN returns the connection string that leads through the proxy, a URL.
func (p *Proxy) DSN() string { return p.dsn }

// Requests returns the number of requests so far.
func (p *Proxy) Requests() int {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.requests
}

// Kill breaks all connections and refuses new ones, as the end of a client's process does.
func (p *Proxy) Kill() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
	for conn := range p.conns {
		_ = conn.Close()
	}
}

// Close ends the proxy: it does what Kill does and frees what the proxy holds. It waits
// for hooks to return.
func (p *Proxy) Close() {
	p.Kill()
	_ = p.listener.Close()
	p.serving.Wait()
}

func (p *Proxy) accept() {
	for {
		client, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.serving.Go(func() { p.serve(client) })
	}
}

// track remembers a connection, so that Kill can break it, or closes it when the proxy is
// dead already.
func (p *Proxy) track(conn net.Conn) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		_ = conn.Close()
		return false
	}
	p.conns[conn] = true
	return true
}

func (p *Proxy) untrack(conn net.Conn) {
	p.mu.Lock()
	defer p.mu.Unlock()
	delete(p.conns, conn)
	_ = conn.Close()
}

func (p *Proxy) serve(client net.Conn) {
	if !p.track(client) {
		return
	}
	defer p.untrack(client)
	startup, err := readStartup(client)
	if err != nil {
		return
	}
	server, err := (&net.Dialer{}).DialContext(context.Background(), p.network, p.address)
	if err != nil || !p.track(server) {
		return
	}
	defer p.untrack(server)
	if _, err := server.Write(startup); err != nil {
		return
	}
	l := &link{proxy: p, client: client, server: server, prepared: map[string]string{}}
	var answers sync.WaitGroup
	answers.Go(func() {
		l.answers()
		_ = client.Close()
	})
	l.requests()
	_ = server.Close()
	answers.Wait()
}

// link is one connection of a client and the one to the server that belongs to it.
type link struct {
	proxy          *Proxy
	client, server net.Conn
	prepared       map[string]string // the text of prepared statements, by name

	mu      sync.Mutex
	pending []Point // the requests that the server has and has not answered
	flush   bool    // the client wants answers before its Sync
}

// requests hands the client's messages on, request by request.
func (l *link) requests() {
	in := bufio.NewReader(l.client)
	var request []byte
	var run, prepared []string // the statements
	for {
		message, err := readMessage(in)
		if err != nil {
			return
		}
		request = append(request, message...)
		first, second := twoStrings(message)
		switch message[0] {
		case 'Q':
			run = append(run, first)
		case 'P':
			l.prepared[first] = second
			prepared = append(prepared, "prepare "+second)
		case 'B':
			run = append(run, l.prepared[second])
		}
		switch message[0] {
		case 'Q', 'S', 'F': // a simple query, a Sync, a function call: the client waits
			if len(run) == 0 {
				run = prepared
			}
			if !l.begin(run) {
				return
			}
			run, prepared = nil, nil
		case 'H': // Flush: it waits too, and the request goes on
			l.mu.Lock()
			l.flush = true
			l.mu.Unlock()
		case 'd', 'c', 'f', 'p', 'X': // COPY, a password, the end
		default:
			continue
		}
		if _, err := l.server.Write(request); err != nil {
			return
		}
		request = request[:0]
	}
}

// begin asks the hook before the server gets a request.
func (l *link) begin(texts []string) bool {
	p := l.proxy
	p.mu.Lock()
	p.requests++
	point := Point{Request: p.requests}
	p.mu.Unlock()
	for i, text := range texts {
		texts[i] = brief(text)
		if word := strings.ToUpper(strings.Trim(text, "; \n\t")); word == "COMMIT" || word == "END" {
			point.Commit = true
		}
	}
	point.SQL = strings.Join(texts, "; ")
	if p.hook(point) == Cut {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.pending = append(l.pending, point)
	return true
}

// twoStrings returns the first two strings of a message: the text of a query, the name
// and the text of what is prepared, the portal and the name of what is bound.
func twoStrings(message []byte) (first, second string) {
	parts := bytes.SplitN(message[5:], []byte{0}, 3)
	if len(parts) > 1 {
		second = string(parts[1])
	}
	return string(parts[0]), second
}

// brief cuts a statement to what a failure's description has room for.
func brief(sql string) string {
	sql = strings.Join(strings.Fields(sql), " ")
	if r := []rune(sql); len(r) > 60 {
		return string(r[:60]) + "…"
	}
	return sql
}

// answers hands the server's answers on, each as a whole once the hook was asked.
func (l *link) answers() {
	in := bufio.NewReader(l.server)
	var answer []byte
	for {
		message, err := readMessage(in)
		if err != nil {
			return
		}
		answer = append(answer, message...)
		point, whole, wanted := l.end(message[0])
		if whole && l.proxy.hook(point) == Cut {
			return
		}
		if !wanted {
			continue
		}
		if _, err := l.client.Write(answer); err != nil {
			return
		}
		answer = answer[:0]
	}
}

// end looks at the kind of a message of the server. whole says that it completes the
// answer to the request of point; wanted that the client waits for what has come so far.
func (l *link) end(kind byte) (point Point, whole, wanted bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.pending) == 0 {
		return Point{}, false, true // the startup, a notification, an answer to Flush
	}
	switch kind {
	case 'Z': // ReadyForQuery
		point = l.pending[0]
		point.Answered = true
		l.pending, l.flush = l.pending[1:], false
		return point, true, true
	case 'G', 'W': // the server waits for the data of a COPY
		return Point{}, false, true
	}
	return Point{}, false, l.flush
}

// The codes that stand where a startup message has its version.
const (
	sslRequest    = 80877103
	gssEncRequest = 80877104
)

// maxMessage bounds what a length field is believed.
const maxMessage = 1 << 30

var errLength = errors.New("idemtest: the length of a message makes no sense: is this PostgreSQL's protocol?")

// readStartup reads a client's startup message, and refuses the encryption that it may ask
// for before.
func readStartup(client net.Conn) ([]byte, error) {
	for {
		head := make([]byte, 8)
		if _, err := io.ReadFull(client, head); err != nil {
			return nil, err
		}
		length, code := binary.BigEndian.Uint32(head), binary.BigEndian.Uint32(head[4:])
		if code == sslRequest || code == gssEncRequest {
			if _, err := client.Write([]byte{'N'}); err != nil {
				return nil, err
			}
			continue
		}
		if length < 8 || length > maxMessage {
			return nil, errLength
		}
		message := append(head, make([]byte, length-8)...)
		_, err := io.ReadFull(client, message[8:])
		return message, err
	}
}

// readMessage reads a message: a type, a length and a body.
func readMessage(r io.Reader) ([]byte, error) {
	head := make([]byte, 5)
	if _, err := io.ReadFull(r, head); err != nil {
		return nil, err
	}
	length := binary.BigEndian.Uint32(head[1:])
	if length < 4 || length > maxMessage {
		return nil, errLength
	}
	message := append(head, make([]byte, length-4)...)
	_, err := io.ReadFull(r, message[5:])
	return message, err
}
