package idempgx_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem"
	"github.com/idemlint/idemlint/idem/internal/pgtest"
)

// TestServerRestarts crashes the server within an event's work and between two events.
// The work that was cut off is not there and can be done again, the connections that the
// pool still has are replaced, and what was processed is remembered.
func TestServerRestarts(t *testing.T) {
	server, err := pgtest.Start("synchronous_commit=on")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.Close)
	f := newFixtureOn(t, server.DSN())
	restart := func() {
		t.Helper()
		server.Stop(true)
		if err := server.Restart(); err != nil {
			t.Fatal(err)
		}
	}
	before, during := event(newID(t)), event(newID(t))
	f.want(before, idem.Processed)
	attempts := 0
	outcome, err := f.store.Process(t.Context(), during, func(ctx context.Context, tx pgx.Tx) error {
		err := work(ctx, tx)
		if attempts++; attempts == 1 {
			restart()
		}
		return err
	})
	// The COMMIT met a connection that was gone, and the retry a server that was there.
	if outcome != idem.Processed || err != nil || f.effects(during.ID) != 1 || attempts != 2 {
		t.Errorf("%s, %v, %d effects after %d attempts", outcome, err, f.effects(during.ID), attempts)
	}
	restart()
	f.want(before, idem.Duplicate)
	f.want(during, idem.Duplicate)
	f.want(event(newID(t)), idem.Processed)
}
