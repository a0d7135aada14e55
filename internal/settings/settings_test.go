package settings

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
)

const whole = `# Every key once.
dedup-tables:
  - kafka_journal
  - "*_seen"
  - audit_*
migrations: [db/migrations, schema.sql]
event-ids: [trace_key, OperationID]
listeners:
  - func: (*example.com/app.Handler).On
    arg: 2
  - func: example.com/app.Every
gates:
  - func: (example.com/app/store.Inbox).Mark
    key: 0
    answer: seen
  - func: example.com/app/store.First
    answer: first
tx-runners:
  - func: (*example.com/app/store.DB).Atomically
    arg: 0
  - func: example.com/app/store.InTx
effects:
  - func: (example.com/app/sms.Client).Send
    kind: an SMS
  - func: example.com/app/mail.Send
money-calls:
  - func: (*example.com/app/bank.Client).Charge
    key: 3
  - func: example.com/app/bank.Pay
rules:
  offsetkey: false
  R-KFK-IDEM-3: false
  r-kfk-idem-x1: true
strict: true
accept-overwrites: true
accept-header-ids: true
`

func ptr(n int) *int { return &n }

func TestParseWhole(t *testing.T) {
	got, err := Parse(FileName, []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	want := &Settings{
		DedupTables: []string{"kafka_journal", "*_seen", "audit_*"},
		Migrations:  []string{"db/migrations", "schema.sql"},
		EventIDs:    []string{"trace_key", "OperationID"},
		Listeners:   []Listener{{"(*example.com/app.Handler).On", ptr(2)}, {"example.com/app.Every", nil}},
		Gates:       []Gate{{"(example.com/app/store.Inbox).Mark", ptr(0), "seen"}, {"example.com/app/store.First", nil, "first"}},
		TxRunners:   []TxRunner{{"(*example.com/app/store.DB).Atomically", ptr(0)}, {"example.com/app/store.InTx", nil}},
		Effects:     []Effect{{"(example.com/app/sms.Client).Send", "an SMS"}, {"example.com/app/mail.Send", ""}},
		MoneyCalls:  []MoneyCall{{"(*example.com/app/bank.Client).Charge", ptr(3)}, {"example.com/app/bank.Pay", nil}},
		Rules:       map[string]bool{"offsetkey": false, "R-KFK-IDEM-3": false, "r-kfk-idem-x1": true},
		Strict:      true, AcceptOverwrites: true, AcceptHeaderIDs: true,
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	// A key that is added to the struct belongs into the text above.
	v := reflect.ValueOf(*got)
	for i := range v.NumField() {
		if v.Field(i).IsZero() {
			t.Errorf("%s is not set", v.Type().Field(i).Name)
		}
	}
}

func TestParseEmpty(t *testing.T) {
	for _, text := range []string{"", "\n", "# only a comment\n", "---\n", "gates:\n", "strict:\n"} {
		got, err := Parse(FileName, []byte(text))
		if err != nil || !reflect.DeepEqual(got, &Settings{}) {
			t.Errorf("Parse(%q) = %+v, %v", text, got, err)
		}
	}
}

func TestParseMistakes(t *testing.T) {
	for _, c := range []struct {
		name, text string
		line       int
		key        string
		allowed    string
	}{
		{"unknown key", "strict: true\nstrikt: true\n", 2, "strikt", "the keys are dedup-tables, migrations, event-ids, listeners, gates, tx-runners, effects, money-calls, rules, strict, accept-overwrites, accept-header-ids"},
		{"unknown key of a gate", "gates:\n  - func: x.F\n    keys: 1\n", 3, "gates[0].keys", "the keys are func, key, answer"},
		{"unknown key of a listener", "listeners:\n  - func: x.F\n    key: 1\n", 3, "listeners[0].key", "the keys are func, arg"},
		{"unknown key of a runner", "tx-runners:\n  - func: x.F\n    fn: 1\n", 3, "tx-runners[0].fn", "the keys are func, arg"},
		{"unknown key of an effect", "effects:\n  - func: x.F\n  - func: x.G\n    key: 1\n", 4, "effects[1].key", "the keys are func, kind"},
		{"unknown key of a money call", "money-calls:\n  - name: x.F\n", 2, "money-calls[0].name", "the keys are func, key"},

		{"text for a boolean", "# first\n\nstrict: yes please\n", 3, "strict", "true or false"},
		{"a number for a boolean", "accept-overwrites: 1\n", 1, "accept-overwrites", "true or false"},
		{"a list for a boolean", "accept-header-ids: [true]\n", 1, "accept-header-ids", "true or false"},
		{"text for a list", "strict: true\ndedup-tables: processed\n", 2, "dedup-tables", "a list of names"},
		{"a list for a name", "event-ids:\n  - id\n  - [a]\n", 3, "event-ids[1]", "text"},
		{"text for a list of gates", "gates: x.F\n", 1, "gates", "a list of entries with the keys func, key, answer"},
		{"text for a gate", "gates:\n  - x.F\n", 2, "gates[0]", "a mapping with the keys func, key, answer"},
		{"text for a position", "gates:\n  - func: x.F\n    key: one\n", 3, "gates[0].key", "a whole number"},
		{"too large a number", "gates:\n  - func: x.F\n    key: 99999999999999999999\n", 3, "gates[0].key", "a whole number"},
		{"a list of rules", "rules: [listenerdedup]\n", 1, "rules", "a mapping from names to true or false"},
		{"text for a rule", "rules:\n  listenerdedup: off\n", 2, "rules.listenerdedup", "true or false"},

		{"a mapping for a list of gates", "gates:\n  func: x.F\n", 2, "gates", "a list of entries with the keys func, key, answer"},
		{"a mapping of gates", "gates: {a: {func: x.F}}\n", 1, "gates", "a list of entries with the keys func, key, answer"},
		{"a mapping for a list of names", "event-ids:\n  id:\n    - b\n", 2, "event-ids", "a list of names"},
		{"a mapping for a boolean", "strict:\n  always: true\n", 2, "strict", "true or false"},
		{"a mapping for a name", "gates:\n  - func:\n      name: x.F\n", 3, "gates[0].func", "text"},
		{"a list for a gate", "gates:\n  - - func: x.F\n", 2, "gates[0]", "a mapping with the keys func, key, answer"},
		{"a fraction for a position", "gates:\n  - func: x.F\n    key: 1.5\n", 3, "gates[0].key", "a whole number"},
		{"a fraction that is none", "listeners:\n  - func: x.F\n    arg: 1.0\n", 3, "listeners[0].arg", "a whole number"},
		{"a negative fraction", "tx-runners:\n  - func: x.F\n    arg: -0.5\n", 3, "tx-runners[0].arg", "a whole number"},
		{"no function", "strict: true\ngates:\n  - func: x.F\n  - key: 1\n    answer: seen\n", 4, "gates[1].func", "write it as example.com/pkg.Func"},
		{"no function in an effect", "# first\n\neffects:\n  - kind: an SMS\n", 4, "effects[0].func", "write it as example.com/pkg.Func"},
		{"an empty gate", "strict: true\ngates:\n  -\n", 3, "gates[0].func", "write it as example.com/pkg.Func"},
		{"a mistake after a comment and ---", "# first\n---\nstrikt: true\n", 3, "strikt", "the keys are"},

		{"a bare name", "gates:\n  - func: x.F\n  - func: Foo\n", 3, "gates[1].func", "example.com/pkg.Func, (*example.com/pkg.Type).Method or (example.com/pkg.Interface).Method"},
		{"a call", "effects:\n  - func: x.F()\n", 2, "effects[0].func", "write it as example.com/pkg.Func"},
		{"a method in source form", "listeners:\n  - func: example.com/p.(*T).M\n", 2, "listeners[0].func", "(*example.com/pkg.Type).Method"},
		{"a star without parentheses", "tx-runners:\n  - func: \"*example.com/p.T.M\"\n", 2, "tx-runners[0].func", "(*example.com/pkg.Type).Method"},
		{"a type", "money-calls:\n  - func: (*example.com/p.T)\n", 2, "money-calls[0].func", "(*example.com/pkg.Type).Method"},
		{"an empty name", "gates:\n  - func: \"\"\n", 2, "gates[0].func", "write it as example.com/pkg.Func"},

		{"negative position", "gates:\n  - func: x.F\n    key: -1\n", 3, "gates[0].key", "count from 0, without the receiver, up to 5"},
		{"position of a gate", "gates:\n  - func: x.F\n    key: 6\n", 3, "gates[0].key", "up to 5"},
		{"position of a listener", "listeners:\n  - func: x.F\n    arg: 6\n", 3, "listeners[0].arg", "up to 5"},
		{"position of a runner", "tx-runners:\n  - func: x.F\n    arg: 6\n", 3, "tx-runners[0].arg", "up to 5"},
		{"position of a money call", "money-calls:\n  - func: x.F\n    key: 6\n", 3, "money-calls[0].key", "up to 5"},

		{"answer", "gates:\n  - func: x.F\n    answer: third\n", 3, "gates[0].answer", "first (true means first time) nor seen (true means duplicate)"},
		{"unknown rule", "rules:\n  offsetkey: true\n  listener: false\n", 3, "rules.listener", "the rules are dedupschema, deduptx, eventidpayload, eventidv7, listenerdedup, moneykey, offsetkey, onconflict; parts that can be switched off alone: eventidpayload.first, eventidpayload.header, eventidpayload.key"},
		{"unknown rule id", "rules:\n  R-KFK-IDEM-X9: false\n", 2, "rules.R-KFK-IDEM-X9", "the rules are dedupschema, deduptx, eventidpayload, eventidv7, listenerdedup, moneykey, offsetkey, onconflict; parts that can be switched off alone: eventidpayload.first, eventidpayload.header, eventidpayload.key"},

		{"every table", "dedup-tables:\n  - \"*\"\n", 2, "dedup-tables[0]", "* at an end stands for any text"},
		{"a star within", "dedup-tables:\n  - a\n  - b_*_c\n", 3, "dedup-tables[1]", "* at an end stands for any text"},
		{"a space in a table", "dedup-tables: [a b]\n", 1, "dedup-tables[0]", "without quotes and spaces"},
		{"an empty event id", "event-ids:\n  - \"\"\n", 2, "event-ids[0]", "without quotes, spaces and wildcards"},
		{"a path for an event id", "event-ids:\n  - event.id\n", 2, "event-ids[0]", "the name of a field or column"},
		{"a wildcard for an event id", "event-ids:\n  - id*\n", 2, "event-ids[0]", "without quotes, spaces and wildcards"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s, err := Parse("dir/"+FileName, []byte(c.text))
			if err == nil {
				t.Fatalf("no error; got %+v", s)
			}
			if s != nil {
				t.Error("an error comes with settings")
			}
			m := regexp.MustCompile(`^dir/\.idemlint\.yml:(\d+):(?:\d+:)? (.+?): (.*)$`).FindStringSubmatch(err.Error())
			if m == nil {
				t.Fatalf("%q is not of the form file:line: key: what", err)
			}
			if m[1] != strconv.Itoa(c.line) || m[2] != c.key {
				t.Errorf("line %s, key %s; want line %d, key %s\n%v", m[1], m[2], c.line, c.key, err)
			}
			if !strings.Contains(m[3], c.allowed) {
				t.Errorf("%q does not say %q", err, c.allowed)
			}
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("more than one line: %q", err)
			}
		})
	}
}

