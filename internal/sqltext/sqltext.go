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

type token struct {
	text string // lower case, unquoted
	kind sqllexer.TokenType
	at   int // where it begins, in bytes
}

func scan(text string) []token {
	lex := sqllexer.New(text)
	var out []token
	at, next := 0, 0
	for {
		t := lex.Scan()
		at, next = next, next+len(t.Value)
		switch t.Type {
		case sqllexer.EOF, sqllexer.ERROR:
			return out
		case sqllexer.SPACE, sqllexer.COMMENT, sqllexer.MULTILINE_COMMENT:
			continue
		}
		v := strings.ToLower(t.Value)
		if t.Type != sqllexer.STRING {
			v = strings.NewReplacer(`"`, "", "`", "", "[", "", "]", "").Replace(v)
			v = strings.TrimSpace(v)
		}
		if v == "" {
			continue
		}
		if t.Type == sqllexer.OPERATOR && len(v) > 1 {
			for _, part := range operators(v) {
				out = append(out, token{part, t.Type, at})
			}
			continue
		}
		if n := len(out); n > 0 {
			// `schema`.`table` and :name come as several tokens.
			last := &out[n-1]
			if last.text == ":" || v == "." && word(out, n-1) != ")" || strings.HasSuffix(last.text, ".") && len(last.text) > 1 {
				last.text += v
				continue
			}
		}
		out = append(out, token{v, t.Type, at})
	}
}

// operators takes apart what the lexer reads as one operator when there is no
// space around a bind parameter: id=:id, n<>?, ?::uuid.
func operators(v string) []string {
	var out []string
	for v != "" {
		n := strings.IndexAny(v, "?:")
		switch {
		case strings.HasPrefix(v, "::"), strings.HasPrefix(v, ":="):
			n = 2
		case n == 0:
			n = 1
		case n < 0:
			n = len(v)
		}
		if part := v[:n]; n > 1 && strings.ContainsAny(part[:1], "=<>") && strings.ContainsAny(part[n-1:], "+-") {
			out = append(out, part[:n-1], part[n-1:]) // id=-1
		} else {
			out = append(out, part)
		}
		v = v[n:]
	}
	return out
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

// top returns the index of the first of the words at or after i outside
// parentheses, or len(toks).
func top(toks []token, i int, words ...string) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].text {
		case "(":
			depth++
			continue
		case ")":
			depth--
			continue
		}
		if depth == 0 && slices.Contains(words, toks[i].text) {
			return i
		}
	}
	return len(toks)
}

