package settings

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
)

// FileName is the name of the configuration file.
const FileName = ".idemlint.yml"

// Analyzer finds the configuration that holds for a package. Its result is a
// *Loaded. A mistake in the file is in Loaded.Err: a driver would name an error
// of this analyzer only as a failed prerequisite, so the rules return it.
var Analyzer = &analysis.Analyzer{
	Name:             "idemlint",
	Doc:              doc,
	URL:              "https://github.com/idemlint/idemlint/blob/main/docs/configuration.md",
	ResultType:       reflect.TypeFor[*Loaded](),
	RunDespiteErrors: true,
	Run: func(pass *analysis.Pass) (any, error) {
		if len(pass.Files) == 0 {
			return loaded(""), nil
		}
		return For(filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)), nil
	},
}

const doc = `read the configuration of the rules

The nearest file .idemlint.yml, searched upward from each package to the root of
the repository, names what is the house's own: dedup tables, event ids,
listeners, gates, transaction runners, effects, money calls; and switches rules
on and off. The flags add to it.

	dedup-tables: [ledger_marks]
	gates:
	  - func: (example.com/platform/inbox.Inbox).FirstTime
	    key: 2
	rules:
	  offsetkey: false

This analyzer reports nothing itself.`

func init() {
	Analyzer.Flags.StringVar(&flags.config, "config", "", "read this configuration instead of the nearest "+FileName)
	Analyzer.Flags.BoolVar(&flags.strict, "strict", false, "report guarded writes too")
	Analyzer.Flags.BoolVar(&flags.acceptOverwrites, "accept-overwrites", false, "do not report writes that only put a value again")
}

var flags struct {
	config                   string
	strict, acceptOverwrites bool
}

// Loaded is the configuration that holds for a package and the catalogue that
// follows from it.
type Loaded struct {
	*Settings
	Catalog *catalog.Catalog
	Dir     string // of the configuration file, "" when there is none
	// Err says what is wrong with the configuration, with file, line and what
	// is allowed; then nothing else holds.
	Err error

	claimed sync.Once
}

// Claim returns Err to its first caller, and nil to the others: one mistake is
// reported once, not for each rule and package.
func (l *Loaded) Claim() (err error) {
	l.claimed.Do(func() { err = l.Err })
	if err != nil && OnError != nil {
		OnError(err)
	}
	return err
}

// OnError is called, when a driver sets it, with the mistake in a configuration
// before a rule returns it: a command that has nothing to do without a valid
// configuration ends there.
var OnError func(error)

var (
	mu       sync.Mutex
	override *Settings
	byFile   = make(map[string]*Loaded)
	byDir    = make(map[string]string)
)

// Use makes s the configuration of every package: the way of a driver that has
// settings of its own. With nil each package has that of its nearest file again.
// It returns an error when s is not valid.
func Use(s *Settings) error {
	if s != nil {
		if err := s.Validate(); err != nil {
			return err
		}
	}
	mu.Lock()
	defer mu.Unlock()
	override = s
	clear(byFile)
	return nil
}

// Of returns the settings that a driver read from a file of its own, as maps,
// lists, texts, numbers and booleans. The keys and the errors are those of
// .idemlint.yml, without positions.
func Of(conf any) (*Settings, error) {
	data, err := yaml.Marshal(conf)
	if err != nil {
		return nil, fmt.Errorf("idemlint settings: %w", err)
	}
	s, err := Parse("", data)
	if err != nil {
		return nil, fmt.Errorf("idemlint settings: %s", place.ReplaceAllString(err.Error(), ""))
	}
	return s, nil
}

// place matches the position at the beginning of an error of Parse.
var place = regexp.MustCompile(`^:\d+(:\d+)?: `)

// Fingerprint returns a text that changes with the configuration that holds in a
// directory: for drivers that keep results and do not see the file.
func Fingerprint(dir string) string {
	h := sha256.New()
	mu.Lock()
	s := override
	mu.Unlock()
	if s != nil {
		fmt.Fprintf(h, "%+v", *s)
	} else if path := find(dir); path != "" {
		data, err := os.ReadFile(path)
		fmt.Fprintf(h, "%s %v", data, err)
	}
	return hex.EncodeToString(h.Sum(nil))[:12]
}

// For returns the configuration that holds for a directory.
func For(dir string) *Loaded {
	if flags.config != "" {
		return loaded(flags.config)
	}
	mu.Lock()
	path, ok := byDir[dir]
	mu.Unlock()
	if !ok {
		path = find(dir)
		mu.Lock()
		byDir[dir] = path
		mu.Unlock()
	}
	return loaded(path)
}

