// Package settings holds the user's configuration: one typed struct, read from
// a file .idemlint.yml found upward from the package, so that go vet, the
// standalone command and CI agree, or given by golangci-lint's plugin settings.
package settings

import (
	"fmt"
	"maps"
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
	// Migrations are directories and files with the SQL that makes the schema,
	// relative to the configuration file; without any, the usual places are
	// searched.
	Migrations []string `json:"migrations" yaml:"migrations"`
	// EventIDs are further names of fields and columns that hold an event id.
	EventIDs []string `json:"event-ids" yaml:"event-ids"`
	// Listeners are functions that are called with a record by code that the
	// linter cannot see; "arg" is the position of the record or payload.
	Listeners []Listener `json:"listeners" yaml:"listeners"`
	// Gates are functions that record an event id and answer whether it was
	// there; "key" is the position of the id.
	Gates []Gate `json:"gates" yaml:"gates"`
	// TxRunners run a closure inside a transaction; "func" is the closure's
	// position.
	TxRunners []TxRunner `json:"tx-runners" yaml:"tx-runners"`
	// Effects are functions that do something that must not happen twice.
	Effects []Effect `json:"effects" yaml:"effects"`
	// MoneyCalls are functions that move money; "key" is the position of the
	// idempotency key.
	MoneyCalls []MoneyCall `json:"money-calls" yaml:"money-calls"`
	// Rules switches rules on and off by name or id.
	Rules map[string]bool `json:"rules" yaml:"rules"`
	// Strict reports writes too that a replay cannot repeat by their own form.
	Strict bool `json:"strict" yaml:"strict"`
	// AcceptOverwrites silences writes that put the same value again.
	AcceptOverwrites bool `json:"accept-overwrites" yaml:"accept-overwrites"`
	// AcceptHeaderIDs accepts event ids in record headers.
	AcceptHeaderIDs bool `json:"accept-header-ids" yaml:"accept-header-ids"`
}

// Functions are named by their full name: "example.com/app.Handle",
// "(*example.com/app.T).Handle" or, for an interface's method,
// "(example.com/app.I).Handle". Positions of arguments count from 0, without the
// receiver.

// Listener is a function that is called with a record or its payload.
type Listener struct {
	Func string `json:"func" yaml:"func"`
	// Arg is the position of the record or payload; without it, every argument
	// but a context is taken for part of it.
	Arg *int `json:"arg" yaml:"arg"`
}

// Effect is a function that must not be called twice for one event.
type Effect struct {
	Func string `json:"func" yaml:"func"`
	// Kind describes it in messages: "an SMS".
	Kind string `json:"kind" yaml:"kind"`
}

// Gate is a function with the position of an id, and what its boolean says.
type Gate struct {
	Func string `json:"func" yaml:"func"`
	Key  *int   `json:"key" yaml:"key"`
	// Answer is "first" when true means first time (the default), or "seen"
	// when true means duplicate.
	Answer string `json:"answer" yaml:"answer"`
}

// MoneyCall is a function that moves money, with the position of its
// idempotency key.
type MoneyCall struct {
	Func string `json:"func" yaml:"func"`
	Key  *int   `json:"key" yaml:"key"`
}

// TxRunner is a function with the position of the closure that it runs.
type TxRunner struct {
	Func string `json:"func" yaml:"func"`
	Arg  *int   `json:"arg" yaml:"arg"`
}

var fullName = regexp.MustCompile(`^(\(\*?[\w./~-]+\.\w+\)|[\w./~-]+)\.\w+$`)

// ruleNames are the rules and their ids.
var ruleNames = map[string]string{
	"dedupschema":    "R-KFK-IDEM-2",
	"eventidpayload": "R-KFK-IDEM-1",
	"eventidv7":      "R-KFK-IDEM-1",
	"listenerdedup":  "R-KFK-IDEM-X1",
	"moneykey":       "R-KFK-IDEM-4",
	"offsetkey":      "R-KFK-IDEM-X2",
	"onconflict":     "R-KFK-IDEM-2",
	"deduptx":        "R-KFK-IDEM-3",
}

