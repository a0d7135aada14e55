package outbox_test

import (
	"context"
	"database/sql"
	"errors"
	"testing"

	"github.com/idemlint/idemlint/idem/outbox"
)

// held is a worker whose attempt is under way until end is given its result.
type held struct {
	begun chan context.Context
	end   chan error
	done  chan struct{}
	dead  chan error // what OnDead was told
}

func hold(t *testing.T, db *sql.DB, maxAttempts int) held {
	t.Helper()
	h := held{make(chan context.Context), make(chan error), make(chan struct{}), make(chan error, 1)}
	worker := newWorker(t, db, outbox.Config{
		MaxAttempts: maxAttempts,
		Senders: sending(func(ctx context.Context, _ outbox.Attempt) error {
			h.begun <- ctx
			return <-h.end
		}),
		OnDead: func(_ context.Context, _ outbox.Attempt, err error) { h.dead <- err },
	})
	go func() {
		defer close(h.done)
		if found, err := worker.RunOnce(context.Background()); err != nil || !found {
			t.Errorf("RunOnce = %t, %v", found, err)
		}
	}()
	select {
	case <-h.begun:
	case <-h.done:
		t.Fatal("there is nothing to hold")
	}
	return h
}

func (h held) finish(err error) {
	h.end <- err
	<-h.done
}

const expire = `UPDATE idem_outbox SET due_at = now() - interval '1 second'`

// A claim does not wait for another that is not committed yet: it takes the next call.
func TestWorkerSkipsLockedRows(t *testing.T) {
	db, _ := migrated(t)
	enqueue(t, db, newID(t), charge)
	enqueue(t, db, newID(t), outbox.Call{Step: "fee", Kind: "charge"})
	tx, err := db.Begin()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tx.Exec(`SELECT FROM idem_outbox WHERE step = 'charge' FOR UPDATE`); err != nil {
		t.Fatal(err)
	}
	worker := newWorker(t, db, outbox.Config{Senders: sending(func(context.Context, outbox.Attempt) error { return nil })})
	once(t, worker)
	idle(t, worker)
	if err := tx.Rollback(); err != nil {
		t.Fatal(err)
	}
	wantRows(t, db, "charge pending 0; fee sent 1")
}

// A worker that was thought dead comes back: its failure changes nothing for the one that
// took over, its success is the truth.
func TestWorkerLeaseIsLost(t *testing.T) {
	fail := errors.New("late")
	t.Run("held while it lasts", func(t *testing.T) {
		db, _ := migrated(t)
		enqueue(t, db, newID(t), charge)
		slow := hold(t, db, 3)
		idle(t, newWorker(t, db, outbox.Config{Senders: sending(func(context.Context, outbox.Attempt) error { return nil })}))
		var lease float64
		if err := db.QueryRow(`SELECT extract(epoch FROM due_at - now()) FROM idem_outbox`).Scan(&lease); err != nil {
			t.Fatal(err)
		}
		if lease < 30 || lease > 60 {
			t.Errorf("the lease is %.0f s, want more than the timeout of 30 s", lease)
		}
		slow.finish(nil)
		wantRows(t, db, "charge sent 1")
	})
	t.Run("failure while the other sends", func(t *testing.T) {
		db, _ := migrated(t)
		enqueue(t, db, newID(t), charge)
		slow := hold(t, db, 3)
		execute(t, db, expire)
		other := hold(t, db, 3)
		slow.finish(fail)
		wantRows(t, db, "charge pending 2")
		idle(t, newWorker(t, db, outbox.Config{Senders: sending(func(context.Context, outbox.Attempt) error { return nil })}))
		other.finish(nil)
		wantRows(t, db, "charge sent 2")
	})
	t.Run("last failure while the other sends", func(t *testing.T) {
		db, _ := migrated(t)
		enqueue(t, db, newID(t), charge)
		slow := hold(t, db, 1)
		execute(t, db, expire)
		other := hold(t, db, 3)
		slow.finish(fail)
		wantRows(t, db, "charge pending 2")
		if len(slow.dead) != 0 {
			t.Error("OnDead is told of a call that is not dead")
		}
		other.finish(nil)
		wantRows(t, db, "charge sent 2")
	})
	t.Run("failure after the other has sent", func(t *testing.T) {
		db, _ := migrated(t)
		enqueue(t, db, newID(t), charge)
		slow := hold(t, db, 3)
		execute(t, db, expire)
		hold(t, db, 3).finish(nil)
		slow.finish(fail)
		wantRows(t, db, "charge sent 2")
	})
	t.Run("success while the other sends, which fails", func(t *testing.T) {
		db, _ := migrated(t)
		enqueue(t, db, newID(t), charge)
		slow := hold(t, db, 3)
		execute(t, db, expire)
		other := hold(t, db, 3)
		slow.finish(nil)
		other.finish(fail)
		wantRows(t, db, "charge sent 2")
	})
	t.Run("success after the other gave up", func(t *testing.T) {
		db, _ := migrated(t)
		enqueue(t, db, newID(t), charge)
		slow := hold(t, db, 3)
		execute(t, db, expire)
		other := hold(t, db, 3)
		other.finish(outbox.ErrPermanent)
		if len(other.dead) != 1 {
			t.Error("OnDead is not told")
		}
		slow.finish(nil)
		wantRows(t, db, "charge sent 2")
	})
}