// A comment before the first --- is no document, nor is nothing after the last.
func TestParseDocuments(t *testing.T) {
	for _, text := range []string{
		"---\nstrict: true\n", "# a comment\n---\nstrict: true\n", "strict: true\n---\n", "strict: true\n---\n# nothing\n", "strict: true\n...\n",
	} {
		got, err := Parse(FileName, []byte(text))
		if err != nil || !got.Strict {
			t.Errorf("Parse(%q) = %+v, %v", text, got, err)
		}
	}
	for text, line := range map[string]string{
		"strict: true\n---\nstrict: false\n":                               ":3:",
		"---\n---\nstrict: true\n":                                         ":3:",
		"strict: true\n---\n# why\ngates:\n  - func: x.F\n":                ":4:",
		"strict: true\n---\naccept-overwrites: true\n---\nstrict: false\n": ":3:",
	} {
		_, err := Parse(FileName, []byte(text))
		if err == nil || !strings.HasPrefix(err.Error(), FileName+line) || !strings.Contains(err.Error(), "second YAML document") {
			t.Errorf("Parse(%q): %v, want an error on line %s", text, err, line)
		}
	}
	got, err := Parse(FileName, []byte("dedup-tables: &names [journal]\nevent-ids: *names\n"))
	if err != nil || len(got.EventIDs) != 1 || got.EventIDs[0] != "journal" {
		t.Errorf("an alias: %+v, %v", got, err)
	}
}

