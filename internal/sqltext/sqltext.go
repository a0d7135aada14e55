// Package sqltext reads the shape of an SQL statement: what it does to which
// table, and what happens when it is done twice. It is no validator: a text
// that it cannot place is a statement of verb Other.
package sqltext

import (
	"slices"
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// Hole stands in a text for a part that is not known before run time.
const Hole = "idemlint_hole"

// Verb is what a statement does.
type Verb uint8

// The verbs.
const (
	Other Verb = iota
	Select
	Insert
	Update
	Delete
)

// Conflict is what an INSERT does with a row that is already there.
type Conflict uint8

// The ways to treat a conflict.
const (
	Fails           Conflict = iota // the statement fails
	Nothing                         // the row is left alone and the row count is 0
	Overwrites                      // the row is updated
	ConflictUnknown                 // decided at run time
)

// Statement is the shape of one statement.
type Statement struct {
	Verb     Verb
	Table    string   // lower case, without quotes and schema
	Columns  []string // of an INSERT, lower case
	Params   []int    // for each column, the number of its bind parameter from 1, or 0
	Conflict Conflict
	Target   []string // columns named as the conflict target
	// Relative: an assignment depends on the row's old value (x = x + 1).
	Relative bool
	// Guarded: a condition on a column that the statement itself changes, so
	// that a second execution finds nothing to do.
	Guarded   bool
	Where     bool
	Keyed     bool // a condition compares a column with a bind parameter
	Returning bool
	// SaysInserted: RETURNING tells insert from update (xmax = 0).
	SaysInserted bool
	// OneRow: the answer always has one row (EXISTS, COUNT and other aggregates).
	OneRow  bool
	Locks   bool // FOR UPDATE, FOR SHARE
	Partial bool // parts of the text are not known
	// RandomKey: a value list calls gen_random_uuid() or the like.
	RandomKey bool
	// Drawn are the columns of an INSERT, by position, that get such a value.
	Drawn []int
	// With holds the data-modifying parts of a WITH clause.
	With []Statement

	set      []string
	relative []string
	flags    map[string]string // columns that an UPDATE sets to a constant
	row      string            // MySQL's alias of the row of an INSERT
}

// Parse returns the shape of the first statement in text that does more than
// set session parameters.
func Parse(text string) Statement {
	toks := scan(text)
	for len(toks) > 0 {
		end := top(toks, 0, ";")
		if s := parse(toks[:end]); s.Verb != Other || end >= len(toks)-1 {
			return s
		}
		toks = toks[end+1:]
	}
	return Statement{Partial: strings.Contains(text, Hole)}
}

func parse(toks []token) Statement {
	var s Statement
	for _, t := range toks {
		if strings.Contains(t.text, Hole) {
			s.Partial = true
		}
	}
	var with []Statement
	var names []string // of the parts in with
	if word(toks, 0) == "with" {
		i := 1
		if word(toks, i) == "recursive" {
			i++
		}
		for i < len(toks) {
			name := toks[i].text
			open := i
			for open < len(toks) && toks[open].text != "(" {
				open++
			}
			// A column list may stand before AS.
			end := closing(toks, open)
			if word(toks, end+1) == "as" {
				open = end + 2
				for w := word(toks, open); w == "not" || w == "materialized"; w = word(toks, open) {
					open++
				}
				end = closing(toks, open)
			}
			if open+1 <= end && end <= len(toks) {
				if sub := parse(toks[open+1 : end]); sub.Verb != Other && sub.Verb != Select {
					with, names = append(with, sub), append(names, name)
				}
			}
			i = end + 1
			if word(toks, i) != "," {
				break
			}
			i++
		}
		toks = toks[min(i, len(toks)):]
	}
	switch word(toks, 0) {
	case "insert", "replace", "upsert":
		s.insert(toks)
	case "merge":
		s.merge(toks)
	case "update":
		s.update(toks)
	case "delete":
		s.Verb = Delete
		s.Table = table(word(toks, skip(toks, 1, "low_priority", "quick", "ignore", "from", "only")))
		s.Returning = top(toks, 0, "returning") < len(toks)
		s.where(toks)
	case "select", "(":
		s.selectFrom(toks)
	case "copy":
		s.Verb, s.Table = Insert, table(word(toks, 1))
	}
	for i, w := range with {
		if s.Verb == Select || s.Verb == Other {
			partial, one := s.Partial, s.OneRow
			s = w
			s.Partial, s.OneRow = partial, s.OneRow || one
			continue
		}
		// A change that follows from an insert-if-absent happens once.
		if w.Verb == Insert && w.Conflict == Nothing && mentions(toks, names[i]) {
			s.Guarded = true
		}
		s.With = append(s.With, w)
	}
	return s
}

// table cuts the schema off a table's name.
func table(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return strings.Trim(name, `"'`)
}

func (s *Statement) update(toks []token) {
	s.Verb = Update
	s.Table = table(word(toks, skip(toks, 1, "low_priority", "or", "ignore", "replace", "abort", "fail", "rollback", "only")))
	s.assign(toks, top(toks, 0, "set")+1, "where", "from", "returning")
	s.Returning = top(toks, 0, "returning") < len(toks)
	s.where(toks)
}

// assign reads the assignments from index i up to one of the words.
func (s *Statement) assign(toks []token, i int, until ...string) {
	if i > len(toks) {
		return
	}
	end := top(toks, i, until...)
	for i < end {
		stop := min(top(toks, i, ","), end)
		if toks[i].text == "(" { // a row of columns, and one of values
			var cols []string
			end := min(closing(toks, i), stop)
			for _, t := range toks[i+1 : end] {
				if t.text != "," {
					cols = append(cols, table(t.text))
				}
			}
			v := end + 2
			if word(toks, v) == "row" {
				v++
			}
			var values []token
			if word(toks, v) == "(" && word(toks, v+1) != "select" {
				values = toks[v+1 : min(closing(toks, v), len(toks))]
			}
			from := 0
			for _, col := range cols {
				to := top(values, min(from, len(values)), ",")
				s.assignment(col, values[min(from, to):to])
				from = to + 1
			}
		} else if stop > i {
			s.assignment(table(toks[i].text), toks[min(i+2, stop):stop])
		}
		i = stop + 1
	}
}

// assignment reads one assignment of a value to a column.
func (s *Statement) assignment(col string, value []token) {
	s.set = append(s.set, col)
	if len(value) == 1 && (value[0].text == "true" || value[0].text == "false") {
		if s.flags == nil {
			s.flags = make(map[string]string)
		}
		s.flags[col] = value[0].text
	}
	for i, t := range value {
		// excluded.x and values(x) are the new row, t.x and x the old one.
		newRow := strings.HasPrefix(t.text, "excluded.") || strings.HasPrefix(t.text, "new.") ||
			s.row != "" && strings.HasPrefix(t.text, s.row+".") || word(value, i-1) == "(" && word(value, i-2) == "values"
		if table(t.text) == col && !newRow && operates(value) {
			s.Relative = true
			s.relative = append(s.relative, col)
		}
	}
}

func operates(toks []token) bool {
	for _, t := range toks {
		switch t.text {
		case "+", "-", "*", "/", "||", "array_append", "jsonb_set", "concat", "greatest", "least":
			return t.text != "greatest" && t.text != "least"
		}
		if len(t.text) > 1 && (t.text[0] == '+' || t.text[0] == '-') && t.kind == sqllexer.NUMBER {
			return true
		}
	}
	return false
}

var comparisons = []string{"=", "<>", "!=", "<", ">", "<=", ">=", "is", "in", "not", "between", "like"}

// where reads the condition: whether it names a key, and whether it holds the
// statement back the second time.
func (s *Statement) where(toks []token) {
	w := top(toks, 0, "where")
	if w >= len(toks) {
		return
	}
	s.Where = true
	end := top(toks, w, "returning")
	n := 0
	for i := w + 1; i < end; i++ {
		op := toks[i].text
		if s.flag(toks[w:end], i-w) {
			s.Guarded = true
		}
		if !slices.Contains(comparisons, op) {
			continue
		}
		col := table(word(toks, i-1))
		if op == "=" && keyed(toks[:end], i, &n) {
			s.Keyed = true
		}
		if !slices.Contains(s.set, col) && compares(op) && i+1 < end && operand(toks[w:end], i-1-w) {
			col = table(toks[i+1].text) // 'shut' = status
		}
		if !slices.Contains(s.set, col) {
			continue
		}
		// balance >= $1 beside balance = balance - $1 holds nothing back.
		if slices.Contains(s.relative, col) && op != "=" {
			continue
		}
		s.Guarded = true
	}
	if s.Partial && !s.Guarded {
		s.Guarded = strings.Contains(joined(toks[w:end]), Hole)
	}
}

// keyed reports whether the = at i compares something with a bind parameter.
func keyed(toks []token, i int, n *int) bool {
	return i > 0 && param(toks[i-1], n) != 0 || i+1 < len(toks) && param(toks[i+1], n) != 0
}

// compares reports whether the operator has a value on each side.
func compares(op string) bool {
	switch op {
	case "=", "<>", "!=", "<", ">", "<=", ">=":
		return true
	}
	return false
}

// operand reports whether the token at i is a constant or a bind parameter.
func operand(toks []token, i int) bool {
	if i < 0 {
		return false
	}
	n := 0
	t := toks[i]
	return t.kind == sqllexer.STRING || t.kind == sqllexer.NUMBER || t.text == "true" || t.text == "false" || param(t, &n) != 0
}

// flag reports whether the token is a boolean column that the statement changes
// to something else than it tests, and that is a condition by itself: AND pending,
// AND NOT done.
func (s *Statement) flag(toks []token, i int) bool {
	col := table(toks[i].text)
	if !slices.Contains(s.set, col) || slices.Contains(s.relative, col) {
		return false
	}
	first, last := i-1, i+1
	for word(toks, first) == "(" && word(toks, last) == ")" {
		first, last = first-1, last+1
	}
	tested := "true"
	if w := word(toks, first); w == "not" || w == "!" {
		tested, first = "false", first-1
	}
	if s.flags[col] == tested {
		return false // done = true … AND done holds nothing back
	}
	switch word(toks, first) {
	case "where", "and", "(":
	default:
		return false
	}
	switch word(toks, last) {
	case "", "and", ")":
		return true
	}
	return false
}

var aggregates = []string{"exists", "count", "max", "min", "sum", "bool_or", "coalesce"}

func (s *Statement) selectFrom(toks []token) {
	s.Verb = Select
	depth := 0
	from := -1
	for i, t := range toks {
		switch t.text {
		case "(":
			depth++
		case ")":
			depth--
		case "from":
			if from < 0 {
				from = i
			}
		case "for":
			if w := word(toks, i+1); w == "update" || w == "share" || w == "no" {
				s.Locks = true
			}
		}
	}
	if f := top(toks, 0, "from"); f < len(toks) {
		from = f // not that of EXTRACT(year FROM ts)
	}
	if from >= 0 {
		for word(toks, from+1) == "(" && word(toks, from+2) == "select" { // FROM (SELECT … FROM t)
			from = top(toks, from+3, "from")
		}
		s.Table = table(word(toks, skip(toks, from+1, "only", "(")))
	}
	first := strings.TrimSuffix(word(toks, 1), "(")
	s.OneRow = slices.Contains(aggregates, first) || (first == "not" && word(toks, 2) == "exists")
	s.where(toks)
	if !s.Where {
		// The condition of SELECT EXISTS (SELECT … WHERE …) stands inside.
		for i := range toks {
			if toks[i].text == "where" {
				s.Where = true
				n := 0
				for j := i; j < len(toks); j++ {
					if toks[j].text == "=" && keyed(toks, j, &n) {
						s.Keyed = true
					}
				}
				break
			}
		}
	}
}
