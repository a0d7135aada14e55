package sqltext

import (
	"slices"
	"strings"

	sqllexer "github.com/DataDog/go-sqllexer"
)

// ChangeKind is what one statement, or one action of an ALTER TABLE, does to the
// shape of a table.
type ChangeKind uint8

// The kinds of changes.
const (
	NoChange     ChangeKind = iota // a statement that changes no table's shape; Words has its text
	CreateTable                    // Columns, Keys, PartitionBy; or Parent for a partition of a table
	CopyTable                      // CREATE TABLE … AS, (LIKE …): the shape is that of Parent
	AddColumn                      // Columns, Keys
	AddKey                         // Keys
	DropKey                        // Name, "" for the primary key
	DropColumn                     // Name
	DropTable                      //
	RenameTable                    // Name is the new one
	RenameColumn                   // Name becomes NewName
	SetDefault                     // Columns
)

// Column is a column of a table.
type Column struct {
	Name    string
	Type    string // the first word, lower case
	Default string // the default's expression, lower case, its tokens joined by spaces
	Serial  bool   // the database counts it up
	At      int    // where it stands, in bytes
}

// Key is a primary key, a unique constraint or a unique index.
type Key struct {
	Name    string
	Columns []string
	Primary bool
	Partial bool // it holds for some rows only, or for an expression
	At      int  // where it stands, in bytes
}

// Change is one statement, or one action of an ALTER TABLE.
type Change struct {
	Kind        ChangeKind
	Table       string // lower case, without quotes and schema
	At          int    // where it begins, in bytes
	Columns     []Column
	Keys        []Key
	Parent      string
	PartitionBy []string // the columns, or the words of an expression
	Name        string
	NewName     string
	Words       []string // the statement's tokens, lower case, texts in quotes taken apart
}

// Script returns what the statements of a text do to the shape of tables, in
// their order. It understands what PostgreSQL, MySQL and SQLite call CREATE
// TABLE, ALTER TABLE, CREATE UNIQUE INDEX and DROP; what it does not understand
// is of kind NoChange.
func Script(text string) []Change {
	toks := scan(text)
	var out []Change
	for len(toks) > 0 {
		end := top(toks, 0, ";")
		if end > 0 {
			out = append(out, define(toks[:end])...)
		}
		toks = toks[min(end+1, len(toks)):]
	}
	return out
}

// define reads one statement.
func define(toks []token) []Change {
	c := Change{At: toks[0].at, Words: words(toks)}
	switch word(toks, 0) {
	case "create":
		i := skip(toks, 1, "or", "replace", "temp", "temporary", "unlogged", "global", "local")
		switch word(toks, i) {
		case "table":
			c.create(toks, i+1)
		case "unique":
			c.index(toks, i+1)
		}
	case "alter":
		if i := skip(toks, 1, "ignore"); word(toks, i) == "table" {
			return alter(toks, i+1, c)
		}
	case "drop":
		switch word(toks, 1) {
		case "table":
			c.Kind, c.Table = DropTable, table(word(toks, skip(toks, 2, "if", "exists")))
		case "index":
			c.Kind, c.Name = DropKey, table(word(toks, skip(toks, 2, "concurrently", "if", "exists")))
			if on := top(toks, 0, "on"); on < len(toks) {
				c.Table = table(word(toks, on+1))
			}
		}
	case "rename":
		if to := top(toks, 0, "to"); word(toks, 1) == "table" && to < len(toks) {
			c.Kind, c.Table, c.Name = RenameTable, table(word(toks, 2)), table(word(toks, to+1))
		}
	}
	return []Change{c}
}

// words returns the tokens' texts, those of quoted ones taken apart: a job's
// command and a function's body are texts.
func words(toks []token) []string {
	var out []string
	for _, t := range toks {
		switch t.kind {
		case sqllexer.STRING, sqllexer.DOLLAR_QUOTED_FUNCTION, sqllexer.DOLLAR_QUOTED_STRING:
			inner := strings.Trim(t.text, "'")
			if open, rest, ok := strings.Cut(inner, "$"); ok && open == "" {
				if tag, body, ok := strings.Cut(rest, "$"); ok {
					inner = strings.TrimSuffix(body, "$"+tag+"$")
				}
			}
			if inner == "" || inner == t.text {
				out = append(out, t.text)
				continue
			}
			if within := words(scan(inner)); within != nil {
				out = append(out, within...)
			} else {
				out = append(out, t.text) // a text of spaces: a statement has a word at least
			}
		default:
			out = append(out, t.text)
		}
	}
	return out
}