// closing returns the index of the parenthesis that closes the one at i.
func closing(toks []token, i int) int {
	depth := 0
	for ; i < len(toks); i++ {
		switch toks[i].text {
		case "(":
			depth++
		case ")":
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(toks)
}

func word(toks []token, i int) string {
	if i < 0 || i >= len(toks) {
		return ""
	}
	return toks[i].text
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

// mentions reports whether a statement reads a part of its WITH clause: FROM ins,
// EXISTS (SELECT 1 FROM ins). Another thing of that name is none.
func mentions(toks []token, name string) bool {
	for i := range toks {
		if toks[i].text != name {
			continue
		}
		switch word(toks, i-1) {
		case "from", "join", "using", "table", "only", ",":
			return true
		}
	}
	return false
}

// skip returns the index of the first token at or after i that is none of the words.
func skip(toks []token, i int, words ...string) int {
	for i < len(toks) && slices.Contains(words, toks[i].text) {
		i++
	}
	return i
}

// table cuts the schema off a table's name.
func table(name string) string {
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		name = name[i+1:]
	}
	return strings.Trim(name, `"'`)
}

func (s *Statement) insert(toks []token) {
	s.Verb = Insert
	if w := word(toks, 0); w == "replace" || w == "upsert" {
		s.Conflict = Overwrites
	}
	i := skip(toks, 1, "or", "ignore", "replace", "abort", "fail", "rollback", "low_priority", "delayed", "high_priority", "into")
	for _, t := range toks[min(1, len(toks)):i] {
		switch t.text {
		case "ignore":
			s.Conflict = Nothing
		case "replace":
			s.Conflict = Overwrites
		}
	}
	s.Table = table(word(toks, i))
	i++
	for i < len(toks) && toks[i].text != "(" && toks[i].text != "values" && toks[i].text != "select" && toks[i].text != "set" {
		i++
	}
	if word(toks, i) == "set" {
		s.pairs(toks[i+1 : top(toks, i, "on", "as", "returning")])
	}
	if word(toks, i) == "(" {
		end := closing(toks, i)
		for _, t := range toks[i+1 : min(end, len(toks))] {
			if t.text != "," {
				s.Columns = append(s.Columns, table(t.text))
			}
		}
		i = end + 1
	}
	if v := top(toks, min(i, len(toks)), "values"); v < len(toks) && word(toks, v+1) == "(" {
		s.values(toks[v+2 : min(closing(toks, v+1), len(toks))])
	}
	if a := top(toks, min(i, len(toks)), "as", "on"); word(toks, a) == "as" {
		s.row = word(toks, a+1)
	}
	if r := top(toks, 0, "returning"); r < len(toks) {
		s.Returning = true
		for _, t := range toks[r:] {
			if t.text == "xmax" || t.text == "inserted" {
				s.SaysInserted = true
			}
		}
	}
	s.onConflict(toks)
	if s.Conflict == Fails && s.Partial {
		s.Conflict = ConflictUnknown
	}
	// INSERT … SELECT … WHERE NOT EXISTS finds its row the second time.
	if s.Conflict == Fails {
		for j := range toks {
			if toks[j].text == "not" && word(toks, j+1) == "exists" {
				s.Guarded = true
			}
		}
	}
}

// pairs reads the columns and values of MySQL's INSERT INTO t SET a = ?, b = ?.
func (s *Statement) pairs(toks []token) {
	n := 0
	for i := 0; i < len(toks); {
		end := top(toks, i, ",")
		s.Columns = append(s.Columns, table(toks[i].text))
		s.value(toks[min(i+2, end):end], &n)
		i = end + 1
	}
}

func (s *Statement) values(toks []token) {
	start, n := 0, 0
	for start <= len(toks) {
		end := min(top(toks, start, ","), len(toks))
		s.value(toks[start:end], &n)
		start = end + 1
	}
}

// value reads the value of one column; n counts the bind parameters so far.
func (s *Statement) value(toks []token, n *int) {
	p, drawn := 0, false
	for i, t := range toks {
		if q := param(t, n); q != 0 && p == 0 {
			p = q
		}
		drawn = drawn || word(toks, i+1) == "(" && draws(t.text)
	}
	if drawn && p == 0 {
		s.RandomKey = s.RandomKey || len(s.Params) == 0
		s.Drawn = append(s.Drawn, len(s.Params))
	}
	s.Params = append(s.Params, p)
}

// draws reports whether the function of that name returns a random UUID.
func draws(name string) bool {
	switch table(name) {
	case "gen_random_uuid", "uuid_generate_v4", "uuid", "uuidv4", "newid":
		return true
	}
	return false
}

// MayDraw reports whether a text can hold an INSERT with a random UUID: a quick look
// before Parse.
func MayDraw(text string) bool {
	if len(text) < len("insert into t values(uuid())") || !strings.Contains(text, "(") {
		return false
	}
	text = strings.ToLower(text)
	return strings.Contains(text, "insert") && (strings.Contains(text, "uuid") || strings.Contains(text, "newid"))
}

// param returns the number of a bind parameter, counting ? and named ones.
func param(t token, n *int) int {
	switch {
	case t.text == "?":
		*n++
		return *n
	case strings.HasPrefix(t.text, "$"):
		v := 0
		for _, c := range t.text[1:] {
			if c < '0' || c > '9' {
				break
			}
			v = v*10 + int(c-'0')
		}
		return v
	case len(t.text) > 1 && (t.text[0] == ':' || t.text[0] == '@') && t.text != "::" && t.text != ":=":
		*n++
		return *n
	}
	return 0
}

func (s *Statement) onConflict(toks []token) {
	for i := range toks {
		if toks[i].text != "on" {
			continue
		}
		switch word(toks, i+1) {
		case "conflict":
			j := i + 2
			if word(toks, j) == "(" {
				end := min(closing(toks, j), len(toks))
				for _, t := range toks[j+1 : end] {
					if t.text != "," {
						s.Target = append(s.Target, t.text)
					}
				}
			}
			d := top(toks, j, "do")
			if word(toks, d+1) == "nothing" {
				s.Conflict = Nothing
			} else if d < len(toks) {
				s.Conflict = Overwrites
				s.assign(toks, top(toks, d, "set")+1, "where", "returning")
				if w := top(toks, d, "where"); w < len(toks) {
					s.Guarded = true
				}
			} else if s.Partial {
				s.Conflict = ConflictUnknown
			}
		case "duplicate":
			s.Conflict = Overwrites
			s.assign(toks, i+4, "returning")
			if s.noop(toks[min(i+4, len(toks)):]) {
				s.Conflict = Nothing
			}
		}
	}
}

// noop reports whether an assignment list sets one column to itself: id = id, or
// MySQL's way to read the id of the row that is there, id = LAST_INSERT_ID(id).
// An alias of the new row (new.id) is something else.
func (s *Statement) noop(toks []token) bool {
	n := min(top(toks, 0, "returning", ";"), len(toks))
	if n < 3 || toks[1].text != "=" {
		return false
	}
	col := table(toks[0].text)
	old := func(t token) bool {
		i := strings.LastIndexByte(t.text, '.')
		return table(t.text) == col && (i < 0 || table(t.text[:i]) == s.Table)
	}
	return n == 3 && old(toks[2]) ||
		n == 6 && toks[2].text == "last_insert_id" && toks[3].text == "(" && old(toks[4])
}

func (s *Statement) merge(toks []token) {
	s.Verb = Insert
	s.Table = table(word(toks, skip(toks, 1, "into", "only")))
	s.Conflict = Nothing
	for j := range toks {
		if toks[j].text == "when" && word(toks, j+1) == "matched" && word(toks, top(toks, j, "then")+1) != "do" {
			s.Conflict = Overwrites
		}
	}
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

func joined(toks []token) string {
	var b strings.Builder
	for _, t := range toks {
		b.WriteString(t.text)
		b.WriteByte(' ')
	}
	return b.String()
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
