package sqltext

import "strings"

// Statements that insert: what they bind, and what happens when the row is there.

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
