// Command demo runs the linter on the examples: it prints what the linter says,
// and succeeds when the broken consumer shows every expected finding and its
// sound twin none.
//
// Usage: demo LINTER EXAMPLES
package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) != 3 {
		fmt.Fprintln(os.Stderr, "usage: demo LINTER EXAMPLES")
		os.Exit(2)
	}
	linter, err := filepath.Abs(os.Args[1])
	if err == nil {
		err = run(linter, os.Args[2])
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "demo:", err)
		os.Exit(1)
	}
}

var finding = regexp.MustCompile(`^(.+?):(\d+):\d+: (R-KFK-IDEM-\w+):`)

func run(linter, dir string) error {
	want, err := expected(filepath.Join(dir, "expected.txt"))
	if err != nil {
		return err
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	cmd := exec.Command(linter, "./...")
	cmd.Dir = dir
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err = cmd.Run()
	var exit *exec.ExitError
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 3) {
		return fmt.Errorf("%s ./... in %s: %w\n%s", linter, dir, err, out.String())
	}
	var got []string
	for line := range strings.Lines(out.String()) {
		line = strings.ReplaceAll(line, abs+string(filepath.Separator), "")
		fmt.Print(line)
		if m := finding.FindStringSubmatch(line); m != nil {
			got = append(got, m[1]+":"+m[2]+" "+m[3])
		}
	}
	slices.Sort(got)
	for _, w := range want {
		if !slices.Contains(got, w) {
			return fmt.Errorf("expected finding is missing: %s", w)
		}
	}
	for _, g := range got {
		if !slices.Contains(want, g) {
			return fmt.Errorf("unexpected finding: %s", g)
		}
	}
	fmt.Printf("\nThe broken service shows all %d expected findings, the sound one none.\n", len(want))
	return nil
}

// expected reads a list of findings, a line each.
func expected(path string) ([]string, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	var out []string
	for sc := bufio.NewScanner(f); sc.Scan(); {
		if line := strings.TrimSpace(sc.Text()); line != "" && !strings.HasPrefix(line, "#") {
			out = append(out, line)
		}
	}
	slices.Sort(out)
	if len(out) == 0 {
		return nil, fmt.Errorf("%s lists no findings", path)
	}
	return out, nil
}