// create reads CREATE TABLE from the name on.
func (c *Change) create(toks []token, i int) {
	i = skip(toks, i, "if", "not", "exists")
	c.Kind, c.Table = CreateTable, table(word(toks, i))
	i++
	switch word(toks, i) {
	case "partition":
		if word(toks, i+1) == "of" {
			c.Parent = table(word(toks, i+2))
		}
		return
	case "as", "like", "select":
		c.Kind = CopyTable
		c.Parent = table(word(toks, i+1))
		return
	}
	if word(toks, i) != "(" {
		c.Kind = NoChange
		return
	}
	end := min(closing(toks, i), len(toks))
	for start := i + 1; start < end; {
		stop := min(top(toks, start, ","), end)
		c.element(toks[start:stop])
		start = stop + 1
	}
	rest := toks[min(end+1, len(toks)):]
	if p := top(rest, 0, "partition"); word(rest, p+1) == "by" {
		open := p
		for open < len(rest) && rest[open].text != "(" {
			open++
		}
		if open < len(rest) {
			for _, t := range rest[open+1 : min(closing(rest, open), len(rest))] {
				if t.text != "," {
					c.PartitionBy = append(c.PartitionBy, table(t.text))
				}
			}
		}
	}
}

// element reads a column or a constraint of CREATE TABLE.
func (c *Change) element(toks []token) {
	if len(toks) == 0 {
		return
	}
	if word(toks, 0) == "like" {
		c.Kind, c.Parent = CopyTable, table(word(toks, 1))
		return
	}
	if key, ok := constraint(toks); ok {
		if key.Columns != nil {
			c.Keys = append(c.Keys, key)
		}
		return
	}
	col, keys := column(toks)
	c.Columns = append(c.Columns, col)
	c.Keys = append(c.Keys, keys...)
}

// constraint reads a table's constraint; ok says that it is one, and a key
// without columns that it is no key.
func constraint(toks []token) (key Key, ok bool) {
	key.At = toks[0].at
	i := 0
	if word(toks, 0) == "constraint" {
		key.Name = word(toks, 1)
		i, ok = 2, true
		if w := word(toks, 1); w == "primary" || w == "unique" { // MySQL lets the name be missing
			key.Name, i = "", 1
		}
	}
	switch word(toks, i) {
	case "primary":
		key.Primary = true
	case "unique":
		// A column may be called so, with a type after it.
		if !ok && !hasParen(toks[i:]) {
			return key, false
		}
	case "check", "foreign", "exclude", "fulltext", "spatial":
		return key, true
	case "key", "index": // or a column of that name
		return key, ok || hasParen(toks) && !slices.Contains(types, word(toks, i+1))
	default:
		return key, ok
	}
	open := i
	for open < len(toks) && toks[open].text != "(" {
		open++
	}
	if open >= len(toks) {
		if using := top(toks, i, "index"); word(toks, i+1) == "using" || word(toks, using-1) == "using" {
			key.Name = word(toks, using+1) // an index becomes the constraint
		}
		return key, true
	}
	if w := word(toks, open-1); key.Name == "" && !slices.Contains([]string{"primary", "key", "unique", "index", "distinct"}, w) {
		key.Name = w
	}
	key.columns(toks[open+1 : min(closing(toks, open), len(toks))])
	return key, true
}

// types are the types of columns that are called key.
var types = []string{"varchar", "char", "character", "nvarchar", "varbinary", "binary", "int", "integer", "bigint", "decimal", "numeric"}

func hasParen(toks []token) bool {
	return slices.ContainsFunc(toks, func(t token) bool { return t.text == "(" })
}

// columns reads the list of a key's columns.
func (k *Key) columns(toks []token) {
	for start := 0; start < len(toks); {
		stop := top(toks, start, ",")
		k.Columns = append(k.Columns, table(toks[start].text))
		// lower(id), (id || x); but MySQL's prefix id(36), and id DESC.
		if open := word(toks, start+1); toks[start].text == "(" || open == "(" && stop > start+2 && toks[start+2].kind != sqllexer.NUMBER {
			k.Partial = true
		}
		start = stop + 1
	}
}