func TestParseMalformed(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		line string
	}{
		"open list":       {"strict: true\ngates: [\n", ":2:"},
		"tab":             {"\tstrict: true\n", ":1:"},
		"key twice":       {"strict: true\nstrict: false\n", ":2:"},
		"key twice below": {"gates:\n  - func: x.F\n    func: x.G\n", ":3:"},
		"a list":          {"- strict\n", ":1:"},
		"text":            {"strict\n", ":1:"},
	} {
		_, err := Parse(FileName, []byte(c.text))
		if err == nil || !strings.HasPrefix(err.Error(), FileName+c.line) {
			t.Errorf("%s: %v, want an error on line %s", name, err, c.line)
		}
	}
}

func TestValidateIsMistake(t *testing.T) {
	s := &Settings{
		Gates: []Gate{{Func: "x.F"}, {Func: "x.G", Key: ptr(9)}},
		Rules: map[string]bool{"zzz": true, "nosuch": false},
	}
	var m *Mistake
	if err := s.Validate(); !errors.As(err, &m) || m.Key != "gates[1].key" {
		t.Errorf("Validate() = %v, want the mistake in gates[1].key", err)
	}
	s.Gates = nil
	for range 10 { // a map is behind it
		if err := s.Validate(); !errors.As(err, &m) || m.Key != "rules.nosuch" {
			t.Fatalf("Validate() = %v, want always the same mistake, in rules.nosuch", err)
		}
	}
	if err := new(Settings).Validate(); err != nil {
		t.Errorf("the default is not valid: %v", err)
	}
}