// ruleParts are the parts of rules that can be switched off alone, as
// "eventidpayload.first".
var ruleParts = map[string][]string{
	"eventidpayload": {"key", "header", "first"},
}

// Mistake is a setting that is not allowed.
type Mistake struct {
	Key  string // where: gates[0].key
	Text string // what it is and what it may be
}

func (m *Mistake) Error() string { return m.Key + ": " + m.Text }

// Validate returns the first mistake in s, a *Mistake; nil when there is none.
func (s *Settings) Validate() error {
	var first *Mistake
	wrong := func(key, format string, args ...any) {
		if first == nil {
			first = &Mistake{key, fmt.Sprintf(format, args...)}
		}
	}
	function := func(key, name string) {
		if !fullName.MatchString(name) {
			wrong(key+".func", "%q is not a function's full name: write it as example.com/pkg.Func, (*example.com/pkg.Type).Method or (example.com/pkg.Interface).Method", name)
		}
	}
	position := func(key string, n *int) {
		if n != nil && (*n < 0 || *n > maxArg) {
			wrong(key, "%d is not an argument's position: count from 0, without the receiver, up to %d", *n, maxArg)
		}
	}
	for i, name := range s.DedupTables {
		if strings.Trim(name, "*") == "" || strings.ContainsAny(strings.Trim(name, "*"), " \t\"'`;*") {
			wrong(fmt.Sprintf("dedup-tables[%d]", i), "%q is not a table's name: write it without quotes and spaces, * at an end stands for any text", name)
		}
	}
	for i, name := range s.EventIDs {
		if name == "" || strings.ContainsAny(name, " \t\"'`;*.") {
			wrong(fmt.Sprintf("event-ids[%d]", i), "%q is not the name of a field or column: write it without quotes, spaces and wildcards", name)
		}
	}
	for i, l := range s.Listeners {
		key := fmt.Sprintf("listeners[%d]", i)
		function(key, l.Func)
		position(key+".arg", l.Arg)
	}
	for i, g := range s.Gates {
		key := fmt.Sprintf("gates[%d]", i)
		function(key, g.Func)
		position(key+".key", g.Key)
		if g.Answer != "" && g.Answer != "first" && g.Answer != "seen" {
			wrong(key+".answer", "%q is neither first (true means first time) nor seen (true means duplicate)", g.Answer)
		}
	}
	for i, r := range s.TxRunners {
		key := fmt.Sprintf("tx-runners[%d]", i)
		function(key, r.Func)
		position(key+".arg", r.Arg)
	}
	for i, e := range s.Effects {
		function(fmt.Sprintf("effects[%d]", i), e.Func)
	}
	for i, c := range s.MoneyCalls {
		key := fmt.Sprintf("money-calls[%d]", i)
		function(key, c.Func)
		position(key+".key", c.Key)
	}
	for _, name := range slices.Sorted(maps.Keys(s.Rules)) {
		if !knownRule(name) {
			wrong("rules."+name, "there is no such rule: the rules are %s; parts that can be switched off alone: %s", strings.Join(RuleNames(), ", "), strings.Join(partNames(), ", "))
		}
	}
	if first == nil {
		return nil
	}
	return first
}

// maxArg is the last position that a catalogue row can name.
const maxArg = 5

func knownRule(name string) bool {
	for rule, id := range ruleNames {
		if name == rule || strings.EqualFold(name, id) {
			return true
		}
	}
	return slices.Contains(partNames(), name)
}

