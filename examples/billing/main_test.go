//go:build unix

package main

import (
	"bytes"
	"errors"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// The command does what README says it does, and prints the numbers of its run.
func TestCommand(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("the command is run by the go command, which is not here")
	}
	cmd := exec.Command("go", "run", ".", "-orders", "40")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	want := []string{
		`published  40 orders and 10 cancellations, some of them twice: 69 records`,
		`consumed   69 deliveries: 50 processed, 19 duplicates`,
		`replayed   69 deliveries: 0 processed, 69 duplicates`,
		`provider   40 charges and 10 refunds in \d+ requests; \d+ were done, and the connection was reset within the answer`,
		`sound      each order was charged exactly once, and each cancellation refunded exactly once`,
	}
	lines := strings.Split(strings.TrimSpace(stdout.String()), "\n")
	if len(lines) != len(want) {
		t.Fatalf("%d lines, want %d:\n%s", len(lines), len(want), &stdout)
	}
	for i, line := range lines {
		if !regexp.MustCompile("^" + want[i] + "$").MatchString(line) {
			t.Errorf("line %d is\n%s\nwant\n%s", i+1, line, want[i])
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