// find returns the path of the nearest configuration at or above dir, or "".
// The search ends at the root of the repository.
func find(dir string) string {
	for {
		path := filepath.Join(dir, FileName)
		if _, err := os.Stat(path); err == nil {
			return path
		}
		if _, err := os.Stat(filepath.Join(dir, ".git")); err == nil {
			return ""
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func loaded(path string) *Loaded {
	mu.Lock()
	defer mu.Unlock()
	if l := byFile[path]; l != nil {
		return l
	}
	l := &Loaded{Settings: &Settings{}}
	if override != nil {
		*l.Settings = *override
	} else if path != "" {
		l.Dir = filepath.Dir(path)
		if s, err := Read(path); err != nil {
			l.Err = err
		} else {
			l.Settings = s
		}
	}
	l.Strict = l.Strict || flags.strict
	l.AcceptOverwrites = l.AcceptOverwrites || flags.acceptOverwrites
	l.Catalog = l.Settings.Catalog()
	byFile[path] = l
	return l
}

// Read reads a configuration file. Unknown keys, wrong types and malformed
// names are errors that give the file and the line.
func Read(path string) (*Settings, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("idemlint configuration: %w", err)
	}
	s, err := Parse(path, data)
	if err != nil {
		return nil, err
	}
	for i, m := range s.Migrations {
		if _, err := os.Stat(filepath.Join(filepath.Dir(path), filepath.FromSlash(m))); err != nil {
			key := fmt.Sprintf("migrations[%d]", i)
			return nil, fmt.Errorf("%s:%d: %w", path, lineOf(data, key), &Mistake{key, fmt.Sprintf("there is no directory or file %s beside the configuration", m)})
		}
	}
	return s, nil
}

// Parse is Read on a file's content.
func Parse(path string, data []byte) (*Settings, error) {
	s := &Settings{}
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, describe(path, data, err)
	}
	docs := documents(file)
	if len(docs) > 1 {
		return nil, fmt.Errorf("%s:%d: here begins a second YAML document: the configuration is one", path, firstLine(docs[1]))
	}
	if line := lost(file, data); line > 0 {
		return nil, fmt.Errorf("%s:%d: here begins a second YAML document, after an empty one: the configuration is one", path, line)
	}
	for _, doc := range docs {
		if err := yaml.NewDecoder(bytes.NewReader(nil), yaml.Strict()).DecodeFromNode(doc, s); err != nil && !errors.Is(err, io.EOF) {
			return nil, describe(path, data, err)
		}
		// The decoder cuts the fraction off.
		v := &fractions{}
		if ast.Walk(v, doc); v.first != nil {
			pos := v.first.GetToken().Position
			key := keyOf(v.first)
			return nil, fmt.Errorf("%s:%d:%d: %s: it must be %s", path, pos.Line, pos.Column, key, form(typeOf(key)))
		}
	}
	var wrong *Mistake
	if errors.As(s.Validate(), &wrong) {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(data, wrong.Key), wrong)
	}
	return s, nil
}

// documents returns the documents of a file that hold something: a comment before
// the first --- is one to the parser.
func documents(file *ast.File) []ast.Node {
	var out []ast.Node
	for _, doc := range file.Docs {
		switch doc.Body.(type) {
		case nil, *ast.CommentGroupNode, *ast.CommentNode, *ast.NullNode:
		default:
			out = append(out, doc.Body)
		}
	}
	return out
}

// lost returns the first line of a document that the parser passes over because
// an empty one comes before it, 0 when there is none.
func lost(file *ast.File, data []byte) int {
	for _, doc := range file.Docs {
		if doc.Body != nil {
			return 0
		}
	}
	for i, line := range strings.Split(string(data), "\n") {
		line = strings.TrimSpace(line)
		if line != "" && line[0] != '#' && line[0] != '%' && !strings.HasPrefix(line, "---") && !strings.HasPrefix(line, "...") {
			return i + 1
		}
	}
	return 0
}

// firstLine returns the line on which a node begins.
func firstLine(n ast.Node) int {
	v := &lines{first: n.GetToken().Position.Line}
	ast.Walk(v, n)
	return v.first
}

type lines struct{ first int }

func (l *lines) Visit(n ast.Node) ast.Visitor {
	l.first = min(l.first, n.GetToken().Position.Line)
	return l
}

// fractions finds the first number with a fraction where a whole one belongs.
type fractions struct{ first ast.Node }

