//go:build unix

// Package pglocal starts a private PostgreSQL from the machine's binaries, for a test or an
// example that needs a server of its own: one that can be stopped in the middle of its
// work. Where the process is root's, the server runs as user nobody.
package pglocal

import (
	"fmt"

	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

// Server is a private PostgreSQL. Its data stays over Stop and Restart, and goes with
// Close, or when the process that started it ends.
type Server struct{ server *pgtest.Server }

// Start makes a new, empty cluster and starts its server, which listens on a socket in a
// directory of its own and writes nothing through to the disk. options are lines of
// postgresql.conf, such as "synchronous_commit=on" for a server whose crash shall lose no
// transaction. Where PostgreSQL is not installed, the error says how to.
func Start(options ...string) (*Server, error) {
	server, err := pgtest.Start(options...)
	if err != nil {
		return nil, fmt.Errorf("pglocal: %w", err)
	}
	return &Server{server}, nil
}

// DSN returns the connection string of the database postgres on the server.
func (s *Server) DSN() string { return s.server.DSN() }

// Stop ends the server and breaks its connections: at once, as a crash does, or after a
// clean shutdown.
func (s *Server) Stop(crash bool) { s.server.Stop(crash) }

// Restart starts the server that was stopped, and returns once it takes connections. A
// running one is stopped first, cleanly.
func (s *Server) Restart() error { return s.server.Restart() }

// Close stops the server and removes its data.
func (s *Server) Close() { s.server.Close() }
