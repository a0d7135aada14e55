// Package settings holds the user's configuration: one typed struct, read from
// a file .idemlint.yml found upward from the package, so that go vet, the
// standalone command and CI agree, or given by golangci-lint's plugin settings.
package settings

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// Settings is the configuration. The zero value is the default.
type Settings struct {
	// DedupTables are further names of tables that record event ids. A name
	// may begin or end with *, which stands for any text.
	DedupTables []string `json:"dedup-tables" yaml:"dedup-tables"`
	// EventIDs are further names of fields and columns that hold an event id.
	EventIDs []string `json:"event-ids" yaml:"event-ids"`
	// Listeners are functions that are called with a record by code that the
	// linter cannot see; "arg" is the position of the record or payload.
	Listeners []Function `json:"listeners" yaml:"listeners"`
	// Gates are functions that record an event id and answer whether it was
	// there; "key" is the position of the id.
	Gates []Gate `json:"gates" yaml:"gates"`
	// TxRunners run a closure inside a transaction; "func" is the closure's
	// position.
	TxRunners []TxRunner `json:"tx-runners" yaml:"tx-runners"`
	// Effects are functions that do something that must not happen twice.
	Effects []Function `json:"effects" yaml:"effects"`
	// MoneyCalls are functions that move money; "key" is the position of the
	// idempotency key.
	MoneyCalls []Gate `json:"money-calls" yaml:"money-calls"`
	// Rules switches rules on and off by name or id.
	Rules map[string]bool `json:"rules" yaml:"rules"`
	// Strict reports writes too that a replay cannot repeat by their own form.
	Strict bool `json:"strict" yaml:"strict"`
	// AcceptOverwrites silences writes that put the same value again.
	AcceptOverwrites bool `json:"accept-overwrites" yaml:"accept-overwrites"`
	// AcceptHeaderIDs accepts event ids in record headers.
	AcceptHeaderIDs bool `json:"accept-header-ids" yaml:"accept-header-ids"`
}

// Function names a function by its full name, as in "example.com/app.Handle",
// "(*example.com/app.T).Handle" or, for an interface, "(example.com/app.I).Handle".
type Function struct {
	Func string `json:"func" yaml:"func"`
	// Kind describes an effect in messages: "an SMS".
	Kind string `json:"kind" yaml:"kind"`
}

// Gate is a function with the position of an id, counted from 0 without the
// receiver, and what its boolean or error says.
type Gate struct {
	Func string `json:"func" yaml:"func"`
	Key  *int   `json:"key" yaml:"key"`
	// Answer is "first" when true means first time (the default), or "seen"
	// when true means duplicate.
	Answer string `json:"answer" yaml:"answer"`
}

// TxRunner is a function with the position of the closure that it runs.
type TxRunner struct {
	Func string `json:"func" yaml:"func"`
	Arg  *int   `json:"arg" yaml:"arg"`
}

var fullName = regexp.MustCompile(`^(\(\*?[\w./~-]+\.\w+\)|[\w./~-]+)\.\w+$`)

// ruleNames are the rules and their ids.
var ruleNames = map[string]string{
	"listenerdedup": "R-KFK-IDEM-X1",
	"offsetkey":     "R-KFK-IDEM-X2",
	"onconflict":    "R-KFK-IDEM-2",
	"deduptx":       "R-KFK-IDEM-3",
}

// Validate returns the first mistake in s, in words that name the key and what
// it may be; nil when there is none.
func (s *Settings) Validate() error {
	check := func(key string, i int, name string) error {
		if !fullName.MatchString(name) {
			return fmt.Errorf("%s[%d].func: %q is not a function's full name: write it as example.com/pkg.Func, (*example.com/pkg.Type).Method or (example.com/pkg.Interface).Method", key, i, name)
		}
		return nil
	}
	position := func(key string, i int, field string, n *int) error {
		if n != nil && (*n < 0 || *n > 5) {
			return fmt.Errorf("%s[%d].%s: %d is not an argument's position: count from 0, without the receiver, up to 5", key, i, field, *n)
		}
		return nil
	}
	for i, f := range s.Listeners {
		if err := check("listeners", i, f.Func); err != nil {
			return err
		}
	}
	for i, f := range s.Effects {
		if err := check("effects", i, f.Func); err != nil {
			return err
		}
	}
	for key, list := range map[string][]Gate{"gates": s.Gates, "money-calls": s.MoneyCalls} {
		for i, g := range list {
			if err := check(key, i, g.Func); err != nil {
				return err
			}
			if err := position(key, i, "key", g.Key); err != nil {
				return err
			}
			if g.Answer != "" && g.Answer != "first" && g.Answer != "seen" {
				return fmt.Errorf("%s[%d].answer: %q: it may be first (true means first time) or seen (true means duplicate)", key, i, g.Answer)
			}
		}
	}
	for i, r := range s.TxRunners {
		if err := check("tx-runners", i, r.Func); err != nil {
			return err
		}
		if err := position("tx-runners", i, "arg", r.Arg); err != nil {
			return err
		}
	}
	for name := range s.Rules {
		if !knownRule(name) {
			return fmt.Errorf("rules: %q is no rule: it may be %s", name, strings.Join(RuleNames(), ", "))
		}
	}
	for key, list := range map[string][]string{"dedup-tables": s.DedupTables, "event-ids": s.EventIDs} {
		for i, name := range list {
			if strings.Trim(name, "*") == "" || strings.ContainsAny(name, " \t\"'`;") {
				return fmt.Errorf("%s[%d]: %q is not a name: write it without quotes and spaces, * at an end stands for any text", key, i, name)
			}
		}
	}
	return nil
}

