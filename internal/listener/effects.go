package listener

import (
	"iter"
	"regexp"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/sqltext"
)

// deadLetter matches the names of topics, tables and functions that take the
// records which failed.
var deadLetter = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)(^|[^a-z])(dlq|dlt|retry|retries|retryable|poison|parking[-_.]?lot|quarantine|dead[-_.]?letters?)([^a-z]|$)|dead[-_.]?letter|[a-z]dl[qt]|dl[qt][a-z]|ToRetry|RetryTopic|Quarantine|ParkingLot|_errors?$|failed_(event|message)`)
})

// IsEffect reports whether the operation is what a second delivery would do
// twice. Sending the failed record to a dead-letter or retry topic is not, nor is
// telemetry.
func IsEffect(o *flow.Op) bool {
	if o.Kind != flow.Write && o.Kind != flow.External || o.Early {
		return false
	}
	for _, t := range o.Texts {
		if putsAside(t) {
			return false
		}
	}
	for _, s := range o.Steps() {
		name := s.Func.Name
		if i := strings.LastIndexByte(name, '/'); i >= 0 {
			name = name[i+1:]
		}
		if asideFunc().MatchString(name) {
			return false
		}
	}
	return true
}

// putsAside reports whether a text names a place for failed records, in each of its
// alternatives.
func putsAside(text string) bool {
	for alt := range strings.SplitSeq(text, flow.AltSep) {
		if !deadLetter().MatchString(alt) {
			return false
		}
	}
	return true
}

// asideFunc matches the names of functions and types that put a failed record
// aside, or that only tell others how the processing goes: telemetry by way of a
// broker is telemetry.
var asideFunc = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)dead[-_]?letter|dl[qt]|poison|quarantine|parking[-_]?lot|telemetry|metrics|tracing|tracker`)
})

// IsGate reports whether the operation is, or takes part in, a dedup gate.
func IsGate(o *flow.Op) bool {
	return (o.Kind == flow.Gate || o.Kind == flow.Check) && o.Dedup
}

// identifies reports whether the operation gives an event its identity.
func identifies(o *flow.Op) bool {
	if o.Key == nil {
		return false
	}
	switch o.Kind {
	case flow.Gate, flow.Check:
		return true
	case flow.Mark:
		// A map is a gate only where it is looked up.
		return o.Store != catalog.Memory
	case flow.Write:
		// An insert-if-absent whose answer is looked at is a gate by another name.
		return o.Asked() && o.Stmt != nil && o.Stmt.Verb == sqltext.Insert && o.Stmt.Conflict == sqltext.Nothing
	}
	return false
}

// Identities yields the operations of a journey that give an event its identity and
// satisfy has, in the order of their positions; a check and the mark that belongs to
// it are one gate.
func Identities(j *flow.Journey, has func(o *flow.Op) bool) iter.Seq[*flow.Op] {
	return func(yield func(*flow.Op) bool) {
		checked := make(map[string]bool)
		for _, o := range ByPosition(j.Any.Ops) {
			if !identifies(o) || checked[o.Cell] || !has(o) {
				continue
			}
			checked[o.Cell] = o.Kind == flow.Check
			if !yield(o) {
				return
			}
		}
	}
}

// Unseen says what of the listener's journeys could not be followed, "" when all
// was.
func (l *Listener) Unseen() string { return l.unseen() }

func (l *Listener) lookUnseen() string {
	for _, j := range l.Journeys {
		if j.First.Lacking && !slices.ContainsFunc(j.First.Ops, IsEffect) {
			return "it does nothing without what its context carries, which cannot be seen"
		}
		for _, r := range []*flow.Run{j.First, j.Duplicate, j.Failing, j.Any} {
			if r.Over {
				return "the code behind it is too large to be followed to its end"
			}
			for _, o := range r.Open {
				return "what " + ShortName(o.Name) + " does with the record cannot be seen"
			}
			for _, o := range r.Ops {
				if o.Hidden && (IsEffect(o) || IsGate(o)) {
					return "whether " + o.What + " runs is decided in a function that cannot be seen"
				}
			}
		}
	}
	if len(l.Journeys) == 0 {
		return "it reads without a consumer group, as tools and monitors do, and is not judged"
	}
	return ""
}

// Related returns the related position of an operation, when it stands in the
// package under analysis.
func (l *Listener) Related(o *flow.Op, message string) []analysis.RelatedInformation {
	pos := Deepest(o.Steps(), l.own)
	if !pos.IsValid() {
		return nil
	}
	return []analysis.RelatedInformation{{Pos: pos, Message: message}}
}

// Start returns the related position of the listener itself.
func (l *Listener) Start() []analysis.RelatedInformation {
	if l.Func.Pkg != l.own || !l.Func.Pos.IsValid() {
		return nil
	}
	return []analysis.RelatedInformation{{Pos: l.Func.Pos, Message: "the listener " + Name(l.Func)}}
}

// Handler names the function that the listener's record was dispatched to, as
// far as the way to the operation tells: what distinguishes the handlers of one
// poll loop.
func (l *Listener) Handler(o *flow.Op) string {
	key := l.Func.Name
	for _, s := range o.Steps() {
		if len(s.Via) > 0 {
			h := s.Via[len(s.Via)-1]
			key += " " + s.Func.Name + " " + h.Fn.Name + string(rune(h.Instr))
		}
	}
	return key
}

// Gates returns the gates on the way of the handler that leads to the operation.
func (l *Listener) Gates(j *flow.Journey, o *flow.Op) []*flow.Op {
	handler := l.Handler(o)
	var out []*flow.Op
	for _, g := range j.First.Ops {
		if h := l.Handler(g); IsGate(g) && strings.HasPrefix(handler, h) {
			out = append(out, g)
		}
	}
	return out
}
