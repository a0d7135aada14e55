//go:build unix

// Package mysqltest gives tests a real MariaDB: one private server for a test binary,
// started from the machine's binaries at first use, and a database for each test.
package mysqltest

import (
	"bytes"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/idemlint/idemlint/idem/internal/childproc"
)

// DSNVariable is the environment variable that names a server to use instead of a private
// one, as a DSN of go-sql-driver. Its user must be allowed to create databases.
const DSNVariable = "IDEM_TEST_MYSQL_DSN"

var (
	once      sync.Once
	stop      = func() {}
	base      *mysql.Config
	errStart  error
	databases atomic.Int64
)

// Stop ends the private server, if there is one: for TestMain.
func Stop() { stop() }

// Database creates an empty database and returns the settings to connect to it. The
// database goes with the test.
func Database(t testing.TB) *mysql.Config {
	t.Helper()
	once.Do(func() { base, errStart = start() })
	if errStart != nil {
		t.Fatal(errStart)
	}
	db := Open(t, base)
	name := fmt.Sprintf("idem_test_%d_%d", os.Getpid(), databases.Add(1))
	if _, err := db.Exec("CREATE DATABASE " + name); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _, _ = db.Exec("DROP DATABASE " + name) })
	cfg := base.Clone()
	cfg.DBName = name
	return cfg
}

// Open connects until the test ends.
func Open(t testing.TB, cfg *mysql.Config) *sql.DB {
	t.Helper()
	db, err := sql.Open("mysql", cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func start() (*mysql.Config, error) {
	if dsn := os.Getenv(DSNVariable); dsn != "" {
		return mysql.ParseDSN(dsn)
	}
	server, install, err := binaries()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "my") // the path of a socket must be short
	if err != nil {
		return nil, err
	}
	stop = func() { _ = os.RemoveAll(dir) }
	attr, err := childproc.Unprivileged(dir)
	if err != nil {
		return nil, err
	}
	data := "--datadir=" + filepath.Join(dir, "data")
	initialize := exec.Command(install, "--no-defaults", data, "--auth-root-authentication-method=normal", "--skip-test-db")
	initialize.Dir, initialize.SysProcAttr = dir, attr
	if out, err := initialize.CombinedOutput(); err != nil {
		return nil, fmt.Errorf("mysqltest: %s: %w\n%s", install, err, out)
	}
	socket := filepath.Join(dir, "s")
	var log bytes.Buffer
	cmd := exec.Command(server, "--no-defaults", data, "--socket="+socket, "--skip-networking", "--pid-file="+filepath.Join(dir, "pid"),
		"--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M", "--skip-log-bin")
	cmd.Dir, cmd.SysProcAttr, cmd.Stderr = dir, attr, &log
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	unwatch, err := childproc.Watch(cmd.Process.Pid, dir)
	if err != nil {
		unwatch = func() {}
	}
	stop = func() {
		unwatch()
		_ = cmd.Process.Signal(syscall.SIGKILL)
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	}
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr = "root", "unix", socket
	cfg.Logger = &mysql.NopLogger{}
	db, err := sql.Open("mysql", cfg.FormatDSN())
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }()
	for deadline := time.Now().Add(60 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if err = db.Ping(); err == nil {
			return cfg, nil
		}
	}
	stop()
	stop = func() {}
	return nil, fmt.Errorf("mysqltest: the server does not answer: %w\n%s", err, log.String())
}

func binaries() (server, install string, err error) {
	missing := fmt.Errorf("mysqltest: there is no MariaDB on this machine; install it with %q, or name a server in %s", "apt-get install mariadb-server", DSNVariable)
	for _, name := range []string{"mariadbd", "/usr/sbin/mariadbd", "/usr/libexec/mariadbd"} {
		if server, err = exec.LookPath(name); err == nil {
			break
		}
	}
	install, errInstall := exec.LookPath("mariadb-install-db")
	if errors.Join(err, errInstall) != nil {
		return "", "", missing
	}
	return server, install, nil
}