func TestValidNames(t *testing.T) {
	for name, want := range map[string]bool{
		"example.com/pkg.Func":               true,
		"main.run":                           true,
		"(*example.com/pkg.Type).Method":     true,
		"(example.com/pkg.Interface).Method": true,
		"gopkg.in/yaml.v3.Unmarshal":         true,
		"example.com/a-b/c~d/v2.Func":        true,
		"":                                   false,
		"Func":                               false,
		"example.com/pkg.":                   false,
		".Func":                              false,
		"(*example.com/pkg.Type) Method":     false,
		"(*Type).Method":                     false,
		"(**example.com/pkg.Type).Method":    false,
		"example.com/pkg.Func[int]":          false,
		" example.com/pkg.Func":              false,
	} {
		err := (&Settings{Effects: []Effect{{Func: name}}}).Validate()
		if (err == nil) != want {
			t.Errorf("%q: %v, want valid %v", name, err, want)
		}
	}
}

func TestEnabled(t *testing.T) {
	for _, c := range []struct {
		rules map[string]bool
		rule  string
		want  bool
	}{
		{nil, "listenerdedup", true},
		{map[string]bool{"listenerdedup": false}, "listenerdedup", false},
		{map[string]bool{"listenerdedup": true}, "listenerdedup", true},
		{map[string]bool{"listenerdedup": false}, "offsetkey", true},
		{map[string]bool{"R-KFK-IDEM-X1": false}, "listenerdedup", false},
		{map[string]bool{"r-kfk-idem-x1": false}, "listenerdedup", false},
		{map[string]bool{"R-KFK-IDEM-X2": false}, "offsetkey", false},
		{map[string]bool{"R-KFK-IDEM-2": false}, "onconflict", false},
		{map[string]bool{"R-KFK-IDEM-3": false}, "deduptx", false},
		{map[string]bool{"R-KFK-IDEM-3": false}, "onconflict", true},
	} {
		s := &Settings{Rules: c.rules}
		if err := s.Validate(); err != nil {
			t.Error(err)
		}
		if got := s.Enabled(c.rule); got != c.want {
			t.Errorf("with %v, Enabled(%s) = %v", c.rules, c.rule, got)
		}
	}
	for _, rule := range RuleNames() {
		if new(Settings).Enabled(rule) != true {
			t.Errorf("%s is off by default", rule)
		}
	}
}

