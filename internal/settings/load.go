package settings

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
)

// FileName is the name of the configuration file.
const FileName = ".idemlint.yml"

// Analyzer finds the configuration that holds for a package. Its result is a
// *Loaded. A mistake in the file is in Loaded.Err: a driver would name an error
// of this analyzer only as a failed prerequisite, so the rules return it.
var Analyzer = &analysis.Analyzer{
	Name:             "idemsettings",
	Doc:              "read the configuration (a stage of idemlint)",
	URL:              "https://github.com/idemlint/idemlint/blob/main/docs/configuration.md",
	ResultType:       reflect.TypeFor[*Loaded](),
	RunDespiteErrors: true,
	Run: func(pass *analysis.Pass) (any, error) {
		if len(pass.Files) == 0 {
			return loaded(""), nil
		}
		return forDir(filepath.Dir(pass.Fset.Position(pass.Files[0].Package).Filename)), nil
	},
}

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
	// Err says what is wrong with the configuration, with file, line and what
	// is allowed; then nothing else holds.
	Err error

	claimed sync.Once
}

// Claim returns Err to its first caller, and nil to the others: one mistake is
// reported once, not for each rule and package.
func (l *Loaded) Claim() (err error) {
	l.claimed.Do(func() { err = l.Err })
	return err
}

var (
	mu       sync.Mutex
	override *Settings
	byFile   = make(map[string]*Loaded)
	byDir    = make(map[string]string)
)

// Use makes s the configuration of every package: the way of a driver that has
// settings of its own. It returns an error when s is not valid.
func Use(s *Settings) error {
	if err := s.Validate(); err != nil {
		return err
	}
	mu.Lock()
	defer mu.Unlock()
	override = s
	clear(byFile)
	return nil
}

func forDir(dir string) *Loaded {
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
	return Parse(path, data)
}

// Parse is Read on a file's content.
func Parse(path string, data []byte) (*Settings, error) {
	s := &Settings{}
	if err := yaml.NewDecoder(bytes.NewReader(data), yaml.Strict()).Decode(s); err != nil && !errors.Is(err, io.EOF) {
		return nil, describe(path, err)
	}
	if err := s.Validate(); err != nil {
		return nil, fmt.Errorf("%s:%d: %w", path, lineOf(data, err.Error()), err)
	}
	return s, nil
}

var position = regexp.MustCompile(`^\[(\d+):(\d+)\] (.*)`)

// describe turns the decoder's error into "file:line:column: what; allowed: …".
func describe(path string, err error) error {
	first, _, _ := strings.Cut(err.Error(), "\n")
	m := position.FindStringSubmatch(first)
	if m == nil {
		return fmt.Errorf("%s: %s", path, first)
	}
	msg := fmt.Sprintf("%s:%s:%s: %s", path, m[1], m[2], m[3])
	if strings.Contains(m[3], "unknown field") {
		msg += "; the keys are " + strings.Join(Keys(), ", ")
	}
	return errors.New(msg)
}

// Keys returns the top-level keys of the configuration.
func Keys() []string {
	var out []string
	t := reflect.TypeFor[Settings]()
	for i := range t.NumField() {
		out = append(out, t.Field(i).Tag.Get("yaml"))
	}
	return out
}

// lineOf finds the line that a validation error speaks of, by the value it quotes.
func lineOf(data []byte, msg string) int {
	_, rest, ok := strings.Cut(msg, `"`)
	if !ok {
		key, _, _ := strings.Cut(msg, "[")
		rest = key + `"`
	}
	value, _, _ := strings.Cut(rest, `"`)
	for i, line := range strings.Split(string(data), "\n") {
		if value != "" && strings.Contains(line, value) {
			return i + 1
		}
	}
	return 1
}
