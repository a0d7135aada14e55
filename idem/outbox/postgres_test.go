package outbox_test

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"
)

// server is the PostgreSQL of this test binary, started by the first test that wants it.
var server struct {
	once sync.Once
	dsn  string
	err  error
	stop func()
}

var databases atomic.Int64

// newDatabase makes an empty database and returns its DSN. IDEM_TEST_DSN names another
// server than one of the test's own.
func newDatabase(t *testing.T) string {
	t.Helper()
	server.once.Do(func() {
		if server.dsn = os.Getenv("IDEM_TEST_DSN"); server.dsn == "" {
			server.dsn, server.stop, server.err = startPostgres()
		}
	})
	if server.err != nil {
		t.Fatal(server.err)
	}
	ctx := context.Background()
	conn, err := pgx.Connect(ctx, server.dsn)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = conn.Close(ctx) }()
	name := fmt.Sprintf("outbox_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if server.stop != nil {
			return // it goes with its server, and faster
		}
		conn, err := pgx.Connect(ctx, server.dsn)
		if err != nil {
			t.Error(err)
			return
		}
		defer func() { _ = conn.Close(ctx) }()
		if _, err := conn.Exec(ctx, "DROP DATABASE "+name+" WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
	cfg, err := pgx.ParseConfig(server.dsn)
	if err != nil {
		t.Fatal(err)
	}
	dsn := fmt.Sprintf("host=%s port=%d user=%s dbname=%s", cfg.Host, cfg.Port, cfg.User, name)
	if cfg.Password != "" {
		dsn += " password=" + cfg.Password
	}
	return dsn
}

func open(t *testing.T, dsn string) *sql.DB {
	t.Helper()
	cfg, err := pgx.ParseConfig(dsn)
	if err != nil {
		t.Fatal(err)
	}
	db := stdlib.OpenDB(*cfg)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// startPostgres runs a server with a socket in a directory of its own. The server belongs
// to a shell that ends it, and removes the directory, when its standard input closes: so
// neither outlives this process, however that ends.
func startPostgres() (dsn string, stop func(), err error) {
	bin, err := binaries()
	if err != nil {
		return "", nil, err
	}
	dir, err := os.MkdirTemp("", "pg") // short, as the path of a socket must be
	if err != nil {
		return "", nil, err
	}
	attr := &syscall.SysProcAttr{}
	if os.Geteuid() == 0 { // PostgreSQL does not run as root
		uid, gid, err := unprivileged()
		if err != nil {
			return "", nil, err
		}
		if err := os.Chown(dir, uid, gid); err != nil {
			return "", nil, err
		}
		attr.Credential = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	}
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", dir+"/d", "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N", "--no-instructions")
	initdb.Dir, initdb.SysProcAttr = dir, attr
	if out, err := initdb.CombinedOutput(); err != nil {
		return "", nil, fmt.Errorf("initdb: %w\n%s", err, out)
	}
	const script = `"$0" "$@" >log 2>&1 </dev/null & cat >/dev/null; kill -QUIT $!; wait $!; rm -rf "$PWD"`
	shell := exec.Command("/bin/sh", "-c", script, filepath.Join(bin, "postgres"), "-D", dir+"/d", "-k", dir, "-h", "", "-F",
		"-c", "full_page_writes=off", "-c", "synchronous_commit=off", "-c", "shared_buffers=16MB")
	shell.Dir, shell.SysProcAttr = dir, attr
	stdin, err := shell.StdinPipe()
	if err != nil {
		return "", nil, err
	}
	if err := shell.Start(); err != nil {
		return "", nil, err
	}
	stop = func() {
		_ = stdin.Close()
		_ = shell.Wait()
		_ = os.RemoveAll(dir)
	}
	dsn = "host=" + dir + " port=5432 user=postgres dbname=postgres"
	for range 3000 {
		var conn *pgx.Conn
		if conn, err = pgx.Connect(context.Background(), dsn); err == nil {
			return dsn, stop, conn.Close(context.Background())
		}
		time.Sleep(10 * time.Millisecond)
	}
	log, _ := os.Open(dir + "/log")
	out, _ := io.ReadAll(log)
	stop()
	return "", nil, fmt.Errorf("the server does not answer: %w\n%s", err, out)
}

func binaries() (string, error) {
	if path, err := exec.LookPath("postgres"); err == nil {
		return filepath.Dir(path), nil
	}
	found, _ := filepath.Glob("/usr/lib/postgresql/*/bin/postgres")
	if len(found) == 0 {
		return "", fmt.Errorf("no PostgreSQL server is installed: apt-get install postgresql, or set IDEM_TEST_DSN")
	}
	return filepath.Dir(found[len(found)-1]), nil
}

func unprivileged() (uid, gid int, err error) {
	for _, name := range []string{"postgres", "nobody"} {
		var u *user.User
		if u, err = user.Lookup(name); err != nil {
			continue
		}
		if uid, err = strconv.Atoi(u.Uid); err != nil {
			continue
		}
		if gid, err = strconv.Atoi(u.Gid); err == nil {
			return uid, gid, nil
		}
	}
	return 0, 0, fmt.Errorf("no user to run PostgreSQL as: %w", err)
}
