//go:build unix

package pglocal_test

import (
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/idemlint/idemlint/idem/idemtest/pglocal"
)

func TestServerKeepsItsDataOverACrash(t *testing.T) {
	server, err := pglocal.Start("synchronous_commit=on")
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	exec := func(sql string) error {
		conn, err := pgx.Connect(t.Context(), server.DSN())
		if err != nil {
			return err
		}
		defer func() { _ = conn.Close(t.Context()) }()
		_, err = conn.Exec(t.Context(), sql)
		return err
	}
	if err := exec(`CREATE TABLE kept (n int); INSERT INTO kept VALUES (1)`); err != nil {
		t.Fatal(err)
	}
	server.Stop(true)
	if err := exec(`SELECT 1`); err == nil {
		t.Error("a stopped server answers")
	}
	if err := server.Restart(); err != nil {
		t.Fatal(err)
	}
	if err := exec(`SELECT 1 / (SELECT count(*) FROM kept)`); err != nil {
		t.Error(err)
	}
}
