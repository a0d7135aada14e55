// Package event says which types are events and which of their fields is the
// event id: R-KFK-IDEM-1 speaks of those, not of entities, calendar entries or
// tickets that happen to have an id.
package event

import (
	"go/types"
	"reflect"
	"regexp"
	"strings"
	"sync"

	"golang.org/x/tools/go/analysis"

	"github.com/idemlint/idemlint/internal/program"
)

// Names is what the package asks of the configuration.
type Names interface {
	// EventName reports whether a field or column of that name is the id of an event.
	EventName(name string) bool
}

// Type is a struct type that may be an event.
type Type struct {
	Name    string // short: "PaymentCaptured"
	Package string // of its package: "events"
	Struct  *types.Struct
}

// Types finds struct types by the full names that summaries use.
type Types struct {
	pass  *analysis.Pass
	pkgs  map[string]*types.Package
	local map[string]*types.TypeName // declared inside functions
}

// NewTypes returns the types that a package can see.
func NewTypes(pass *analysis.Pass) *Types {
	t := &Types{pass: pass, pkgs: make(map[string]*types.Package), local: make(map[string]*types.TypeName)}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		path := program.StripVendor(p.Path())
		if t.pkgs[path] != nil {
			return
		}
		t.pkgs[path] = p
		for _, imp := range p.Imports() {
			add(imp)
		}
	}
	add(pass.Pkg)
	for _, obj := range pass.TypesInfo.Defs {
		if tn, ok := obj.(*types.TypeName); ok && tn.Parent() != pass.Pkg.Scope() {
			t.local[program.TypeName(tn.Type())] = tn
		}
	}
	return t
}

// Find returns the struct type of that full name, nil when there is none.
func (t *Types) Find(name string) *Type {
	name = strings.TrimLeft(name, "*")
	i := strings.LastIndexByte(name, '.')
	if i < 0 {
		return nil
	}
	obj := types.Object(t.local[name])
	if p := t.pkgs[name[:i]]; p != nil {
		if o := p.Scope().Lookup(name[i+1:]); o != nil {
			obj = o
		}
	}
	tn, ok := obj.(*types.TypeName)
	if !ok || tn == nil {
		return nil
	}
	st, ok := tn.Type().Underlying().(*types.Struct)
	if !ok {
		return nil
	}
	return &Type{Name: tn.Name(), Package: tn.Pkg().Name(), Struct: st}
}

// Tag returns the name of a field in the payload, by its tags, else "".
func Tag(st *types.Struct, i int) string {
	tag := reflect.StructTag(st.Tag(i))
	for _, key := range []string{"json", "avro", "msgpack", "bson", "yaml", "xml"} {
		if name, _, _ := strings.Cut(tag.Get(key), ","); name != "" && name != "-" {
			return name
		}
	}
	for _, part := range strings.Split(tag.Get("protobuf"), ",") {
		if name, ok := strings.CutPrefix(part, "name="); ok {
			return name
		}
	}
	return ""
}

var (
	eventName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`([Ee]vent|[Ee]nvelope|[Mm]essage|[Oo]utbox|Msg)(Row|Record|Entry|Model|Entity|DTO|V\d+)?$|^([Ee]vent|[Ee]nvelope|[Oo]utbox|[Cc]loudEvent)`)
	})
	eventPackage = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(domain_?|integration_?)?events?(pb|v\d+)?$`) })
	calendarName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(venue|seats?|seat_?no|row|capacity|location|address|stadium|home_?team|away_?team|home|away|score|tickets?_?(types?|ids?|type_?ids?)|(total|available)_?tickets|seat_?ids?|venue_?ids?|organi[sz]er|attendees?|guests?|starts?_?(at|time|date|s)?|ends?_?(at|time|date|s)?|price|title|tickets?|doors_?(at|open)?)$`)
	})
	typeField = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)^(event_?)?(type|name|kind)$|^subject$|^topic$`) })
	timeField = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(event_?)?(time|timestamp|at|date)$|^(occur+ed|happened|emitted|produced|published|raised|recorded|triggered)(_?(at|on|time))?$|^ts$`)
	})
	// occurredField is a time that only what happened has.
	occurredField = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(occur+ed|happened|emitted|raised|triggered)(_?(at|on|time))?$|^event_?(time|timestamp|at|date)$`)
	})
	// pastName is the name of something that happened: two words or more, the last
	// a past participle.
	pastName = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`[a-z0-9]([A-Z][a-z]*[^eE\W_]ed|Sent|Paid|Sold|Made|Lost|Shut|Begun|Left|Won|Held|Built|Withdrawn|Done|Taken|Given|Written|Broken|Chosen)(V\d+)?$`)
	})
	bodyField = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)^(payload|data|body|headers|metadata|aggregate_?(id|type)?)$`)
	})
)

// calendar reports whether the struct speaks of events that people attend: then an
// event id names one of those.
func calendar(st *types.Struct) bool {
	for f := range st.Fields() {
		if calendarName().MatchString(f.Name()) {
			return true
		}
	}
	return false
}

// MapID reports whether a key of a map with these keys is the event id of an event;
// published says that the map is sent to a broker.
func MapID(key string, keys []string, names Names, published bool) bool {
	if !names.EventName(key) {
		return false
	}
	var kind, when, body bool
	for _, k := range keys {
		if calendarName().MatchString(k) {
			return false
		}
		kind = kind || typeField().MatchString(k)
		when = when || timeField().MatchString(k)
		body = body || bodyField().MatchString(k)
	}
	return published || kind && when || body
}

// IDField reports whether the field is the event id of an event; published says
// that values of the type are sent to a broker.
func (t *Type) IDField(field string, names Names, published bool) bool {
	var kind, when, occurred, body, named, plain bool
	calendar := calendar(t.Struct)
	for i := range t.Struct.NumFields() {
		f := t.Struct.Field(i)
		name := f.Name()
		kind = kind || typeField().MatchString(name)
		when = when || timeField().MatchString(name)
		occurred = occurred || occurredField().MatchString(name)
		body = body || bodyField().MatchString(name)
		if name == field {
			named = names.EventName(name) || names.EventName(Tag(t.Struct, i))
			plain = strings.EqualFold(name, "id")
		}
	}
	eventLike := eventName().MatchString(t.Name)
	switch {
	case named:
		return !calendar && (published || eventLike || t.happened() || body || kind && when)
	case plain:
		return !calendar && (published && (eventLike || kind && when) || eventLike && body && (kind || when) || pastName().MatchString(t.Name) && kind && occurred)
	}
	return false
}

// happened reports whether the type's full name is that of something that happened:
// events.Placed says what PlacedEvent does.
func (t *Type) happened() bool {
	return eventPackage().MatchString(t.Package) && pastName().MatchString("the"+t.Name)
}

var outbox = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)outbox|(^|_)events?(_(queue|store|log|stream))?$|(^|_)event_(outbox|queue|store)`)
})

// IDColumn reports whether the column of a table is the event id of events that
// wait there for their publication.
func IDColumn(table, column string, names Names) bool {
	if !outbox().MatchString(table) {
		return false
	}
	return names.EventName(column) || strings.EqualFold(column, "id") && strings.Contains(strings.ToLower(table), "outbox")
}
