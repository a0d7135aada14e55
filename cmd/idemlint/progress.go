package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// progressFile in the environment names the file to which this program, and the processes
// that it and go vet start, add a line for each package that they begin.
const progressFile = "IDEMLINT_PROGRESS"

// noteProgress adds a package to the file of a process that shows progress.
func noteProgress(pkg string) {
	name := os.Getenv(progressFile)
	if name == "" {
		return
	}
	// Lines of several processes do not mix: each is one write at the end.
	f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		return // whoever showed progress is gone
	}
	_, _ = f.WriteString(pkg + "\n")
	_ = f.Close()
}

// patience is how long an analysis is silent before its progress is shown.
const patience = 2 * time.Second

// showProgress shows on a terminal, while a long analysis runs, how many packages were
// begun and which is the last. stop removes the line.
func showProgress(out io.Writer) (stop func()) {
	if !terminal(out) {
		return func() {}
	}
	f, err := os.CreateTemp("", "idemlint-progress")
	if err != nil {
		return func() {}
	}
	_ = f.Close()
	remove := func() { _ = os.Remove(f.Name()) }
	if os.Setenv(progressFile, f.Name()) != nil {
		remove()
		return func() {}
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		start := time.Now()
		for tick := time.NewTicker(patience / 10); ; {
			select {
			case <-done:
				tick.Stop()
				return
			case <-tick.C:
			}
			if since := time.Since(start); since > patience {
				data, _ := os.ReadFile(f.Name())
				fmt.Fprint(out, "\r\x1b[K"+progressLine(data, since))
			}
		}
	}()
	return func() {
		close(done)
		<-gone
		fmt.Fprint(out, "\r\x1b[K")
		_ = os.Unsetenv(progressFile)
		remove()
	}
}

// progressLine says how far the analysis is that wrote the file's text.
func progressLine(text []byte, since time.Duration) string {
	since = since.Truncate(time.Second)
	n := bytes.Count(text, []byte("\n"))
	if n == 0 {
		return fmt.Sprintf("idemlint: loading, %s", since)
	}
	lines := strings.Split(strings.TrimSuffix(string(text), "\n"), "\n")
	last := lines[len(lines)-1]
	if over := len(last) - 48; over > 0 {
		last = "…" + last[over:]
	}
	return fmt.Sprintf("idemlint: package %d, %s: %s", n, since, last)
}

// terminal reports whether a writer is one that can show a line and take it back.
func terminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok || os.Getenv("TERM") == "dumb" || os.Getenv("CI") != "" {
		return false
	}
	info, err := f.Stat()
	if err != nil || info.Mode()&os.ModeCharDevice == 0 {
		return false
	}
	null, err := os.Stat(os.DevNull)
	return err == nil && !os.SameFile(info, null)
}
