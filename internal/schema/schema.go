// Package schema reads what migrations and SQL literals make of a dedup table,
// and judges it: R-KFK-IDEM-2 wants a unique event id for each consumer group,
// and an end to each row's life.
package schema

import (
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/sqltext"
)

// Source is a text with SQL statements.
type Source struct {
	Name string // for messages: "migrations/0001_init.up.sql"
	Text string // what is executed when the schema is made: no down section
	// Lines is the number of lines of the file before Text.
	Lines int
}

// Place is a position in a source.
type Place struct {
	Source *Source
	At     int // in bytes of Source.Text
}

// Line returns the line of the place in its file, from 1.
func (p Place) Line() int {
	return p.Source.Lines + 1 + strings.Count(p.Source.Text[:min(p.At, len(p.Source.Text))], "\n")
}

// Column returns the column of the place in its line, in bytes from 1.
func (p Place) Column() int {
	at := min(p.At, len(p.Source.Text))
	return at - strings.LastIndexByte(p.Source.Text[:at], '\n')
}

// Column is a column of a table.
type Column = sqltext.Column

// Key is a primary key, a unique constraint or a unique index.
type Key struct {
	sqltext.Key
	Place Place
}

// Table is the shape of a table when all sources have been executed.
type Table struct {
	Name        string
	Place       Place
	Columns     []Column
	Keys        []Key
	PartitionBy []string
	// Unknown: it was changed in a way that cannot be followed.
	Unknown bool

	sources map[string]*Source // of the columns
}

// Schema is what the sources make.
type Schema struct {
	Tables map[string]*Table
	rest   [][]string // the other statements' words
}

// Read executes the sources in their order.
func Read(sources []*Source) *Schema {
	s := &Schema{Tables: make(map[string]*Table)}
	for _, src := range sources {
		for _, c := range sqltext.Script(src.Text) {
			s.apply(src, c)
		}
	}
	return s
}

func (s *Schema) apply(src *Source, c sqltext.Change) {
	place := Place{src, c.At}
	t := s.Tables[c.Table]
	switch c.Kind {
	case sqltext.NoChange:
		s.rest = append(s.rest, c.Words)
		return
	case sqltext.CreateTable:
		if c.Parent != "" || t != nil {
			return // a partition, or IF NOT EXISTS
		}
		t = &Table{Name: c.Table, Place: place, PartitionBy: c.PartitionBy, sources: make(map[string]*Source)}
		t.addColumns(src, c.Columns)
		t.addKeys(src, c.Keys)
		s.Tables[c.Table] = t
		return
	case sqltext.CopyTable:
		s.Tables[c.Table] = &Table{Name: c.Table, Place: place, Unknown: true, sources: make(map[string]*Source)}
		return
	case sqltext.DropKey:
		if c.Table == "" { // PostgreSQL's DROP INDEX does not name the table
			for _, t := range s.Tables {
				t.drop(c.Name)
			}
			return
		}
	}
	if t == nil {
		return
	}
	switch c.Kind {
	case sqltext.AddColumn:
		t.addColumns(src, c.Columns)
		t.addKeys(src, c.Keys)
	case sqltext.AddKey:
		t.addKeys(src, c.Keys)
	case sqltext.DropKey:
		t.drop(c.Name)
	case sqltext.DropColumn:
		t.Columns = slices.DeleteFunc(t.Columns, func(col Column) bool { return col.Name == c.Name })
		t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool { return slices.Contains(k.Columns, c.Name) })
	case sqltext.DropTable:
		delete(s.Tables, c.Table)
	case sqltext.RenameTable:
		delete(s.Tables, c.Table)
		t.Name = c.Name
		s.Tables[c.Name] = t
	case sqltext.RenameColumn:
		t.rename(c.Name, c.NewName)
	case sqltext.SetDefault:
		for i := range t.Columns {
			if t.Columns[i].Name == c.Columns[0].Name {
				t.Columns[i].Default = c.Columns[0].Default
			}
		}
	}
}

func (t *Table) addColumns(src *Source, cols []Column) {
	t.Columns = append(t.Columns, cols...)
	for _, c := range cols {
		t.sources[c.Name] = src
	}
}

// At returns the place of a column's definition, of the table's when it is not
// known.
func (t *Table) At(c Column) Place {
	if src := t.sources[c.Name]; src != nil {
		return Place{src, c.At}
	}
	return t.Place
}

func (t *Table) addKeys(src *Source, keys []sqltext.Key) {
	for _, k := range keys {
		if len(k.Columns) == 0 { // USING INDEX, or a check
			continue
		}
		t.Keys = append(t.Keys, Key{k, Place{src, k.At}})
	}
}

// drop removes the key of that name, as given or as the database would have
// named it; the primary key when there is none.
func (t *Table) drop(name string) {
	t.Keys = slices.DeleteFunc(t.Keys, func(k Key) bool {
		switch {
		case k.Primary && (name == "" || name == t.Name+"_pkey"):
			return true
		case k.Name != "":
			return k.Name == name
		}
		return !k.Primary && name == t.Name+"_"+strings.Join(k.Columns, "_")+"_key"
	})
}

func (t *Table) rename(from, to string) {
	for i := range t.Columns {
		if t.Columns[i].Name == from {
			t.Columns[i].Name = to
		}
	}
	for _, k := range t.Keys {
		for i := range k.Columns {
			if k.Columns[i] == from {
				k.Columns[i] = to
			}
		}
	}
}

func (t *Table) column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

// Ends reports whether something in the sources ends the life of the table's old
// rows: range partitions, a DELETE, a job of pg_partman, pg_cron or the database's
// own scheduler that names the table.
func (s *Schema) Ends(table string) bool {
	if t := s.Tables[table]; t != nil && len(t.PartitionBy) > 0 {
		return true
	}
	return slices.ContainsFunc(s.rest, func(words []string) bool { return Cleans(words, table) })
}

// Cleans reports whether a statement, by its words, removes rows or partitions of
// the table.
func Cleans(words []string, table string) bool {
	removes := false
	for i, w := range words {
		switch w[strings.LastIndexByte(w, '.')+1:] {
		case "delete", "truncate", "detach", "create_parent", "drop_chunks", "add_retention_policy", "ttl":
			removes = true
		case "drop":
			removes = removes || i+1 < len(words) && words[i+1] == "partition"
		}
	}
	return removes && !single(words) && slices.ContainsFunc(words, func(w string) bool { return names(w, table) })
}

// single reports whether a statement removes the row of one key only: it takes a
// claim back.
func single(words []string) bool {
	return words[0] == "delete" && slices.Contains(words, "where") && !slices.ContainsFunc(words, func(w string) bool {
		switch w {
		case "<", "<=", ">", ">=", "between", "interval", "limit":
			return true
		}
		return false
	})
}

// names reports whether a word is the table's name, with or without a schema.
func names(word, table string) bool {
	word = strings.Trim(word, `"'`)
	if i := strings.LastIndexByte(word, '.'); i >= 0 {
		word = word[i+1:]
	}
	return word == table
}