// column reads a column's definition.
func column(toks []token) (Column, []Key) {
	c := Column{Name: table(toks[0].text), Type: word(toks, 1), At: toks[0].at}
	c.Serial = strings.Contains(c.Type, "serial")
	var keys []Key
	depth := 0
	for i := 1; i < len(toks); i++ {
		switch toks[i].text {
		case "(":
			depth++
		case ")":
			depth--
		}
		if depth > 0 {
			continue
		}
		switch toks[i].text {
		case "primary":
			keys = append(keys, Key{Columns: []string{c.Name}, Primary: true, At: toks[0].at})
		case "unique":
			keys = append(keys, Key{Columns: []string{c.Name}, At: toks[0].at})
		case "auto_increment", "autoincrement", "identity":
			c.Serial = true
		case "default":
			end := top(toks, i+1, "not", "null", "primary", "unique", "check", "references", "constraint", "collate", "comment", "on", "generated")
			if end == i+1 {
				end = min(i+2, len(toks)) // DEFAULT NULL
			}
			c.Default = strings.TrimSpace(joined(toks[i+1 : min(end, len(toks))]))
		}
	}
	return c, keys
}

// index reads CREATE UNIQUE INDEX from the word INDEX on.
func (c *Change) index(toks []token, i int) {
	on := top(toks, i, "on")
	open := on
	for open < len(toks) && toks[open].text != "(" {
		open++
	}
	if word(toks, i) != "index" || open >= len(toks) {
		return
	}
	key := Key{At: toks[0].at}
	if on > i+1 {
		key.Name = table(word(toks, on-1))
	}
	key.columns(toks[open+1 : min(closing(toks, open), len(toks))])
	key.Partial = key.Partial || top(toks, open, "where") < len(toks)
	c.Kind, c.Table, c.Keys = AddKey, table(word(toks, skip(toks, on+1, "only"))), []Key{key}
}

// alter reads the actions of ALTER TABLE, from the table's name on.
func alter(toks []token, i int, c Change) []Change {
	i = skip(toks, i, "if", "exists", "only")
	c.Table = table(word(toks, i))
	var out []Change
	for i++; i < len(toks); {
		end := min(top(toks, i, ","), len(toks))
		a := c
		a.At = toks[i].at
		a.action(toks[i:end])
		out = append(out, a)
		i = end + 1
	}
	return out
}

func (c *Change) action(toks []token) {
	i := 1
	switch word(toks, 0) {
	case "add":
		i = skip(toks, i, "column", "if", "not", "exists")
		if i >= len(toks) {
			return
		}
		list := toks[i:]
		if word(list, 0) == "(" { // MySQL and Oracle: ADD (a INT, b INT)
			list = list[1:min(closing(list, 0), len(list))]
		}
		if len(list) == 0 {
			return
		}
		if key, ok := constraint(list); ok {
			c.Kind, c.Keys = AddKey, []Key{key}
			return
		}
		col, keys := column(list)
		c.Kind, c.Columns, c.Keys = AddColumn, []Column{col}, keys
	case "drop":
		switch word(toks, i) {
		case "constraint", "index", "key":
			c.Kind, c.Name = DropKey, table(word(toks, skip(toks, i+1, "if", "exists")))
		case "primary":
			c.Kind = DropKey
		default:
			c.Kind, c.Name = DropColumn, table(word(toks, skip(toks, i, "column", "if", "exists")))
		}
	case "rename":
		to := top(toks, 0, "to")
		switch {
		case to >= len(toks):
		case to == 1 || word(toks, 1) == "as":
			c.Kind, c.Name = RenameTable, table(word(toks, to+1))
		case word(toks, 1) != "constraint" && word(toks, 1) != "index":
			c.Kind, c.Name, c.NewName = RenameColumn, table(word(toks, to-1)), table(word(toks, to+1))
		}
	case "alter":
		i = skip(toks, i, "column")
		if d := top(toks, i, "default"); word(toks, d-1) == "set" {
			c.Kind = SetDefault
			c.Columns = []Column{{Name: table(word(toks, i)), Default: strings.TrimSpace(joined(toks[min(d+1, len(toks)):]))}}
		}
	}
}
