//go:build unix

package conformance

import (
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/twmb/franz-go/pkg/kadm"
	"github.com/twmb/franz-go/pkg/kerr"
	"github.com/twmb/franz-go/pkg/kfake"
	"github.com/twmb/franz-go/pkg/kgo"
	"github.com/twmb/franz-go/pkg/kmsg"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/consumer"
	"github.com/idemlint/idemlint/idem/eventid"
	"github.com/idemlint/idemlint/idem/idempgx"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

const (
	topic = "orders"
	// patience bounds every wait for something that must come to pass; an idle machine
	// needs a fraction of it.
	patience = 60 * time.Second
)

// event is the payload of the tests' records.
type event struct {
	EventID string `json:"event_id"`
	// Broken makes the handler fail.
	Broken bool `json:"broken,omitempty"`
}

var errBroken = errors.New("the handler cannot do this one")

// world is a broker, a database with a dedup table and a table of effects, and clients to
// look at both.
type world struct {
	*testing.T
	adapter Adapter
	brokers []string
	broker  *kfake.Cluster
	client  *kgo.Client
	admin   *kadm.Client
	pool    *pgxpool.Pool
	cfg     idem.Config

	mu      sync.Mutex
	dead    []consumer.Failed
	seen    map[idem.Outcome]int
	works   map[string]int // by consumer
	deadErr error
}

func newWorld(t *testing.T, a Adapter, partitions int32) *world {
	t.Helper()
	t.Parallel()
	broker, err := kfake.NewCluster(kfake.NumBrokers(1), kfake.SeedTopics(partitions, topic))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(broker.Close)
	w := &world{T: t, adapter: a, broker: broker, brokers: broker.ListenAddrs(), seen: map[idem.Outcome]int{}, works: map[string]int{}}
	if w.client, err = kgo.NewClient(kgo.SeedBrokers(w.brokers...), kgo.RecordPartitioner(kgo.ManualPartitioner())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.client.Close)
	w.admin = kadm.NewClient(w.client)

	w.pool = pgtest.Pool(t, pgtest.Database(t))
	w.cfg = idem.Config{Retention: 48 * time.Hour, Observer: idem.Observer{
		Outcome: func(_ context.Context, _ idem.Event, o idem.Outcome, _ time.Duration) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.seen[o]++
		},
	}}
	ctx := t.Context()
	if _, err := idempgx.Migrate(ctx, w.pool, w.cfg); err != nil {
		t.Fatal(err)
	}
	maintainer, err := idempgx.NewMaintainer(w.pool, w.cfg, idempgx.Upkeep{Ahead: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := maintainer.Maintain(ctx); err != nil {
		t.Fatal(err)
	}
	w.exec("CREATE TABLE effect (of text NOT NULL, done_by text NOT NULL)")
	return w
}

func (w *world) exec(sql string) {
	w.Helper()
	if _, err := w.pool.Exec(context.Background(), sql); err != nil {
		w.Fatalf("%s: %v", sql, err)
	}
}

func newEvents(t testing.TB, n int) []event {
	t.Helper()
	events := make([]event, n)
	for i := range events {
		id, err := eventid.New()
		if err != nil {
			t.Fatal(err)
		}
		events[i].EventID = id.String()
	}
	return events
}

// idAt returns an event id that was made at a time.
func idAt(at time.Time) string {
	id := uuid.New()
	var ms [8]byte
	binary.BigEndian.PutUint64(ms[:], uint64(at.UnixMilli()))
	copy(id[:6], ms[2:])
	id[6] = id[6]&0x0f | 0x70
	return id.String()
}

// produce writes events, the i-th to partition i modulo the number of partitions.
func (w *world) produce(partitions int, events ...event) {
	w.Helper()
	values := make([][]byte, len(events))
	for i, e := range events {
		value, err := json.Marshal(e)
		if err != nil {
			w.Fatal(err)
		}
		values[i] = value
	}
	w.produceRaw(partitions, values...)
}

func (w *world) produceRaw(partitions int, values ...[]byte) {
	w.Helper()
	records := make([]*kgo.Record, len(values))
	for i, value := range values {
		records[i] = &kgo.Record{Topic: topic, Partition: int32(i % partitions), Value: value, Headers: []kgo.RecordHeader{{Key: "source", Value: []byte("test")}}}
	}
	if err := w.client.ProduceSync(w.Context(), records...).FirstErr(); err != nil {
		w.Fatal(err)
	}
}

// member is a consumer that runs.
type member struct {
	w      *world
	cancel context.CancelFunc
	done   chan struct{}
	err    error
}

// settings change how a member's processor works.
type settings = consumer.Config[pgx.Tx, event]

// start runs a consumer of the group, whose name appears in works.
func (w *world) start(group, name string, change ...func(*settings)) *member {
	w.Helper()
	store, err := idem.New(idempgx.New(w.pool), w.cfg)
	if err != nil {
		w.Fatal(err)
	}
	cfg := settings{
		Store: store,
		Group: group,
		Decode: func(value []byte) (e event, err error) {
			return e, json.Unmarshal(value, &e)
		},
		ID: func(e event) string { return e.EventID },
		Handle: func(ctx context.Context, tx pgx.Tx, e event) error {
			return w.effect(ctx, tx, group, name, e)
		},
		MaxAttempts: 3,
		Backoff:     2 * time.Millisecond,
		MaxBackoff:  20 * time.Millisecond,
		DeadLetter:  w.deadLetter,
	}
	for _, c := range change {
		c(&cfg)
	}
	processor, err := consumer.New(cfg)
	if err != nil {
		w.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	m := &member{w: w, cancel: cancel, done: make(chan struct{})}
	w.Cleanup(func() { _ = m.stop() })
	go func() {
		defer close(m.done)
		m.err = w.adapter.Run(ctx, processor, w.brokers, topic)
	}()
	return m
}

// stop stops the member, waits for its end and returns its error.
func (m *member) stop() error {
	m.w.Helper()
	m.cancel()
	return m.wait()
}

func (m *member) wait() error {
	m.w.Helper()
	select {
	case <-m.done:
	case <-time.After(patience):
		m.w.Error("the consumer does not come to its end")
	}
	return m.err
}

func (w *world) effect(ctx context.Context, tx pgx.Tx, group, name string, events ...event) error {
	for _, e := range events {
		w.mu.Lock()
		w.works[name]++
		w.mu.Unlock()
		if e.Broken {
			return errBroken
		}
		if _, err := tx.Exec(ctx, "INSERT INTO effect VALUES ($1, $2)", e.EventID, group); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) deadLetter(_ context.Context, f consumer.Failed) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.deadErr != nil {
		return w.deadErr
	}
	w.dead = append(w.dead, f)
	return nil
}

func (w *world) deadLetters() []consumer.Failed {
	w.mu.Lock()
	defer w.mu.Unlock()
	return append([]consumer.Failed(nil), w.dead...)
}

func (w *world) outcomes(o idem.Outcome) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen[o]
}

func (w *world) worksOf(name string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.works[name]
}

// effects returns the number of effects and of the events that they are of.
func (w *world) effects(group string) (effects, events int) {
	w.Helper()
	row := w.pool.QueryRow(context.Background(), "SELECT count(*), count(DISTINCT of) FROM effect WHERE done_by = $1", group)
	if err := row.Scan(&effects, &events); err != nil {
		w.Fatal(err)
	}
	return effects, events
}

// awaitEffects waits until n events have had their effect, and checks that each has had it
// once.
func (w *world) awaitEffects(group string, n int) {
	w.Helper()
	w.await(fmt.Sprintf("%d events of %s have had their effect", n, group), func() bool {
		_, events := w.effects(group)
		return events >= n
	})
	if effects, events := w.effects(group); effects != n || events != n {
		w.Errorf("%d effects of %d events in group %s, want %d of each", effects, events, group, n)
	}
}

// committed returns the group's committed offsets, summed over the partitions: the number
// of records that are acknowledged.
func (w *world) committed(group string) int {
	w.Helper()
	offsets, err := w.admin.FetchOffsets(context.Background(), group)
	if errors.Is(err, kerr.GroupIDNotFound) {
		return 0 // nobody has joined it yet
	}
	if err != nil {
		w.Fatal(err)
	}
	sum := 0
	offsets.Each(func(o kadm.OffsetResponse) { sum += int(max(o.At, 0)) })
	return sum
}

func (w *world) awaitCommitted(group string, n int) {
	w.Helper()
	w.await(fmt.Sprintf("%d records of %s are acknowledged", n, group), func() bool { return w.committed(group) >= n })
	if got := w.committed(group); got != n {
		w.Errorf("%d records of %s are acknowledged, want %d", got, group, n)
	}
}

func (w *world) await(what string, condition func() bool) {
	w.Helper()
	for deadline := time.Now().Add(patience); !condition(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			w.Fatalf("waited in vain: %s", what)
		}
	}
}

// never checks for a while that the condition does not come true. It can miss, and cannot
// fail by accident.
func (w *world) never(what string, condition func() bool) {
	w.Helper()
	for end := time.Now().Add(300 * time.Millisecond); time.Now().Before(end); time.Sleep(10 * time.Millisecond) {
		if condition() {
			w.Fatalf("it happened: %s", what)
		}
	}
}

// loseCommits makes the broker refuse every commit until the returned function is called,
// as if the consumer died before each.
func (w *world) loseCommits() (restore func()) {
	var mu sync.Mutex
	lost := true
	w.broker.ControlKey(int16(kmsg.OffsetCommit), func(req kmsg.Request) (kmsg.Response, error, bool) {
		mu.Lock()
		defer mu.Unlock()
		w.broker.KeepControl()
		if !lost {
			return nil, nil, false
		}
		commit := req.(*kmsg.OffsetCommitRequest)
		resp := commit.ResponseKind().(*kmsg.OffsetCommitResponse)
		for _, t := range commit.Topics {
			rt := kmsg.NewOffsetCommitResponseTopic()
			rt.Topic, rt.TopicID = t.Topic, t.TopicID
			for _, p := range t.Partitions {
				rp := kmsg.NewOffsetCommitResponseTopicPartition()
				rp.Partition, rp.ErrorCode = p.Partition, 25 // UNKNOWN_MEMBER_ID
				rt.Partitions = append(rt.Partitions, rp)
			}
			resp.Topics = append(resp.Topics, rt)
		}
		return resp, nil, true
	})
	return func() {
		mu.Lock()
		defer mu.Unlock()
		lost = false
	}
}

// rewind sets the group's offsets to the earliest. The group must be empty.
func (w *world) rewind(group string, partitions int32) {
	w.Helper()
	var offsets kadm.Offsets
	for p := range partitions {
		offsets.AddOffset(topic, p, 0, -1)
	}
	w.await("the group is empty and its offsets are reset", func() bool {
		responses, err := w.admin.CommitOffsets(context.Background(), group, offsets)
		return err == nil && responses.Error() == nil
	})
}