func knownRule(name string) bool {
	for rule, id := range ruleNames {
		if name == rule || strings.EqualFold(name, id) {
			return true
		}
	}
	return false
}

// RuleNames returns the names of the rules, sorted.
func RuleNames() []string {
	out := make([]string, 0, len(ruleNames))
	for n := range ruleNames {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// Enabled reports whether a rule, by its name, is on.
func (s *Settings) Enabled(rule string) bool {
	for name, on := range s.Rules {
		if name == rule || strings.EqualFold(name, ruleNames[rule]) {
			return on
		}
	}
	return true
}

// dedupTables are the names of tables that record event ids, as real services
// call them; a plural s and a prefix before an underscore are allowed for.
var dedupTables = []string{
	"processed_event", "processed_message", "processed_kafka_event", "processed_kafka_message", "processed_record",
	"consumed_event", "consumed_message", "handled_event", "handled_message", "seen_event", "seen_message",
	"event_dedup", "message_dedup", "dedup_event", "dedup_key", "event_deduplication", "deduplication", "dedup",
	"idempotent_event", "idempotent_message", "idempotency_record", "consumer_inbox", "inbox", "inbox_event", "inbox_message",
	"processed_event_id", "processed_id",
}

// DedupTable reports whether a table of that name records event ids.
func (s *Settings) DedupTable(table string) bool {
	table = strings.ToLower(table)
	if table == "" {
		return false
	}
	for _, t := range s.DedupTables {
		if wildcard(strings.ToLower(t), table) {
			return true
		}
	}
	single := strings.TrimSuffix(table, "s")
	for _, t := range dedupTables {
		if single == t || strings.HasSuffix(single, "_"+t) {
			return true
		}
	}
	return false
}

func wildcard(pattern, s string) bool {
	if mid, ok := strings.CutPrefix(pattern, "*"); ok {
		if mid, ok = strings.CutSuffix(mid, "*"); ok {
			return strings.Contains(s, mid)
		}
		return strings.HasSuffix(s, mid)
	}
	if head, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(s, head)
	}
	return pattern == s
}

// EventID reports whether a field or column of that name holds an event id.
func (s *Settings) EventID(name string) bool {
	n := strings.ToLower(strings.ReplaceAll(name, "_", ""))
	switch n {
	case "eventid", "eventuuid", "messageid", "msgid", "ceid", "dedupkey", "idempotencykey":
		return true
	}
	for _, e := range s.EventIDs {
		if strings.EqualFold(strings.ReplaceAll(e, "_", ""), n) {
			return true
		}
	}
	return false
}

// IdempotencyHeader reports whether a header of that name is an idempotency key.
func (s *Settings) IdempotencyHeader(name string) bool {
	switch strings.ToLower(name) {
	case "idempotency-key", "idempotence-key", "x-idempotency-key", "paypal-request-id", "x-idempotence-key", "idempotencykey":
		return true
	}
	return false
}

// Catalog returns the catalogue with the rows that s adds.
func (s *Settings) Catalog() *catalog.Catalog {
	var rows []catalog.Row
	at := func(n *int, def int) catalog.Arg {
		if n == nil {
			return catalog.ArgAt(def)
		}
		return catalog.ArgAt(*n)
	}
	for _, g := range s.Gates {
		r := catalog.Row{Name: g.Func, Verb: catalog.PutAbsent, Store: catalog.SQL, Key: at(g.Key, 1), Kind: "configured"}
		if g.Answer == "seen" {
			r.Const = "loaded"
		}
		rows = append(rows, r)
	}
	for _, r := range s.TxRunners {
		rows = append(rows, catalog.Row{Name: r.Func, Verb: catalog.InTx, Fn: at(r.Arg, 1)})
	}
	for _, e := range s.Effects {
		kind := e.Kind
		if kind == "" {
			kind = "a call of " + e.Func
		}
		rows = append(rows, catalog.Row{Name: e.Func, Verb: catalog.Effect, Kind: kind})
	}
	for _, m := range s.MoneyCalls {
		rows = append(rows, catalog.Row{Name: m.Func, Verb: catalog.Effect, Kind: "a money call", Key: at(m.Key, 1)})
	}
	return catalog.New(rows)
}

// Listener reports whether the function of that full name is declared a listener.
func (s *Settings) Listener(name string) bool {
	return slices.ContainsFunc(s.Listeners, func(f Function) bool { return f.Func == name })
}
