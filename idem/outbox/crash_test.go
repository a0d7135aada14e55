package outbox_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/idemlint/idemlint/idem/outbox"
)

// childEnv makes this test binary a worker process: "URL client DSN", client being keyed
// or unkeyed.
const childEnv = "IDEM_OUTBOX_TEST_CHILD"

// child sends what is due and returns its exit status, 0 when nothing is left.
func child() int {
	url, rest, _ := strings.Cut(os.Getenv(childEnv), " ")
	mode, dsn, _ := strings.Cut(rest, " ")
	client := map[string]func() *http.Client{"keyed": keyed, "unkeyed": unkeyed}[mode]()
	err := func() error {
		cfg, err := pgx.ParseConfig(dsn)
		if err != nil {
			return err
		}
		worker, err := outbox.NewWorker(stdlib.OpenDB(*cfg), outbox.Config{Senders: sending(post(client, url)), Logger: quiet()})
		if err != nil {
			return err
		}
		for {
			if found, err := worker.RunOnce(context.Background()); err != nil || !found {
				return err
			}
		}
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// Worker processes are killed while the provider charges, before it does, and between its
// answer and the mark: each event is charged exactly once, except by those who make a new
// key for each attempt, for whom this very check fails.
func TestKilledWorkersChargeOnce(t *testing.T) {
	for _, tt := range []struct {
		mode string
		once bool
	}{{"keyed", true}, {"unkeyed", false}} {
		t.Run(tt.mode, func(t *testing.T) {
			db, dsn := migrated(t)
			bodies := enqueueMany(t, db, 30)
			p := newProvider(t, upTo(1, none, chargedAndKill, lostAndKill, answerAndKill))

			var mu sync.Mutex // over running
			var running *os.Process
			p.kill = func() {
				mu.Lock()
				defer mu.Unlock()
				if err := running.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
					t.Errorf("kill the worker: %v", err)
				}
			}
			killed := 0
			for count(t, db, "pending") > 0 {
				cmd := exec.Command(os.Args[0])
				cmd.Env = append(os.Environ(), childEnv+"="+p.URL+" "+tt.mode+" "+dsn)
				stderr, err := cmd.StderrPipe()
				if err != nil {
					t.Fatal(err)
				}
				mu.Lock()
				err = cmd.Start()
				running = cmd.Process
				mu.Unlock()
				if err != nil {
					t.Fatal(err)
				}
				for lines := bufio.NewScanner(stderr); lines.Scan(); {
					t.Errorf("the worker says: %s", lines.Text())
				}
				err = cmd.Wait()
				var exit *exec.ExitError
				if errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL {
					killed++
				} else if err != nil {
					t.Fatalf("the worker: %v", err)
				}
				execute(t, db, expire+` WHERE state = 'pending'`) // as time would
			}
			if n := count(t, db, "sent"); n != len(bodies) {
				t.Errorf("%d of %d calls are sent: %s", n, len(bodies), rows(t, db))
			}
			for _, f := range []fault{chargedAndKill, lostAndKill, answerAndKill} {
				if p.count(f) < 3 {
					t.Errorf("the fault %d was tried only %d times", f, p.count(f))
				}
			}
			if killed < 10 {
				t.Errorf("only %d workers were killed", killed)
			}
			if err := p.chargedOnce(bodies); (err == nil) != tt.once {
				t.Errorf("charged exactly once: %v, want %t", err, tt.once)
			}
		})
	}
}
