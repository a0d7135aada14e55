package inventory

import (
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// Program is the inventory of a program, as its JSON has it.
type Program struct {
	Tool      string     `json:"tool"`  // "idemlint" and its version
	Taken     string     `json:"taken"` // when, RFC 3339
	Module    string     `json:"module,omitempty"`
	Listeners []Listener `json:"listeners"`
	Others    []Told     `json:"others"` // the findings that concern no listener
	// Problems is what could not be analysed: where it is not empty, listeners may be
	// missing.
	Problems string `json:"problems,omitempty"`
}

// JSON writes the inventory as one indented JSON object.
func (p *Program) JSON(w io.Writer) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(p)
}

// Locate gives the places in analysed packages their source lines, and their files the
// name that rename makes of the full one. dirs are the packages' directories.
func (p *Program) Locate(dirs map[string]string, rename func(path string) string) {
	files := make(map[string][]string)
	locate := func(p *Place) {
		dir, known := dirs[p.Package]
		if !known || p.File == "" {
			return
		}
		path := filepath.Join(dir, p.File)
		lines, read := files[path]
		if !read {
			lines = readLines(path)
			files[path] = lines
		}
		if 0 < p.Line && p.Line <= len(lines) {
			p.Source = strings.TrimSpace(lines[p.Line-1])
		}
		p.File = rename(path)
	}
	for i := range p.Others {
		locate(&p.Others[i].At)
	}
	for i := range p.Listeners {
		l := &p.Listeners[i]
		locate(&l.At)
		for _, w := range l.Ways {
			for _, o := range w.Ops {
				for k := range o.Path {
					locate(&o.Path[k])
				}
			}
		}
	}
}

// readLines returns the lines of a file, none when it cannot be read: cgo's packages
// have files that exist only while they are built.
func readLines(path string) []string {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	return strings.Split(string(data), "\n")
}
