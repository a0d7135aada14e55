// Command bench prints what the linter costs as a go vet tool, relative to a
// tool whose only analyzer does nothing, on packages that import no catalogued
// library. Both run on the same packages, one after the other. Each run has a
// tool with another build id, so that go vet finds nothing in its cache, while
// the packages stay compiled.
//
// Usage: bench [-n RUNS] [PACKAGE ...]
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"time"
)

func main() {
	runs := flag.Int("n", 5, "pairs of runs; the medians are compared")
	flag.Parse()
	pkgs := flag.Args()
	if len(pkgs) == 0 {
		// The Go standard library's own packages, and nothing that needs a network.
		pkgs = []string{"go/...", "encoding/...", "text/...", "net/http/..."}
	}
	if err := run(*runs, pkgs); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(n int, pkgs []string) error {
	dir, err := os.MkdirTemp("", "idemlint-bench")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	tools := []string{filepath.Join(dir, "empty"), filepath.Join(dir, "idemlint")}
	times := make([][]time.Duration, len(tools))
	for i := range n + 1 {
		for k, path := range []string{"./internal/bench/empty", "./cmd/idemlint"} {
			tool := tools[k]
			id := fmt.Sprintf("-ldflags=-buildid=%d/%d", time.Now().UnixNano(), i)
			if out, err := exec.Command("go", "build", id, "-o", tool, path).CombinedOutput(); err != nil {
				return fmt.Errorf("build %s: %w\n%s", path, err, out)
			}
			start := time.Now()
			cmd := exec.Command("go", append([]string{"vet", "-vettool=" + tool}, pkgs...)...)
			if out, err := cmd.CombinedOutput(); err != nil {
				return fmt.Errorf("%v: %w\n%s", cmd.Args, err, out)
			}
			if i > 0 { // the first pair warms the build cache
				times[k] = append(times[k], time.Since(start))
			}
		}
	}
	median := func(ds []time.Duration) time.Duration {
		slices.Sort(ds)
		return ds[len(ds)/2]
	}
	empty, lint := median(times[0]), median(times[1])
	fmt.Printf("packages: %v\nempty analyzer: %v\nidemlint:       %v\nratio: %.2f\n", pkgs, empty, lint, float64(lint)/float64(empty))
	return nil
}