func TestDedupTable(t *testing.T) {
	s := &Settings{DedupTables: []string{"Journal", "*_log", "seen_*", "*mid*"}}
	for name, want := range map[string]bool{
		"processed_event": true, "processed_events": true, "Processed_Events": true, "billing_processed_events": true,
		"inbox": true, "orders_inbox": true, "": false, "orders": false, "events": false, "unprocessed": false, "processed_event_archive": false,
		"journal": true, "JOURNAL": true, "journals": false,
		"a_log": true, "_log": true, "log": false, "a_logs": false,
		"seen_x": true, "x_seen_x": false,
		"amidst": true, "mid": true, "mod": false,
	} {
		if got := s.DedupTable(name); got != want {
			t.Errorf("DedupTable(%q) = %v", name, got)
		}
	}
}

func TestEventID(t *testing.T) {
	s := &Settings{EventIDs: []string{"trace_key", "OperationID"}}
	for name, want := range map[string]bool{
		"event_id": true, "EventID": true, "eventId": true, "EVENT_ID": true, "message_id": true, "ce_id": true, "idempotency_key": true,
		"id": false, "order_id": false, "event": false, "event_id_hash": false, "": false,
		"trace_key": true, "TraceKey": true, "operation_id": true, "operation": false,
	} {
		if got := s.EventID(name); got != want {
			t.Errorf("EventID(%q) = %v", name, got)
		}
	}
	if new(Settings).EventID("trace_key") {
		t.Error("trace_key is an event id by default")
	}
}

