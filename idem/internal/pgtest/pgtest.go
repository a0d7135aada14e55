//go:build unix

// Package pgtest gives tests a real PostgreSQL: one private server for a test binary,
// started from the machine's binaries at first use, and a database for each test.
package pgtest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/idemlint/idemlint/idem/internal/childproc"
)

// DSNVariable is the environment variable that names a server to use instead of a private
// one, as a connection string. Its user must be allowed to create databases.
const DSNVariable = "IDEM_TEST_DSN"

// Main runs the tests of a binary and stops the server that they used. Every TestMain of
// a package that uses this one is: func TestMain(m *testing.M) { pgtest.Main(m) }.
func Main(m *testing.M, more ...func()) {
	code := m.Run()
	for _, stop := range more {
		stop()
	}
	if shared != nil {
		shared.Close()
	}
	os.Exit(code)
}

var (
	once      sync.Once
	shared    *Server
	errShared error
	databases atomic.Int64
)

// Database creates an empty database on the binary's server and returns a connection
// string for it. On a server that is not the binary's own, it is dropped after the test.
func Database(t testing.TB) string {
	t.Helper()
	base := os.Getenv(DSNVariable)
	if base == "" {
		once.Do(func() { shared, errShared = Start() })
		if errShared != nil {
			t.Fatal(errShared)
		}
		base = shared.DSN()
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, base)
	if err != nil {
		t.Fatalf("connect to the test server: %v", err)
	}
	defer func() { _ = conn.Close(ctx) }()
	name := fmt.Sprintf("idem_test_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	if shared == nil {
		t.Cleanup(func() {
			conn, err := pgx.Connect(ctx, base)
			if err != nil {
				t.Errorf("drop database %s: %v", name, err)
				return
			}
			defer func() { _ = conn.Close(ctx) }()
			if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
				t.Error(err)
			}
		})
	}
	return withDatabase(t, base, name)
}

// withDatabase returns the connection string dsn for another database.
func withDatabase(t testing.TB, dsn, database string) string {
	t.Helper()
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	parts := []string{fmt.Sprintf("host=%s port=%d user=%s dbname=%s sslmode=disable", cfg.Host, cfg.Port, cfg.User, database)}
	if cfg.Password != "" {
		quoted := strings.NewReplacer(`\`, `\\`, `'`, `\'`).Replace(cfg.Password)
		parts = append(parts, "password='"+quoted+"'")
	}
	return strings.Join(parts, " ")
}

// Pool connects to dsn until the test ends.
func Pool(t testing.TB, dsn string) *pgxpool.Pool {
	t.Helper()
	pool, err := pgxpool.New(context.Background(), dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	return pool
}

// Server is a private PostgreSQL. Its data stays over Stop and Restart.
type Server struct {
	dir, bin string
	attr     *syscall.SysProcAttr
	cmd      *exec.Cmd
	unwatch  func()
	log      bytes.Buffer
}

// Start makes a new cluster with the options given, such as "fsync=on", and starts its
// server. The caller closes it; the one that Database uses is Main's business.
func Start(options ...string) (*Server, error) {
	bin, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pg") // the path of a socket must be short
	if err != nil {
		return nil, err
	}
	s := &Server{dir: dir, bin: bin}
	if err := s.init(options); err != nil {
		s.Close()
		return nil, err
	}
	return s, nil
}

func (s *Server) init(options []string) error {
	var err error
	if s.attr, err = childproc.Unprivileged(s.dir); err != nil {
		return err
	}
	initdb := exec.Command(filepath.Join(s.bin, "initdb"), "-D", s.data(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N", "--no-instructions")
	initdb.Dir, initdb.SysProcAttr = s.dir, s.attr
	if out, err := initdb.CombinedOutput(); err != nil {
		return fmt.Errorf("pgtest: initdb: %w\n%s", err, out)
	}
	settings := append([]string{
		"unix_socket_directories='" + s.dir + "'", "listen_addresses=''", "fsync=off",
		"full_page_writes=off", "synchronous_commit=off", "shared_buffers=32MB", "max_connections=60",
	}, options...)
	conf, err := os.OpenFile(filepath.Join(s.data(), "postgresql.conf"), os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	_, err = conf.WriteString("\n" + strings.Join(settings, "\n") + "\n")
	if err := errors.Join(err, conf.Close()); err != nil {
		return err
	}
	return s.Restart()
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

// DSN returns the connection string of the server's own database.
func (s *Server) DSN() string { return "host=" + s.dir + " user=postgres dbname=postgres" }

// Stop ends the server: at once, as a crash does, or after a clean shutdown that breaks
// the open connections.
func (s *Server) Stop(crash bool) {
	if s.cmd == nil {
		return
	}
	sig := syscall.SIGINT
	if crash {
		sig = syscall.SIGQUIT
	}
	s.unwatch()
	_ = s.cmd.Process.Signal(sig)
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Restart starts the server that was stopped, and waits until it answers.
func (s *Server) Restart() error {
	s.Stop(false)
	s.log.Reset()
	s.cmd = exec.Command(filepath.Join(s.bin, "postgres"), "-D", s.data())
	s.cmd.Dir, s.cmd.SysProcAttr = s.dir, s.attr
	s.cmd.Stderr = &s.log
	if err := s.cmd.Start(); err != nil {
		s.cmd = nil
		return err
	}
	unwatch, err := childproc.Watch(s.cmd.Process.Pid, s.dir)
	if err != nil {
		s.unwatch = func() {}
		s.Stop(true)
		return err
	}
	s.unwatch = unwatch
	for deadline := time.Now().Add(30 * time.Second); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(context.Background(), s.DSN()); err == nil {
			return conn.Close(context.Background())
		}
	}
	s.Stop(true)
	return fmt.Errorf("pgtest: the server does not answer: %w\n%s", err, s.log.String())
}

// Close stops the server and removes its data.
func (s *Server) Close() {
	s.Stop(true)
	_ = os.RemoveAll(s.dir)
}

// binaries returns the directory of the newest PostgreSQL on the machine.
func binaries() (string, error) {
	var found []string
	for _, pattern := range []string{"/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql@*/bin", "/usr/local/opt/postgresql@*/bin"} {
		dirs, _ := filepath.Glob(pattern)
		found = append(found, dirs...)
	}
	if len(found) > 0 {
		return slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) }), nil
	}
	if path, err := exec.LookPath("initdb"); err == nil {
		return filepath.Dir(path), nil
	}
	install := "apt-get install postgresql"
	if runtime.GOOS == "darwin" {
		install = "brew install postgresql@17"
	}
	return "", fmt.Errorf("pgtest: there is no PostgreSQL on this machine; install one with %q, or name a server in %s", install, DSNVariable)
}

// version is the number in a path such as /usr/lib/postgresql/15/bin.
func version(dir string) int {
	digits := strings.TrimFunc(filepath.Dir(dir), func(r rune) bool { return r < '0' || r > '9' })
	n, _ := strconv.Atoi(digits)
	return n
}
