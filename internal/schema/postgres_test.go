//go:build unix

package schema

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// proofs are cases of judged with an insert that a gate would do: a real
// PostgreSQL shows what the key is worth.
var proofs = map[string]string{
	"postgres, right":         `INSERT INTO processed_event (event_id, consumer_group) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 'billing')`,
	"unique on the column":    `INSERT INTO processed_messages (message_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"partition by the id":     `INSERT INTO processed_event (event_id, consumer_group) VALUES ('b1890a5d-ac96-774b-bcce-b302099a8057', 'billing')`,
	"none":                    `INSERT INTO processed_event (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"a number is the key":     `INSERT INTO processed_events (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"an index that is none":   `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"the key is dropped":      `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"the index is dropped":    `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"a row's number only":     `INSERT INTO inbox (payload) VALUES ('{}')`,
	"the group is not in it":  `INSERT INTO processed_event (event_id, consumer_group) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057', 'billing')`,
	"the style guide's":       `INSERT INTO processed_event (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"created_at with default": `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"a number in the key":     `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"a default set later":     `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
	"spoiled, then mended":    `INSERT INTO inbox (event_id) VALUES ('01890a5d-ac96-774b-bcce-b302099a8057')`,
}

// partitions are what the cases with partitions need for the insert to succeed.
var partitions = map[string]string{
	"partition by the id": `CREATE TABLE p1 PARTITION OF processed_event FOR VALUES FROM ('b0000000-0000-0000-0000-000000000000') TO ('c0000000-0000-0000-0000-000000000000')`,
	"the style guide's":   `CREATE TABLE p1 PARTITION OF processed_event FOR VALUES FROM ('2000-01-01') TO ('2900-01-01')`,
}

// TestPostgres inserts the same event twice, in two transactions, with ON CONFLICT
// DO NOTHING. The second one is taken for a new event exactly where Judge finds a
// key that is none or that differs at each delivery. The other group's event is
// lost where it finds that the group is not in the key.
func TestPostgres(t *testing.T) {
	pg := startPostgres(t)
	n := 0
	for name, insert := range proofs {
		c := judged[name]
		t.Run(name, func(t *testing.T) {
			n++
			db := fmt.Sprintf("db%d", n)
			pg.run(t, "postgres", "CREATE DATABASE "+db)
			ddl := c.sql
			if extra := partitions[name]; extra != "" {
				ddl, _, _ = strings.Cut(ddl, "; CREATE TABLE processed_event_1")
				ddl += ";" + extra
			}
			pg.run(t, db, ddl)
			first := pg.run(t, db, insert+" ON CONFLICT DO NOTHING")
			second := pg.run(t, db, insert+" ON CONFLICT DO NOTHING")
			if first != "INSERT 0 1" {
				t.Fatalf("the first delivery: %s", first)
			}
			again := second == "INSERT 0 1"
			unseen := name == "a row's number only" // nothing in the table names the event
			if want := c.want == noKey || c.want == perDelivery || unseen; again != want {
				t.Errorf("the second delivery: %s; Judge says %q", second, c.want)
			}
			if c.want == noGroup {
				if other := pg.run(t, db, strings.ReplaceAll(insert, "billing", "shipping")+" ON CONFLICT DO NOTHING"); other != "INSERT 0 0" {
					t.Errorf("the other group's: %s", other)
				}
			}
		})
	}
}

type postgres struct{ dir string }

// run executes statements in one transaction and returns the last one's answer.
func (pg postgres) run(t *testing.T, db, sql string) string {
	t.Helper()
	out, err := exec.Command("psql", "-h", pg.dir, "-U", "postgres", "-d", db, "-X", "-v", "ON_ERROR_STOP=1", "-c", sql).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", sql, err, out)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	return lines[len(lines)-1]
}

// startPostgres starts a server of its own from the machine's binaries, on a
// socket in a directory that is removed with it.
func startPostgres(t *testing.T) postgres {
	t.Helper()
	bins, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(bins) == 0 {
		t.Fatal("there is no PostgreSQL in /usr/lib/postgresql: apt-get install postgresql")
	}
	bin := bins[len(bins)-1]
	dir, err := os.MkdirTemp("", "pg") // a socket's path is short
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	var attr *syscall.SysProcAttr
	if os.Geteuid() == 0 { // PostgreSQL refuses root
		u, err := user.Lookup("nobody")
		if err != nil {
			t.Fatal(err)
		}
		uid, _ := strconv.ParseUint(u.Uid, 10, 32)
		gid, _ := strconv.ParseUint(u.Gid, 10, 32)
		if err := os.Chown(dir, int(uid), int(gid)); err != nil {
			t.Fatal(err)
		}
		attr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	data := filepath.Join(dir, "d")
	initdb := exec.Command(filepath.Join(bin, "initdb"), "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "-N", "--no-instructions")
	initdb.Dir, initdb.SysProcAttr = dir, attr
	if out, err := initdb.CombinedOutput(); err != nil {
		t.Fatalf("initdb: %v\n%s", err, out)
	}
	server := exec.Command(filepath.Join(bin, "postgres"), "-D", data, "-k", dir, "-h", "", "-F", "-c", "shared_buffers=16MB")
	server.Dir, server.SysProcAttr = dir, attr
	var log bytes.Buffer
	server.Stderr = &log
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Signal(syscall.SIGQUIT)
		_ = server.Wait()
	})
	pg := postgres{dir}
	for range 300 {
		if exec.Command("psql", "-h", dir, "-U", "postgres", "-X", "-c", "SELECT 1").Run() == nil {
			return pg
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("PostgreSQL does not answer:\n%s", log.String())
	return pg
}
