//go:build linux

// Command drivers compares the two ways in which idemlint analyses a module: by
// multichecker, which loads every dependency from source, and by go vet, on export
// data, first with nothing in its cache, then with everything.
//
// Usage: drivers LINTER MODULE PATTERN...
//
// It prints the time of each as a ratio to the first, and the largest memory of one
// process. The module is compiled beforehand, so that the compiler is in no figure.
package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: drivers LINTER MODULE PATTERN...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2], os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, "drivers:", err)
		os.Exit(1)
	}
}

func run(linter, module string, patterns []string) error {
	dir, err := os.MkdirTemp("", "drivers")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	data, err := os.ReadFile(linter)
	if err != nil {
		return err
	}
	// go vet keys its cache by the tool's content: another tail is a cold cache.
	fresh := filepath.Join(dir, "idemlint")
	if err := os.WriteFile(fresh, fmt.Appendf(data, "%s", rand.Text()), 0o700); err != nil {
		return err
	}
	if _, _, err := measure(module, "go", append([]string{"vet"}, patterns...)); err != nil {
		return err
	}
	var first time.Duration
	for _, way := range []struct {
		name string
		args []string
	}{
		{"multichecker", append([]string{"-json"}, patterns...)},
		{"go vet, cold", patterns},
		{"go vet, warm", patterns},
	} {
		took, memory, err := measure(module, fresh, way.args)
		if err != nil {
			return fmt.Errorf("%s: %w", way.name, err)
		}
		if first == 0 {
			first = took
		}
		fmt.Printf("%-14s %8.2fs  ratio %.2f  %5d MB\n", way.name+":", took.Seconds(), float64(took)/float64(first), memory)
	}
	return nil
}

// measure runs a command and returns how long it took and the largest memory of a
// process of it, in MiB. Findings are no error.
func measure(dir, name string, args []string) (time.Duration, int64, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	start := time.Now()
	err := cmd.Run()
	took := time.Since(start)
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		return 0, 0, err
	}
	usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
	if !ok {
		return took, 0, nil
	}
	return took, usage.Maxrss >> 10, nil
}
