package summary

import (
	"fmt"
	"sort"
)

// The bounds on what a package may hand to its importers. A package beyond
// MaxPackage exports nothing, and sections beyond MaxFact are dropped, largest
// first: what is missing is unknown to the importer, never wrong.
const (
	MaxPackage = 512 << 10 // bytes, one package's encoded summary
	MaxFact    = 16 << 20  // bytes, a package's summary and all that it passes on
)

// Section is one package's encoded summary.
type Section struct {
	Path string
	Data []byte
}

// Fact is the package fact of the summary analyzer. It carries the package's
// own section and those of everything beneath it: a go vet driver hands a
// package only the facts of its direct imports, and the body of a handler may
// be several imports away.
type Fact struct {
	Sections []Section // sorted by path
}

// AFact marks Fact as an analysis fact.
func (*Fact) AFact() {}

// String describes the fact for debugging.
func (f *Fact) String() string {
	n := 0
	for _, s := range f.Sections {
		n += len(s.Data)
	}
	return fmt.Sprintf("summaries of %d packages, %d bytes", len(f.Sections), n)
}

// Merge returns the union of the facts' sections and own (which may be nil),
// within MaxFact.
func Merge(own *Section, facts []*Fact) *Fact {
	byPath := make(map[string]Section)
	for _, f := range facts {
		for _, s := range f.Sections {
			byPath[s.Path] = s
		}
	}
	if own != nil && len(own.Data) <= MaxPackage {
		byPath[own.Path] = *own
	}
	out := &Fact{}
	total := 0
	for _, s := range byPath {
		out.Sections = append(out.Sections, s)
		total += len(s.Data)
	}
	if total > MaxFact {
		sort.Slice(out.Sections, func(i, j int) bool {
			a, b := out.Sections[i], out.Sections[j]
			if len(a.Data) != len(b.Data) {
				return len(a.Data) < len(b.Data)
			}
			return a.Path < b.Path
		})
		for total > MaxFact {
			last := out.Sections[len(out.Sections)-1]
			total -= len(last.Data)
			out.Sections = out.Sections[:len(out.Sections)-1]
		}
	}
	sort.Slice(out.Sections, func(i, j int) bool { return out.Sections[i].Path < out.Sections[j].Path })
	return out
}
