//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"
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