func TestListenerAndNames(t *testing.T) {
	s, err := Parse(FileName, []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	if arg, ok := s.Listener("(*example.com/app.Handler).On"); arg != 2 || !ok {
		t.Errorf("Listener = %d, %v", arg, ok)
	}
	if arg, ok := s.Listener("example.com/app.Every"); arg != -1 || !ok {
		t.Errorf("without a position: Listener = %d, %v", arg, ok)
	}
	if _, ok := s.Listener("example.com/app.Other"); ok {
		t.Error("a function that is not named is a listener")
	}
	for path, want := range map[string]bool{
		"example.com/app": true, "example.com/app/store": true, "example.com/app/sms": true, "example.com/app/mail": true, "example.com/app/bank": true,
		"example.com": false, "example.com/app/stor": false, "example.com/ap": false, "app": false, "example.com/app/other": false,
	} {
		if got := s.Names(path); got != want {
			t.Errorf("Names(%q) = %v", path, got)
		}
	}
}

func TestCatalogRows(t *testing.T) {
	s, err := Parse(FileName, []byte(whole))
	if err != nil {
		t.Fatal(err)
	}
	c := s.Catalog()
	for name, want := range map[string]catalog.Row{
		"(example.com/app/store.Inbox).Mark":      {Verb: catalog.PutAbsent, Store: catalog.SQL, Key: catalog.A0, Kind: "configured", Const: "loaded"},
		"example.com/app/store.First":             {Verb: catalog.PutAbsent, Store: catalog.SQL, Key: catalog.A1, Kind: "configured"},
		"(*example.com/app/store.DB).Atomically":  {Verb: catalog.InTx, Fn: catalog.A0},
		"example.com/app/store.InTx":              {Verb: catalog.InTx, Fn: catalog.A1},
		"(example.com/app/sms.Client).Send":       {Verb: catalog.Effect, Kind: "an SMS"},
		"example.com/app/mail.Send":               {Verb: catalog.Effect, Kind: "a call of example.com/app/mail.Send"},
		"(*example.com/app/bank.Client).Charge":   {Verb: catalog.Effect, Kind: "a call of (*example.com/app/bank.Client).Charge", Money: true, Text: catalog.A3},
		"example.com/app/bank.Pay":                {Verb: catalog.Effect, Kind: "a call of example.com/app/bank.Pay", Money: true, Text: catalog.A1},
		"(*database/sql.DB).ExecContext":          *catalog.New(nil).Row("(*database/sql.DB).ExecContext"),
		"(*github.com/jackc/pgx/v5.Conn).BeginTx": *catalog.New(nil).Row("(*github.com/jackc/pgx/v5.Conn).BeginTx"),
	} {
		want.Name = name
		if got := c.Row(name); got == nil || *got != want {
			t.Errorf("Row(%s) = %+v, want %+v", name, got, want)
		}
	}
	if catalog.New(nil).Row("example.com/app/mail.Send") != nil {
		t.Error("the configuration changed the built-in catalogue")
	}
}

// clean gives a test the package's state as it is at the start.
func clean(t *testing.T) {
	t.Helper()
	oldFlags, oldOverride, oldFile, oldDir := flags, override, byFile, byDir
	flags.config, flags.strict, flags.acceptOverwrites, override = "", false, false, nil
	byFile, byDir = make(map[string]*Loaded), make(map[string]string)
	t.Cleanup(func() { flags, override, byFile, byDir = oldFlags, oldOverride, oldFile, oldDir })
}

// tree makes files and directories (names ending in /) and returns their root.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if strings.HasSuffix(name, "/") {
			if err := os.MkdirAll(path, 0o777); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestFind(t *testing.T) {
	root := tree(t, map[string]string{
		FileName:                     "",
		"repo/.git/":                 "",
		"repo/a/b/":                  "",
		"own/.git/":                  "",
		"own/" + FileName:            "",
		"own/a/b/":                   "",
		"own/a/near/" + FileName:     "",
		"own/a/near/deep/er/":        "",
		"worktree/.git":              "gitdir: elsewhere",
		"worktree/a/":                "",
		"plain/a/":                   "",
		"own/sub/.git":               "gitdir: ../.git/modules/sub",
		"own/sub/a/":                 "",
		"own/a/b/.idemlint.yaml":     "",
		"own/a/b/idemlint.yml":       "",
		"own/a/b/c/.idemlint.yml.md": "",
	})
	for dir, want := range map[string]string{
		"plain/a":            FileName,
		".":                  FileName,
		"repo":               "",
		"repo/a/b":           "",
		"worktree/a":         "",
		"own":                "own/" + FileName,
		"own/a/b":            "own/" + FileName,
		"own/a/b/c":          "own/" + FileName,
		"own/a/near":         "own/a/near/" + FileName,
		"own/a/near/deep/er": "own/a/near/" + FileName,
		"own/sub/a":          "",
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got := find(filepath.Join(root, dir)); got != want {
			t.Errorf("find(%s) = %q, want %q", dir, got, want)
		}
	}
}

func TestForDir(t *testing.T) {
	clean(t)
	root := tree(t, map[string]string{
		".git/":         "",
		FileName:        "dedup-tables: [journal]\nlisteners:\n  - func: example.com/app.On\n",
		"a/":            "",
		"b/" + FileName: "strict: true\n",
	})
	a, b := For(filepath.Join(root, "a")), For(filepath.Join(root, "b"))
	if a.Err != nil || !a.DedupTable("journal") || a.Strict {
		t.Errorf("a: %+v", a.Settings)
	}
	if b.Err != nil || b.DedupTable("journal") || !b.Strict {
		t.Errorf("b: %+v", b.Settings)
	}
	if For(root) != a {
		t.Error("one file is loaded twice")
	}
	if a.Catalog == nil || b.Catalog == nil {
		t.Error("no catalogue")
	}
}

func TestFlags(t *testing.T) {
	root := tree(t, map[string]string{
		".git/":           "",
		FileName:          "strict: false\naccept-overwrites: true\n",
		"other/other.yml": "dedup-tables: [journal]\n",
	})
	t.Run("-strict adds to the file", func(t *testing.T) {
		clean(t)
		set(t, "strict", "true")
		l := For(root)
		if !l.Strict || !l.AcceptOverwrites {
			t.Errorf("got %+v", l.Settings)
		}
	})
	t.Run("a flag that is off takes nothing away", func(t *testing.T) {
		clean(t)
		set(t, "accept-overwrites", "false")
		if !For(root).AcceptOverwrites {
			t.Error("the file's setting is gone")
		}
	})
	t.Run("-accept-overwrites without a file", func(t *testing.T) {
		clean(t)
		set(t, "accept-overwrites", "true")
		if l := loaded(""); !l.AcceptOverwrites || l.Strict {
			t.Errorf("got %+v", l.Settings)
		}
	})
	t.Run("-config comes before the nearest file", func(t *testing.T) {
		clean(t)
		set(t, "config", filepath.Join(root, "other", "other.yml"))
		l := For(root)
		if l.Err != nil || !l.DedupTable("journal") || l.AcceptOverwrites {
			t.Errorf("got %+v, %v", l.Settings, l.Err)
		}
	})
	t.Run("-config names no file", func(t *testing.T) {
		clean(t)
		set(t, "config", filepath.Join(root, "nosuch.yml"))
		l := For(root)
		if !errors.Is(l.Err, os.ErrNotExist) || !strings.Contains(l.Err.Error(), "nosuch.yml") {
			t.Errorf("Err = %v", l.Err)
		}
		if l.AcceptOverwrites {
			t.Error("the nearest file holds all the same")
		}
	})
	t.Run("Use comes before files", func(t *testing.T) {
		clean(t)
		set(t, "config", filepath.Join(root, "other", "other.yml"))
		if err := Use(&Settings{EventIDs: []string{"trace"}}); err != nil {
			t.Fatal(err)
		}
		if l := For(root); !l.EventID("trace") || l.DedupTable("journal") {
			t.Errorf("got %+v", l.Settings)
		}
	})
}

func set(t *testing.T, name, value string) {
	t.Helper()
	if err := Analyzer.Flags.Set(name, value); err != nil {
		t.Fatal(err)
	}
}

func TestUse(t *testing.T) {
	clean(t)
	root := tree(t, map[string]string{".git/": "", FileName: "strict: true\n"})
	if !For(root).Strict {
		t.Fatal("the file is not read")
	}
	s := &Settings{DedupTables: []string{"journal"}}
	if err := Use(s); err != nil {
		t.Fatal(err)
	}
	l := For(root)
	if l.Strict || !l.DedupTable("journal") {
		t.Errorf("after Use the file still holds: %+v", l.Settings)
	}
	flags.strict = true
	if err := Use(s); err != nil {
		t.Fatal(err)
	}
	if !For(root).Strict {
		t.Error("the flag does not count after Use")
	}
	if s.Strict {
		t.Error("the caller's settings were changed")
	}
	var m *Mistake
	if err := Use(&Settings{Rules: map[string]bool{"nosuch": true}}); !errors.As(err, &m) {
		t.Errorf("Use of settings that are not valid: %v", err)
	}
	if !For(root).DedupTable("journal") {
		t.Error("settings that are not valid replaced valid ones")
	}
}

func TestClaim(t *testing.T) {
	clean(t)
	root := tree(t, map[string]string{".git/": "", FileName: "strikt: true\n", "a/": "", "b/": ""})
	a, b := For(filepath.Join(root, "a")), For(filepath.Join(root, "b"))
	if a.Err == nil || !strings.Contains(a.Err.Error(), "strikt") {
		t.Fatalf("Err = %v", a.Err)
	}
	if a.Strict || a.Catalog == nil {
		t.Error("a wrong file must leave the default and a catalogue")
	}
	if err := a.Claim(); !errors.Is(err, a.Err) {
		t.Errorf("the first claim: %v", err)
	}
	if err := a.Claim(); err != nil {
		t.Errorf("the second claim: %v", err)
	}
	if err := b.Claim(); err != nil {
		t.Errorf("a claim for another package under the same file: %v", err)
	}
	if b.Err == nil {
		t.Error("a claim must leave Err as it is")
	}
	if err := loaded("").Claim(); err != nil {
		t.Errorf("a claim without a mistake: %v", err)
	}
}

func TestAnalyzerWithoutFiles(t *testing.T) {
	clean(t)
	res, err := Analyzer.Run(&analysis.Pass{Analyzer: Analyzer})
	if err != nil {
		t.Fatal(err)
	}
	l := res.(*Loaded)
	if l.Err != nil || l.Strict || l.Catalog == nil {
		t.Errorf("got %+v", l)
	}
}

// A place of migrations that is not there is a mistake of the file that names it.
func TestMigrations(t *testing.T) {
	clean(t)
	root := tree(t, map[string]string{".git/": "", FileName: "strict: true\nmigrations:\n  - db\n  - sql/ddl\n", "db/": ""})
	_, err := Read(filepath.Join(root, FileName))
	if err == nil || !strings.Contains(err.Error(), FileName+":4: migrations[1]: there is no directory or file sql/ddl") {
		t.Errorf("%v", err)
	}
	if err := os.MkdirAll(filepath.Join(root, "sql", "ddl"), 0o750); err != nil {
		t.Fatal(err)
	}
	if s, err := Read(filepath.Join(root, FileName)); err != nil || len(s.Migrations) != 2 {
		t.Errorf("%v, %v", s, err)
	}
}