func (f *fractions) Visit(n ast.Node) ast.Visitor {
	if _, ok := n.(*ast.FloatNode); ok && f.first == nil {
		if t := typeOf(keyOf(n)); t != nil && t.Kind() == reflect.Pointer && t.Elem().Kind() == reflect.Int {
			f.first = n
		}
	}
	return f
}

// keyOf returns the path of the key at which a node stands.
func keyOf(n ast.Node) string { return strings.TrimPrefix(strings.TrimPrefix(n.GetPath(), "$"), ".") }

var position = regexp.MustCompile(`^\[(\d+):(\d+)\] (.*)`)

// describe turns the decoder's error into "file:line:column: key: what is wrong
// and what is allowed".
func describe(path string, data []byte, err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	m := position.FindStringSubmatch(first)
	if m == nil {
		return fmt.Errorf("%s: %s", path, first)
	}
	line, _ := strconv.Atoi(m[1])
	column, _ := strconv.Atoi(m[2])
	key := keyAt(data, line, column)
	what := m[3]
	switch {
	case key == "":
	case strings.Contains(what, "unknown field"):
		outer := key[:max(strings.LastIndexByte(key, '.'), 0)]
		what = fmt.Sprintf("%s: there is no such key: the keys are %s", key, strings.Join(keys(typeOf(outer)), ", "))
	case strings.Contains(what, "was used where"), strings.Contains(what, "cannot unmarshal"):
		key = nearest(key)
		what = fmt.Sprintf("%s: it must be %s", key, form(typeOf(key)))
	}
	return fmt.Errorf("%s:%d:%d: %s", path, line, column, what)
}

// nearest returns the innermost part of a key's path that is a setting: what
// stands below it, as a mapping where a list belongs, is not.
func nearest(key string) string {
	for key != "" && typeOf(key) == nil {
		key = key[:max(strings.LastIndexAny(key, ".["), 0)]
	}
	return key
}

// keyAt returns the path of the key whose name or value stands at a position of
// the file, "" when none does.
func keyAt(data []byte, line, column int) string {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return ""
	}
	v := &keyFinder{line: line, column: column}
	for _, doc := range file.Docs {
		if doc.Body != nil {
			ast.Walk(v, doc.Body)
		}
	}
	return v.key
}

type keyFinder struct {
	line, column int
	key          string
}

func (f *keyFinder) Visit(n ast.Node) ast.Visitor {
	if pos := n.GetToken().Position; pos.Line == f.line && pos.Column == f.column {
		f.key = keyOf(n)
	}
	return f
}

// typeOf returns the type of the setting at the path of a key, nil when there
// is none.
func typeOf(key string) reflect.Type {
	t := reflect.TypeFor[Settings]()
	for _, part := range strings.FieldsFunc(key, func(r rune) bool { return r == '.' || r == '[' }) {
		switch {
		case strings.HasSuffix(part, "]") && t.Kind() == reflect.Slice, t.Kind() == reflect.Map:
			t = t.Elem()
		case t.Kind() == reflect.Struct:
			i := slices.Index(keys(t), part)
			if i < 0 {
				return nil
			}
			t = t.Field(i).Type
		default:
			return nil
		}
	}
	return t
}

// form says in words what a setting of the type may be.
func form(t reflect.Type) string {
	if t == nil {
		return "something else"
	}
	switch t.Kind() {
	case reflect.Pointer:
		return form(t.Elem())
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "text"
	case reflect.Int:
		return "a whole number"
	case reflect.Slice:
		if t.Elem().Kind() == reflect.Struct {
			return "a list of entries with the keys " + strings.Join(keys(t.Elem()), ", ")
		}
		return "a list of names"
	case reflect.Map:
		return "a mapping from names to " + form(t.Elem())
	}
	return "a mapping with the keys " + strings.Join(keys(t), ", ")
}

// keys returns the keys of a struct of settings.
func keys(t reflect.Type) []string {
	var out []string
	if t == nil || t.Kind() != reflect.Struct {
		return nil
	}
	for i := range t.NumField() {
		out = append(out, t.Field(i).Tag.Get("yaml"))
	}
	return out
}

// lineOf returns the line on which a key stands in the file; when it does not,
// that of the entry in which it should, 1 when there is none.
func lineOf(data []byte, key string) int {
	file, err := parser.ParseBytes(data, 0)
	if err != nil {
		return 1
	}
	for ; key != ""; key = key[:max(strings.LastIndexAny(key, ".["), 0)] {
		at, err := yaml.PathString("$." + key)
		if err != nil {
			continue
		}
		for _, doc := range documents(file) {
			if node, err := at.FilterNode(doc); err == nil && node != nil && node.GetToken() != nil {
				return firstLine(node)
			}
		}
	}
	return 1
}
