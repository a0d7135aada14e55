//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/idemlint/idemlint/idem/idemtest/pglocal"

	"github.com/idemlint/idemlint/examples/billing/internal/events"
	"github.com/idemlint/idemlint/examples/billing/internal/payments"
	"github.com/idemlint/idemlint/examples/billing/internal/provider"
	"github.com/idemlint/idemlint/examples/billing/internal/service"
)

const (
	partitions = 4
	// patience bounds every wait for something that must come to pass; an idle machine
	// needs a fraction of it.
	patience = 5 * time.Minute
)

// world is everything around the processes of the service, which are children of the test.
type world struct {
	*testing.T
	server   *pglocal.Server
	pool     *pgxpool.Pool // around the faults
	broker   *kfake.Cluster
	client   *kgo.Client
	admin    *kadm.Client
	provider *provider.Provider
	child    childConfig // of every process
	slots    []*slot

	// What was published: the provider's request that each event causes, by the event's id.
	placed, cancelled map[string]string
	records           int

	mu   sync.Mutex // over the following and the slots' plans
	seen map[string]int
}

func newWorld(t *testing.T, broken bool) *world {
	t.Helper()
	w := &world{T: t, placed: map[string]string{}, cancelled: map[string]string{}, seen: map[string]int{}}
	var err error
	must := func() {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	// A crash of this server loses no transaction that was committed.
	w.server, err = pglocal.Start("synchronous_commit=on")
	must()
	t.Cleanup(w.server.Close)
	w.pool, err = pgxpool.New(t.Context(), w.server.DSN())
	must()
	t.Cleanup(w.pool.Close)
	err = service.Prepare(t.Context(), w.pool, storeConfig)
	must()
	_, err = w.pool.Exec(t.Context(), brokenTable)
	must()

	random := rand.New(rand.NewPCG(1, 1))
	w.provider = provider.Start(func(int) bool { return random.IntN(4) == 0 })
	t.Cleanup(w.provider.Close)
	w.child = childConfig{
		Placed: "orders.placed", Cancelled: "orders.cancelled", DeadLetters: "billing.dead",
		Group: "billing", Provider: w.provider.URL(), Broken: broken,
	}
	w.broker, err = kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, w.child.Placed, w.child.Cancelled, w.child.DeadLetters))
	must()
	t.Cleanup(w.broker.Close)
	w.child.Brokers = w.broker.ListenAddrs()
	w.broker.ControlKey(int16(kmsg.OffsetCommit), w.acknowledgement)
	w.client, err = kgo.NewClient(kgo.SeedBrokers(w.child.Brokers...))
	must()
	t.Cleanup(w.client.Close)
	w.admin = kadm.NewClient(w.client)
	return w
}

// run publishes events, lets two processes consume them while the faults of the plan
// happen, and returns when all is settled and the processes have ended. Each kind of fault
// happens rounds times in each process.
func (w *world) run(events, rounds, restarts, visits int) {
	w.Helper()
	for i := range 2 {
		w.slots = append(w.slots, newSlot(w, i, plan(rounds, uint64(i))))
	}
	visitor := newSlot(w, len(w.slots), nil)
	for _, s := range w.slots {
		s.supervise()
	}
	w.Cleanup(func() {
		for _, s := range append(w.slots, visitor) {
			s.abandon()
		}
	})
	const chunk = 100
	random := rand.New(rand.NewPCG(3, 3))
	deadline := time.Now().Add(patience)
	for n := 0; n < events || w.left() > 0; n += chunk {
		if n > 3*events {
			break // report tells which faults are left
		}
		w.publish(chunk)
		// The service is one chunk behind at most, so that what happens here is spread over
		// the whole of the stream.
		w.await(deadline, "the service keeps up", func() bool { return w.behind() < chunk })
		if n > 0 {
			w.slots[random.IntN(len(w.slots))].kill()
			w.note("killed at some moment")
		}
		if restarts > 0 && n*restarts/events > w.count("crashes of the server") {
			w.crashServer()
		}
		if visits > 0 && n*visits/events > w.count("rebalances by a process that comes and goes") {
			visitor.visit()
		}
	}
	w.await(deadline, "everything is acknowledged and sent", func() bool {
		var pending int
		// The lease of a process that was killed ends, as it would in time.
		_, err := w.pool.Exec(context.Background(), `UPDATE idem_outbox SET due_at = now() WHERE state = 'pending' AND due_at > now() + interval '1 second'`)
		if err == nil {
			err = w.pool.QueryRow(context.Background(), `SELECT count(*) FROM idem_outbox WHERE state = 'pending'`).Scan(&pending)
		}
		return err == nil && pending == 0 && w.behind() == 0
	})
	for _, s := range w.slots {
		s.stop()
	}
}

// left returns how many faults of the plan have not happened.
func (w *world) left() (n int) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, s := range w.slots {
		n += len(s.plan)
	}
	return n
}

