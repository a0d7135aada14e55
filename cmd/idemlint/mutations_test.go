package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// Each way to break the example service is reported by the rule that owns it, and the
// service as it stands is not reported.
func TestMutations(t *testing.T) {
	const (
		refunds  = "internal/service/refunds.go"
		events   = "internal/events/events.go"
		payments = "internal/payments/payments.go"

		ask = `		first, err := r.store.TryMarkProcessed(ctx, tx, e.EventID, r.group)
		if err != nil {
			return err
		}
`
		gate = ask + `		if !first {
			return nil
		}
`
		ack = `		if err := r.client.CommitRecords(ctx, fetches.Records()...); err != nil {
			r.logger.WarnContext(ctx, "the offsets are not committed, the records may come again", "error", err)
		}
`
		work = `		for _, record := range fetches.Records() {
			if err := r.persist(ctx, record); err != nil {
				return nil // told to stop: what is not acknowledged comes again
			}
		}
`
		insert = "`INSERT INTO processed_event (event_id, consumer_group) VALUES ($1, $2)"
		answer = `, e.EventID, r.group)
		if err != nil {
			return err
		}
		first := tag.RowsAffected() == 1
`
	)
	type edit struct{ file, from, to string }
	for _, c := range []struct {
		name  string
		edits []edit
		want  string // the rule, and the file where it reports
	}{
		{name: "as it stands"},
		{"gate removed", []edit{{refunds, gate, ""}}, "R-KFK-IDEM-X1 " + refunds},
		{"gate outside the transaction", []edit{{refunds, ask,
			"		tag, err := r.pool.Exec(ctx, " + insert + " ON CONFLICT (event_id, consumer_group) DO NOTHING`" + answer}},
			"R-KFK-IDEM-3 " + refunds},
		{"gate on another transaction", []edit{{refunds, ask, `		first := false
		err := pgx.BeginFunc(ctx, r.pool, func(gate pgx.Tx) (err error) {
			first, err = r.store.TryMarkProcessed(ctx, gate, e.EventID, r.group)
			return err
		})
		if err != nil {
			return err
		}
`}}, "R-KFK-IDEM-3 " + refunds},
		{"ON CONFLICT dropped", []edit{{refunds, ask, "		tag, err := tx.Exec(ctx, " + insert + "`" + answer}}, "R-KFK-IDEM-2 " + refunds},
		{"offset as key", []edit{{refunds, "TryMarkProcessed(ctx, tx, e.EventID,",
			`TryMarkProcessed(ctx, tx, fmt.Sprintf("%s-%d-%d", record.Topic, record.Partition, record.Offset),`}},
			"R-KFK-IDEM-X2 " + refunds},
		{"version 4 id", []edit{{events, "eventid.New()", "uuid.NewRandom()"}, {events, "github.com/idemlint/idemlint/idem/eventid", "github.com/google/uuid"}},
			"R-KFK-IDEM-1 " + events},
		{"id from a header", []edit{{refunds, "TryMarkProcessed(ctx, tx, e.EventID,", "TryMarkProcessed(ctx, tx, string(record.Headers[0].Value),"}},
			"R-KFK-IDEM-1 " + refunds},
		{"no idempotency key", []edit{{payments, "&http.Client{Transport: &money.Transport{}}", "&http.Client{}"}, {payments, "	\"github.com/idemlint/idemlint/idem/money\"\n", ""}},
			"R-KFK-IDEM-4 " + payments},
		{"acknowledged before the commit", []edit{{refunds, work + ack, ack + work}}, "R-KFK-IDEM-3 " + refunds},
		{"answer ignored", []edit{{refunds, gate, `		if _, err := r.store.TryMarkProcessed(ctx, tx, e.EventID, r.group); err != nil {
			return err
		}
`}}, "R-KFK-IDEM-X1 " + refunds},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := copyOfBilling(t)
			for _, e := range c.edits {
				path := filepath.Join(dir, e.file)
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(data), e.from) {
					t.Fatalf("%s has changed: it does not hold\n%s", e.file, e.from)
				}
				writeFile(t, path, strings.ReplaceAll(string(data), e.from, e.to))
			}
			if out, code := runIn(t, dir, "go", "build", "./..."); code != 0 {
				t.Fatalf("the mutation does not compile:\n%s", out)
			}
			out, code := runIn(t, dir, tool, "./internal/...")
			got := reported(out)
			if c.want == "" {
				if code != 0 || out != "" {
					t.Errorf("exit code %d, want no finding:\n%s", code, out)
				}
				return
			}
			if code != 3 || !slices.Equal(got, []string{c.want}) {
				t.Errorf("exit code %d, reported %q, want %q alone:\n%s", code, got, c.want, out)
			}
		})
	}
}

// copyOfBilling returns a copy of the service on the reference runtime that a test may
// change.
func copyOfBilling(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	dir := copyOf(t, filepath.Join(root, "examples", "billing"))
	mod := filepath.Join(dir, "go.mod")
	data, err := os.ReadFile(mod)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, mod, strings.ReplaceAll(string(data), "=> ../../", "=> "+filepath.ToSlash(root)+"/"))
	return dir
}

// reported returns the rules of the findings and the files that these are in, each once.
func reported(out string) []string {
	var got []string
	for _, f := range findings(out) {
		at, rule, _ := strings.Cut(f, " ")
		file, _, _ := strings.Cut(at, ":")
		got = append(got, rule+" "+file)
	}
	slices.Sort(got)
	return slices.Compact(got)
}
