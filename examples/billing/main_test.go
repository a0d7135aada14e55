//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/twmb/franz-go/pkg/kfake"

	"github.com/idemlint/idemlint/idem/idemtest/pglocal"
)

// The command prints what README says it prints.
func TestCommand(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, _ := strings.Cut(string(readme), "```\npublished")
	want, _, found := strings.Cut("published"+after, "```")
	if !found {
		t.Fatal("README has no block that begins with \"published\"")
	}
	cmd := exec.Command("go", "run", ".")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	if stdout.String() != want || stderr.Len() > 0 {
		t.Errorf("the command prints\n%s%s\nand README says\n%s", &stdout, &stderr, want)
	}
}

// The command works on a cluster and a database that are there already, also when it has
// run there before.
func TestCommandElsewhere(t *testing.T) {
	server, err := pglocal.Start()
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	broker, err := kfake.NewCluster(kfake.NumBrokers(3))
	if err != nil {
		t.Fatal(err)
	}
	defer broker.Close()
	for run := range 2 {
		out, err := exec.Command("go", "run", ".", "-orders", "20", "-dsn", server.DSN(), "-brokers", strings.Join(broker.ListenAddrs(), ",")).CombinedOutput()
		if err != nil || !strings.Contains(string(out), "each order was charged exactly once, and each cancellation refunded exactly once") {
			t.Errorf("run %d: %v\n%s", run+1, err, out)
		}
	}
}

// A database that is not there is said to be what is missing.
func TestCommandWithoutDatabase(t *testing.T) {
	cmd := exec.Command("go", "run", ".", "-dsn", "host=/nonexistent user=nobody")
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if !errors.As(err, &exit) {
		t.Fatalf("the command ends with %v, want an exit status\n%s", err, out)
	}
	if !strings.Contains(string(out), "failed to connect") {
		t.Errorf("the command does not say what is missing:\n%s", out)
	}
}
