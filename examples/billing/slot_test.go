//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/idemlint/idemlint/idem/idemtest"
)

// slot is a place for a process of the service, with a way to PostgreSQL of its own. A
// process that ends is started again, as an orchestrator does.
type slot struct {
	w      *world
	number int
	proxy  *idemtest.Proxy
	over   sync.WaitGroup

	mu      sync.Mutex // over the following
	running *process
	stopped bool

	// The world's mu is over these.
	plan   []fault
	points int // since the last fault
}

// process is a child process; ended is closed when it has ended, by err.
type process struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	ended  chan struct{}
	err    error
}

// gap is how many requests to PostgreSQL lie between two faults at least, so that a
// process gets something done.
const gap = 15

func newSlot(w *world, number int, plan []fault) *slot {
	w.Helper()
	s := &slot{w: w, number: number, plan: plan}
	var err error
	if s.proxy, err = idemtest.NewProxy(w.server.DSN(), s.hook); err != nil {
		w.Fatal(err)
	}
	w.Cleanup(s.proxy.Close)
	return s
}

func (s *slot) name() string { return fmt.Sprintf("billing-%d", s.number) }

// hook makes the faults of the plan happen at the points of the process.
func (s *slot) hook(point idemtest.Point) idemtest.Verdict {
	at := fault{stage: stage(point.SQL, point.Commit), answered: point.Answered}
	if at.stage == "" {
		return idemtest.Pass
	}
	if s.due(at) {
		s.kill()
		return idemtest.Cut
	}
	at.cut = true
	if s.due(at) {
		return idemtest.Cut
	}
	return idemtest.Pass
}

// due takes a fault from the plan, if it is among the next ones and the last one is a while
// ago.
func (s *slot) due(at fault) bool {
	s.w.mu.Lock()
	defer s.w.mu.Unlock()
	s.points++
	if s.points < gap {
		return false
	}
	for i, next := range s.plan[:min(8, len(s.plan))] {
		if next == at {
			s.plan = append(s.plan[:i:i], s.plan[i+1:]...)
			s.points = 0
			s.w.seen[at.String()]++
			return true
		}
	}
	return false
}

var errStopped = errors.New("no process is wanted any more")

// start starts a process. Its name lets it take the place of the one before it without a
// rebalance; without a name, it makes one.
func (s *slot) start(name string) (*process, error) {
	cfg := s.w.child
	cfg.DSN, cfg.Instance = s.proxy.DSN(), name
	encoded, err := json.Marshal(cfg)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopped {
		return nil, errStopped
	}
	p := &process{cmd: exec.Command(os.Args[0]), ended: make(chan struct{})}
	p.cmd.Env = append(os.Environ(), childVariable+"="+string(encoded))
	p.cmd.Stderr = &p.stderr
	if err := p.cmd.Start(); err != nil {
		return nil, err
	}
	s.running = p
	go func() {
		p.err = p.cmd.Wait()
		close(p.ended)
	}()
	return p, nil
}

// supervise runs one process after the other until stop.
func (s *slot) supervise() {
	s.over.Go(func() {
		for {
			p, err := s.start(s.name())
			if errors.Is(err, errStopped) {
				return
			}
			if err != nil {
				s.w.Errorf("start a process: %v", err)
				return
			}
			<-p.ended
			switch {
			case p.err == nil || killed(p.err):
			case strings.Contains(p.stderr.String(), "failed to connect"): // the server is down
				time.Sleep(50 * time.Millisecond)
			default:
				s.w.Errorf("a process has ended by itself: %v: %s", p.err, &p.stderr)
				return
			}
		}
	})
}

// visit lets a process without a name join the group and leave it again.
func (s *slot) visit() {
	s.w.Helper()
	p, err := s.start("")
	if err != nil {
		s.w.Fatal(err)
	}
	before := s.proxy.Requests()
	s.w.await(time.Now().Add(patience), "the visitor is at work", func() bool { return s.proxy.Requests() > before+20 })
	s.terminate(p)
	s.w.note("rebalances by a process that comes and goes")
}

// terminate stops a process in good order.
func (s *slot) terminate(p *process) {
	s.w.Helper()
	_ = p.cmd.Process.Signal(syscall.SIGTERM)
	select {
	case <-p.ended:
	case <-time.After(patience):
		s.w.Fatalf("process %d does not stop", p.cmd.Process.Pid)
	}
	if p.err != nil && !killed(p.err) {
		s.w.Errorf("a process that was told to stop ends with: %v: %s", p.err, &p.stderr)
	}
}

// stop stops the slot's process in good order, and starts no other.
func (s *slot) stop() {
	s.w.Helper()
	s.mu.Lock()
	s.stopped = true
	p := s.running
	s.mu.Unlock()
	s.terminate(p)
	s.over.Wait()
}

// abandon ends the slot, whatever goes on there.
func (s *slot) abandon() {
	s.mu.Lock()
	s.stopped = true
	s.mu.Unlock()
	s.kill()
	s.over.Wait()
}

// kill kills the process and returns when it is gone.
func (s *slot) kill() {
	s.mu.Lock()
	p := s.running
	s.mu.Unlock()
	if p == nil {
		return
	}
	_ = p.cmd.Process.Kill()
	<-p.ended
}

func killed(err error) bool {
	var exit *exec.ExitError
	return errors.As(err, &exit) && exit.Sys().(syscall.WaitStatus).Signal() == syscall.SIGKILL
}