func partNames() []string {
	var out []string
	for rule, parts := range ruleParts {
		for _, p := range parts {
			out = append(out, rule+"."+p)
		}
	}
	slices.Sort(out)
	return out
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

// Part reports whether a part of a rule is on, the rule itself apart.
func (s *Settings) Part(rule, part string) bool {
	on, set := s.Rules[rule+"."+part]
	return on || !set
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

// DedupRow reports whether a row of exactly these columns records an event id
// for a consumer: the id, the consumer's name, and perhaps when.
func (s *Settings) DedupRow(columns []string) bool {
	id, consumer := false, false
	for _, col := range columns {
		switch {
		case s.EventID(col):
			id = true
		case s.ConsumerColumn(col):
			consumer = true
		case !strings.HasSuffix(col, "_at") && col != "timestamp":
			return false
		}
	}
	return id && consumer
}

// ConsumerColumn reports whether a column of that name says which consumer, or
// consumer group, has processed an event.
func (s *Settings) ConsumerColumn(name string) bool { return consumerColumn[strings.ToLower(name)] }

var consumerColumn = map[string]bool{
	"consumer": true, "consumer_group": true, "consumer_name": true, "consumer_id": true, "consumer_group_id": true,
	"group_id": true, "handler": true, "handler_name": true, "subscriber": true,
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

// EventID reports whether a field or column of that name can hold what names an
// event for a consumer.
func (s *Settings) EventID(name string) bool {
	switch plainName(name) {
	case "messageid", "msgid", "dedupkey", "idempotencykey":
		return true
	}
	return s.EventName(name)
}

// EventName reports whether a field or column of that name holds the id that an
// event's producer gave it.
func (s *Settings) EventName(name string) bool {
	n := plainName(name)
	switch n {
	case "eventid", "eventuuid", "ceid":
		return true
	}
	return slices.ContainsFunc(s.EventIDs, func(e string) bool { return plainName(e) == n })
}

// plainName is a name without case and underscores.
func plainName(name string) string { return strings.ToLower(strings.ReplaceAll(name, "_", "")) }

// IdempotencyHeader reports whether a header of that name is an idempotency key.
func (s *Settings) IdempotencyHeader(name string) bool {
	switch plainName(strings.ReplaceAll(name, "-", "")) {
	case "idempotencykey", "idempotencekey", "xidempotencykey", "xidempotencekey", "paypalrequestid":
		return true
	}
	return ownHeader.MatchString(name)
}

// ownHeader matches the headers that providers name after the resource:
// X-Payout-Idempotency.
var ownHeader = regexp.MustCompile(`(?i)^x-([a-z]+-)?idempotency(-key)?$`)

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
		rows = append(rows, catalog.Row{Name: m.Func, Verb: catalog.Effect, Kind: "a call of " + m.Func, Money: true, Text: at(m.Key, 1)})
	}
	return catalog.New(rows)
}

// Names reports whether the configuration names a function of the package with
// that import path.
func (s *Settings) Names(path string) bool {
	in := func(name string) bool {
		rest, ok := strings.CutPrefix(strings.TrimLeft(name, "(*"), path+".")
		return ok && !strings.Contains(rest, "/")
	}
	return slices.ContainsFunc(s.Listeners, func(l Listener) bool { return in(l.Func) }) ||
		slices.ContainsFunc(s.Gates, func(g Gate) bool { return in(g.Func) }) ||
		slices.ContainsFunc(s.TxRunners, func(r TxRunner) bool { return in(r.Func) }) ||
		slices.ContainsFunc(s.Effects, func(e Effect) bool { return in(e.Func) }) ||
		slices.ContainsFunc(s.MoneyCalls, func(c MoneyCall) bool { return in(c.Func) })
}

// Listener reports whether the function of that full name is declared a
// listener, and the position of the record or payload, -1 when every argument is
// part of it.
func (s *Settings) Listener(name string) (param int, ok bool) {
	for _, l := range s.Listeners {
		if l.Func == name {
			if l.Arg != nil {
				return *l.Arg, true
			}
			return -1, true
		}
	}
	return -1, false
}
