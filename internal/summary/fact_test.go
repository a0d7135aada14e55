package summary

import (
	"bytes"
	"encoding/gob"
	"reflect"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

func TestFactGob(t *testing.T) {
	gob.Register(new(Fact))
	for name, want := range map[string]*Fact{
		"empty": {},
		"full":  {Sections: []Section{{Path: "a", Data: full().Encode()}, {Path: "b", Data: []byte{0, 255}}}},
	} {
		// As the drivers do it: an interface value inside a struct.
		type envelope struct {
			Path string
			Fact analysis.Fact
		}
		var buf bytes.Buffer
		if err := gob.NewEncoder(&buf).Encode(envelope{"p", want}); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var got envelope
		if err := gob.NewDecoder(&buf).Decode(&got); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if !reflect.DeepEqual(got.Fact, want) {
			t.Errorf("%s: got %+v, want %+v", name, got.Fact, want)
		}
	}
}

func TestFactString(t *testing.T) {
	f := &Fact{Sections: []Section{{Path: "a", Data: make([]byte, 3)}, {Path: "b", Data: make([]byte, 4)}}}
	if got, want := f.String(), "summaries of 2 packages, 7 bytes"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

func section(path string, size int) Section {
	return Section{Path: path, Data: bytes.Repeat([]byte(path[:1]), size)}
}

func paths(f *Fact) string {
	var out []string
	for _, s := range f.Sections {
		out = append(out, s.Path)
	}
	return strings.Join(out, " ")
}

func TestMerge(t *testing.T) {
	a, b, c, d := section("a", 1), section("b", 2), section("c", 3), section("d", 4)
	fact := func(s ...Section) *Fact { return &Fact{Sections: s} }
	for _, tt := range []struct {
		name  string
		own   *Section
		facts []*Fact
		want  string
	}{
		{"nothing", nil, nil, ""},
		{"own only", &b, nil, "b"},
		{"imports only", nil, []*Fact{fact(a), fact(b)}, "a b"},
		{"empty imports", &c, []*Fact{fact(), fact()}, "c"},
		{"sorted by path", &b, []*Fact{fact(d), fact(a, c)}, "a b c d"},
		{"each once", &d, []*Fact{fact(a, b), fact(b, c), fact(a, b, c)}, "a b c d"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := Merge(tt.own, tt.facts)
			if paths(got) != tt.want {
				t.Errorf("sections %q, want %q", paths(got), tt.want)
			}
			for _, s := range got.Sections {
				if want := section(s.Path, int(s.Path[0]-'a')+1); !reflect.DeepEqual(s, want) {
					t.Errorf("section %s holds %q, want %q", s.Path, s.Data, want.Data)
				}
			}
			// The order in which a driver hands the facts over does not matter.
			slices.Reverse(tt.facts)
			if again := Merge(tt.own, tt.facts); !reflect.DeepEqual(got, again) {
				t.Errorf("in reverse: %q, want %q", paths(again), paths(got))
			}
		})
	}
}

// TestMergeOwnWins: the package's own section replaces one of the same path.
func TestMergeOwnWins(t *testing.T) {
	stale, own := Section{"a", []byte("stale")}, Section{"a", []byte("own")}
	got := Merge(&own, []*Fact{{Sections: []Section{stale}}})
	if len(got.Sections) != 1 || string(got.Sections[0].Data) != "own" {
		t.Errorf("got %+v", got.Sections)
	}
}

func TestMergeBounds(t *testing.T) {
	t.Run("a package at the bound", func(t *testing.T) {
		own := section("a", MaxPackage)
		if got := Merge(&own, nil); len(got.Sections) != 1 {
			t.Error("dropped")
		}
	})
	t.Run("a package over the bound", func(t *testing.T) {
		own, other := section("a", MaxPackage+1), section("b", 1)
		if got := Merge(&own, []*Fact{{Sections: []Section{other}}}); paths(got) != "b" {
			t.Errorf("sections %q, want only b", paths(got))
		}
	})
	t.Run("a fact at the bound", func(t *testing.T) {
		got := Merge(nil, []*Fact{{Sections: []Section{section("a", MaxFact/2), section("b", MaxFact/2)}}})
		if paths(got) != "a b" {
			t.Errorf("sections %q", paths(got))
		}
	})
	t.Run("a fact over the bound loses the largest", func(t *testing.T) {
		facts := []*Fact{{Sections: []Section{
			section("a", 10), section("b", MaxFact/2), section("c", MaxFact/2+1), section("d", MaxFact/4), section("e", 20),
		}}}
		if got := Merge(nil, facts); paths(got) != "a b d e" {
			t.Errorf("sections %q, want a b d e", paths(got))
		}
	})
	t.Run("equally large ones are dropped by path", func(t *testing.T) {
		for range 20 { // a map is behind it
			facts := []*Fact{
				{Sections: []Section{section("c", MaxFact/2), section("a", MaxFact/2)}},
				{Sections: []Section{section("b", MaxFact/2)}},
			}
			if got := Merge(nil, facts); paths(got) != "a b" {
				t.Fatalf("sections %q, want a b", paths(got))
			}
		}
	})
}