// publish publishes orders, every fourth with its cancellation, every third event twice.
func (w *world) publish(n int) {
	w.Helper()
	var records []*kgo.Record
	add := func(topic, id string, published map[string]string, event any, request payments.Request) {
		value, err := json.Marshal(event)
		if err != nil {
			w.Fatal(err)
		}
		body, err := json.Marshal(request)
		if err != nil {
			w.Fatal(err)
		}
		published[id] = string(body)
		for range 1 + (len(published)%3)/2 {
			records = append(records, &kgo.Record{Topic: topic, Key: []byte(request.OrderID), Value: value})
		}
	}
	for i := range n {
		request := payments.Request{OrderID: fmt.Sprintf("order-%05d", len(w.placed)), Cents: int64(100 + i)}
		placed, err := events.NewPlaced(request.OrderID, "a customer", request.Cents)
		if err != nil {
			w.Fatal(err)
		}
		add(w.child.Placed, placed.EventID, w.placed, placed, request)
		if i%4 > 0 {
			continue
		}
		cancelled, err := events.NewCancelled(request.OrderID, request.Cents)
		if err != nil {
			w.Fatal(err)
		}
		add(w.child.Cancelled, cancelled.EventID, w.cancelled, cancelled, request)
	}
	w.records += len(records)
	if err := w.client.ProduceSync(w.Context(), records...).FirstErr(); err != nil {
		w.Fatal(err)
	}
}

// behind returns how many records are not acknowledged.
func (w *world) behind() int64 {
	behind := w.end(w.child.Placed) + w.end(w.child.Cancelled)
	for group, topic := range map[string]string{w.child.Group: w.child.Placed, w.child.Group + "-refunds": w.child.Cancelled} {
		committed, err := w.admin.FetchOffsetsForTopics(context.Background(), group, topic)
		if err != nil {
			continue // nobody has joined it yet
		}
		committed.Each(func(o kadm.OffsetResponse) { behind -= max(o.At, 0) })
	}
	return behind
}

// end returns how many records a topic has.
func (w *world) end(topic string) (n int64) {
	w.Helper()
	ends, err := w.admin.ListEndOffsets(context.Background(), topic)
	if err != nil {
		w.Fatal(err)
	}
	ends.Each(func(o kadm.ListedOffset) { n += o.Offset })
	return n
}

func (w *world) crashServer() {
	w.Helper()
	w.server.Stop(true)
	if err := w.server.Restart(); err != nil {
		w.Fatal(err)
	}
	w.note("crashes of the server")
}

func (w *world) note(what string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen[what]++
}

func (w *world) count(what string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[what]
}

func (w *world) await(deadline time.Time, what string, condition func() bool) {
	w.Helper()
	for ; !condition(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("waited in vain: %s; %d records are not acknowledged", what, w.behind())
		}
	}
}

// acknowledgement is asked about each commit of offsets that reaches the broker.
func (w *world) acknowledgement(request kmsg.Request) (kmsg.Response, error, bool) {
	w.broker.KeepControl()
	instance := request.(*kmsg.OffsetCommitRequest).InstanceID
	if instance == nil {
		return nil, nil, false
	}
	for _, s := range w.slots {
		if s.name() != *instance {
			continue
		}
		switch {
		case s.due(fault{stage: "ack"}):
			s.kill()
			return nil, errors.New("the process is gone"), true // and nothing is acknowledged
		case s.due(fault{stage: "ack", answered: true}):
			s.kill()
		}
	}
	return nil, nil, false
}

// fault is something that goes wrong once in a process: at a stage of its work, before it
// is done or when it is done and the process does not know.
type fault struct {
	stage    string
	answered bool
	// cut breaks the connection; otherwise the process is killed.
	cut bool
}

func (f fault) String() string {
	what, when := "killed", "before"
	if f.cut {
		what = "cut"
	}
	if f.answered {
		when = "after"
	}
	return fmt.Sprintf("%s %s the %s", what, when, f.stage)
}

// stages are the requests to PostgreSQL on the way of an event, by what their SQL contains.
var stages = []struct{ name, sql string }{
	{"claim", "INSERT INTO processed_event"},
	{"claim", "INSERT INTO broken_event"},
	{"charge", "INSERT INTO charge"},
	{"refund", "INSERT INTO refund"},
	{"enqueue", "INSERT INTO idem_outbox"},
	{"lease", "WITH due AS MATERIALIZED"},
	{"mark of what was sent", "SET state = 'sent'"},
}

// stage returns the stage of a request, or "".
func stage(sql string, commit bool) string {
	for _, s := range stages {
		if strings.Contains(sql, s.sql) {
			return s.name
		}
	}
	if commit {
		return "commit"
	}
	return ""
}

// plan returns the faults of one process in a random order: each kind so many times.
func plan(rounds int, seed uint64) []fault {
	var faults []fault
	for range rounds {
		for _, answered := range []bool{false, true} {
			faults = append(faults, fault{stage: "ack", answered: answered})
			for _, stage := range []string{"claim", "charge", "refund", "enqueue", "commit", "lease", "mark of what was sent"} {
				faults = append(faults, fault{stage, answered, false}, fault{stage, answered, true})
			}
			// The answer to a COMMIT is what all this is about.
			for range 4 {
				faults = append(faults, fault{"commit", answered, true})
			}
		}
	}
	random := rand.New(rand.NewPCG(seed, 2))
	random.Shuffle(len(faults), func(i, j int) { faults[i], faults[j] = faults[j], faults[i] })
	return faults
}
