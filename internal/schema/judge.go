package schema

import (
	"fmt"
	"slices"
	"strings"
)

// Names is what the package asks of the configuration.
type Names interface {
	DedupTable(name string) bool
	DedupRow(columns []string) bool
	EventID(column string) bool
	ConsumerColumn(name string) bool
}

// Fault is what is wrong with a dedup table.
type Fault struct {
	Place   Place
	Message string
}

// Dedup reports whether the table records event ids: by its name, or because its
// columns say nothing else.
func (t *Table) Dedup(names Names) bool {
	cols := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		cols[i] = c.Name
	}
	return names.DedupTable(t.Name) || len(cols) > 0 && names.DedupRow(cols)
}

// Whole reports whether the table's definition was seen, so that it can be judged.
func (t *Table) Whole() bool { return !t.Unknown && len(t.Columns) > 0 }

// Judge returns what is wrong with the keys of a dedup table.
//
// A key that holds a column which differs from one delivery to the next finds no
// conflict: PostgreSQL accepts the same event id again under PRIMARY KEY
// (event_id, processed_at) with a default of now().
func (t *Table) Judge(names Names) []Fault {
	if !t.Whole() {
		return nil
	}
	ids := t.ids(names)
	if len(ids) == 0 {
		return nil
	}
	group := ""
	for _, c := range t.Columns {
		if names.ConsumerColumn(c.Name) {
			group = c.Name
		}
	}
	var spoiled *Key
	culprit, alone := "", false
	for i := range t.Keys {
		k := &t.Keys[i]
		if !slices.ContainsFunc(k.Columns, func(c string) bool { return slices.Contains(ids, c) }) {
			continue
		}
		if k.Partial {
			return nil // whom it holds for is not known here
		}
		bad := t.perDelivery(k)
		switch {
		case bad != "":
			spoiled, culprit = k, bad
		case group == "" || slices.Contains(k.Columns, group) || len(k.Columns) > 1:
			return nil
		default:
			alone = true
		}
	}
	id := ids[0]
	switch {
	case alone:
		return []Fault{{t.Place, fmt.Sprintf("%s records the consumer group in %s, but its key is %s alone: an event that one group has processed is a duplicate for every other group, which then loses it; make the key (%s, %s)", t.Name, group, id, id, group)}}
	case spoiled != nil:
		return []Fault{{spoiled.Place, fmt.Sprintf("the key (%s) of %s holds %s, which differs at each delivery: the same event id is accepted again a moment later, ON CONFLICT DO NOTHING finds no conflict, and the work is done twice; make the key (%s), and partition by range of a UUID v7 %s itself", strings.Join(spoiled.Columns, ", "), t.Name, culprit, wanted(id, group), id)}}
	}
	return []Fault{{t.Place, fmt.Sprintf("%s has no primary key or unique constraint on %s: two deliveries of an event insert two rows, both as the first, and the work is done twice; add PRIMARY KEY (%s)", t.Name, id, wanted(id, group))}}
}

func wanted(id, group string) string {
	if group == "" {
		group = "consumer_group"
	}
	return id + ", " + group
}

// ids returns the columns that can hold the event id: those that are called so,
// else the table's id.
func (t *Table) ids(names Names) []string {
	var out []string
	for _, c := range t.Columns {
		if names.EventID(c.Name) {
			out = append(out, c.Name)
		}
	}
	if out != nil {
		return out
	}
	for _, c := range t.Columns {
		if slices.Contains(idNames, c.Name) && !c.Serial && !drawn(c.Default) {
			out = append(out, c.Name)
		}
	}
	return out
}

// idNames are the columns that hold the event id where none is called so.
var idNames = []string{"id", "event_key", "message_key", "message_uuid", "uuid", "key"}

// perDelivery returns the first column of the key whose value is another one at
// the next delivery, "" when there is none.
func (t *Table) perDelivery(k *Key) string {
	for _, name := range k.Columns {
		switch name {
		case "processed_at", "received_at", "consumed_at", "handled_at", "seen_at", "inserted_at", "recorded_at", "processed_on", "processed_time",
			"attempt", "attempts", "attempt_no", "retry_count", "delivery_count", "delivery_id", "delivery_no":
			return name
		}
		if c := t.column(name); c != nil && (c.Serial || drawn(c.Default) || clock(c.Default)) {
			return name
		}
	}
	return ""
}

// drawn reports whether a default makes a new identifier up.
func drawn(def string) bool {
	return hasAny(def, "gen_random_uuid", "uuid_generate", "uuidv7", "uuidv4", "nextval", "newid", "uuid (", "randomblob")
}

// DrawsV4 reports whether a column's default is a random UUID, of a version other
// than 7.
func DrawsV4(def string) bool {
	return drawn(def) && !hasAny(def, "uuidv7", "nextval", "v7")
}

// clock reports whether a default is the time.
func clock(def string) bool {
	return hasAny(def, "now (", "now()", "current_timestamp", "clock_timestamp", "transaction_timestamp", "statement_timestamp", "localtimestamp", "current_date", "sysdate", "datetime (", "unixepoch", "strftime")
}

func hasAny(s string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(s, p) })
}
