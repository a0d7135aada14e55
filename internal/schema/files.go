package schema

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// maxFiles bounds the files of a directory tree that are read.
const maxFiles = 5000

// ReadFiles reads the SQL files among the paths and, recursively, in the
// directories among them, in the order in which a migration tool would apply
// them. Undo scripts and down sections are left out. root is cut off the names.
func ReadFiles(root string, paths ...string) ([]*Source, error) {
	var files []string
	for _, p := range paths {
		info, err := os.Stat(p)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			files = append(files, p)
			continue
		}
		var found []string
		err = filepath.WalkDir(p, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && path != p && skipped(d.Name()):
				return filepath.SkipDir
			case !d.IsDir() && strings.EqualFold(filepath.Ext(path), ".sql"):
				if found = append(found, path); len(found) > maxFiles {
					return ErrTooMany
				}
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		slices.SortFunc(found, func(a, b string) int { return compare(rel(p, a), rel(p, b)) })
		files = append(files, found...)
	}
	var out []*Source
	for _, f := range files {
		if undo.MatchString(filepath.Base(f)) {
			continue
		}
		data, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		out = append(out, Up(rel(root, f), string(data)))
	}
	return out, nil
}

// ErrTooMany says that a tree has more SQL files than are read.
var ErrTooMany = errors.New("more than " + strconv.Itoa(maxFiles) + " SQL files")

func rel(root, path string) string {
	if r, err := filepath.Rel(root, path); err == nil && !strings.HasPrefix(r, "..") {
		return filepath.ToSlash(r)
	}
	return filepath.ToSlash(path)
}

// skipped reports whether a directory of that name holds no schema of the
// program's own.
func skipped(name string) bool {
	return strings.HasPrefix(name, ".") || name == "vendor" || name == "node_modules" || name == "testdata"
}

// undo matches files that take a migration back: golang-migrate's 1_x.down.sql,
// Flyway's U1__x.sql.
var undo = regexp.MustCompile(`(?i)\.down\.sql$|^U\d+(\.\d+)*__|[._-](rollback|undo|down)\.sql$`)

// sections are the marks of the tools that keep both directions in one file:
// goose, sql-migrate, dbmate and tern.
var (
	upMark   = regexp.MustCompile(`(?im)^\s*--\s*(\+goose\s+up|\+migrate\s+up|migrate:up)\b.*$`)
	downMark = regexp.MustCompile(`(?im)^\s*(--\s*(\+goose\s+down|\+migrate\s+down|migrate:down)\b|---- create above / drop below ----).*$`)
)

// Up returns the part of a migration that makes the schema.
func Up(name, text string) *Source {
	s := &Source{Name: name, Text: text}
	if m := downMark.FindStringIndex(s.Text); m != nil {
		if up := upMark.FindStringIndex(s.Text); up == nil || up[0] < m[0] {
			s.Text = s.Text[:m[0]]
		}
	}
	if m := upMark.FindStringIndex(s.Text); m != nil {
		s.Lines = strings.Count(s.Text[:m[1]], "\n")
		s.Text = s.Text[m[1]:]
	}
	return s
}

// compare orders the paths of migrations: numbers by value, so that 10 comes
// after 9.
func compare(a, b string) int {
	for a != "" && b != "" {
		na, ra := number(a)
		nb, rb := number(b)
		if na != "" && nb != "" {
			na, nb = strings.TrimLeft(na, "0"), strings.TrimLeft(nb, "0")
			if len(na) != len(nb) {
				return len(na) - len(nb)
			}
			if c := strings.Compare(na, nb); c != 0 {
				return c
			}
			a, b = ra, rb
			continue
		}
		if a[0] != b[0] {
			return int(a[0]) - int(b[0])
		}
		a, b = a[1:], b[1:]
	}
	return len(a) - len(b)
}

// number cuts the digits off the beginning of a text.
func number(s string) (digits, rest string) {
	i := 0
	for i < len(s) && '0' <= s[i] && s[i] <= '9' {
		i++
	}
	return s[:i], s[i:]
}

// usual are the places where projects keep their migrations, beneath a package,
// a service or the module.
var usual = []string{
	"migrations", "migration", "db/migrations", "db/migration", "database/migrations", "database/migration", "sql/migrations",
	"internal/migrations", "internal/db/migrations", "internal/database/migrations", "internal/storage/migrations", "pkg/db/migrations",
	"resources/db/migration", "deploy/migrations", "deployments/migrations", "build/migrations", "scripts/migrations",
	"db/schema", "sql/schema", "schema", "db/schemas", "sql/schemas", "schemas", "sql", "db", "database", "scripts", "ent/migrate/migrations",
}

// Near returns the SQL files of the nearest usual place, from a package's
// directory up to the root of its module, whose schema has the table; nil when
// there is none.
func Near(dir, root, table string) (*Schema, error) {
	for {
		var paths []string
		for _, u := range usual {
			p := filepath.Join(dir, filepath.FromSlash(u))
			if info, err := os.Stat(p); err == nil && info.IsDir() {
				paths = append(paths, p)
			}
		}
		own, err := filepath.Glob(filepath.Join(dir, "*.sql"))
		if err != nil {
			return nil, err
		}
		for _, p := range append(paths, own...) {
			sources, err := ReadFiles(root, p)
			if err != nil {
				return nil, err
			}
			s := Read(sources)
			switch {
			case s.Tables[table] == nil:
			case embedded(p):
				return nil, nil // the package that embeds it is judged
			default:
				return s, nil
			}
		}
		up := filepath.Dir(dir)
		if dir == root || up == dir {
			return nil, nil
		}
		dir = up
	}
}

// embedded reports whether Go code in the directory of the path, or beside it,
// embeds SQL.
func embedded(path string) bool {
	for _, dir := range []string{path, filepath.Dir(path)} {
		files, err := filepath.Glob(filepath.Join(dir, "*.go"))
		if err != nil {
			return false
		}
		for _, f := range files {
			if data, err := os.ReadFile(f); err == nil && embedLine.Match(data) {
				return true
			}
		}
	}
	return false
}

var embedLine = regexp.MustCompile(`(?m)^//go:embed .*(sql|migration|schema)`)

// ReadAll reads the SQL files of places that are relative to a directory.
func ReadAll(root string, places []string) (*Schema, error) {
	paths := make([]string, len(places))
	for i, p := range places {
		paths[i] = filepath.Join(root, filepath.FromSlash(p))
	}
	sources, err := ReadFiles(root, paths...)
	if err != nil {
		return nil, err
	}
	return Read(sources), nil
}

// ModuleRoot returns the directory of the go.mod at or above dir; dir itself when
// there is none.
func ModuleRoot(dir string) string {
	for d := dir; ; {
		if _, err := os.Stat(filepath.Join(d, "go.mod")); err == nil {
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return dir
		}
		d = up
	}
}

// Fingerprint returns a text that changes with the SQL files in the places, files or
// directories, relative to a directory: for drivers that keep results and do not see them.
func Fingerprint(root string, places ...string) string {
	h := sha256.New()
	var sources []*Source
	for _, p := range places {
		more, err := ReadFiles(root, filepath.Join(root, filepath.FromSlash(p)))
		fmt.Fprintf(h, "%v\n", err)
		sources = append(sources, more...)
	}
	for _, s := range sources {
		fmt.Fprintf(h, "%s %d %s", s.Name, len(s.Text), s.Text)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}
