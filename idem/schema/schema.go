// Package schema has the dedup table's SQL: the versioned migrations for each database,
// and PostgreSQL functions that keep the partitions for those who run upkeep from psql or
// pg_cron. The drivers' Migrate functions apply the migrations; Migrations gives them to
// another migration tool.
package schema

import (
	"embed"
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/idem"
)

// Dialect is a kind of database.
type Dialect string

// The databases that have a dedup table. MySQL includes MariaDB.
const (
	Postgres Dialect = "postgres"
	MySQL    Dialect = "mysql"
	SQLite   Dialect = "sqlite"
)

// Migration is a step of the dedup table's schema.
type Migration struct {
	// Version counts from 1.
	Version int
	// SQL is one or more statements, each ended by a semicolon at the end of a line. Each
	// may be run again.
	SQL string
}

// Statements returns the statements one by one, for drivers that take one at a time.
func (m Migration) Statements() []string {
	var statements []string
	for s := range strings.SplitSeq(m.SQL, ";\n") {
		if s = strings.TrimSpace(s); s != "" {
			statements = append(statements, s)
		}
	}
	return statements
}

//go:embed sql
var files embed.FS

// Migrations returns the migrations of a table in the order of their versions. cfg names
// the table and its shape. It fails for a configuration that cannot be used and for a
// shape that the database does not have: MySQL and SQLite have the plain one only.
func Migrations(d Dialect, cfg idem.Config) ([]Migration, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return nil, err
	}
	var migrations []Migration
	for version := 1; ; version++ {
		text, err := files.ReadFile(fmt.Sprintf("sql/%s_%s_%d.sql", d, cfg.Schema, version))
		if err != nil {
			break
		}
		migrations = append(migrations, Migration{version, fill(string(text), cfg.Table)})
	}
	if len(migrations) == 0 {
		return nil, fmt.Errorf("schema: %s has no %s dedup table; set Config.Schema to idem.Plain, or use PostgreSQL", d, cfg.Schema)
	}
	return migrations, nil
}

// VersionTable returns the name of the table in which the drivers' Migrate functions
// record the versions that they have applied to table.
func VersionTable(table string) string { return table + "_schema" }

// PartitionFunctions returns the SQL that creates the functions for the upkeep of a
// partitioned table from psql or pg_cron; the comments in it say how they are run. They
// do the same as Maintain of package idempgx. Creating them again replaces them.
func PartitionFunctions(cfg idem.Config) (string, error) {
	cfg, err := cfg.WithDefaults()
	if err != nil {
		return "", err
	}
	text, err := files.ReadFile("sql/postgres_functions.sql")
	return fill(string(text), cfg.Table), err
}

// fill puts the table's name into the SQL: {{table}} as it is, {{name}} without its schema.
func fill(text, table string) string {
	_, name, found := strings.Cut(table, ".")
	if !found {
		name = table
	}
	return strings.NewReplacer("{{table}}", table, "{{name}}", name).Replace(text)
}
