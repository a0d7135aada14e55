package flow

import (
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
	"github.com/idemlint/idemlint/internal/summary"
)

// Hooks: what a client calls for each request, a RoundTripper or an interceptor, can add
// a header that the code around the request does not show.

// hook reports whether something that is not known may add to the requests of a client,
// and the type of what surely gives each its idempotency key.
func (c *call) hook(row *catalog.Row, args []*Value) (unknown bool, keyer string) {
	if !strings.HasPrefix(row.Name, "(") {
		return false, ""
	}
	client := c.operand(row, args, catalog.Recv)
	if row.Hook == nil || client == nil {
		return true, ""
	}
	plain := false
	for _, a := range client.alternatives() {
		by, known := c.hookOf(a, row.Hook)
		if !known || keyer != "" && by != keyer {
			return true, ""
		}
		plain, keyer = plain || by == "", by
	}
	if plain && keyer != "" {
		return true, ""
	}
	return false, keyer
}

// hookOf returns the type of the hook of a client that gives its requests their keys, ""
// where the client has none; known says that the client was seen to be made.
func (c *call) hookOf(client *Value, h *catalog.Hook) (keyer string, known bool) {
	o := client.Obj
	if client.Kind != Ref || o.Symbolic || o.Site == "" && o.static == nil {
		return "", false
	}
	var set *Value
	if o.static != nil {
		if set = c.f.m.u.fieldOf(o, h.Field); set == nil && c.f.m.u.writtenUnseen(o.Type+"."+h.Field) {
			return "", false
		}
	} else {
		set = c.f.fieldAsStored(o, h.Field, "", c.st)
	}
	if set == nil || isNil(set) == 1 || set.Kind == Zero {
		return "", len(c.f.m.u.uses(stores, h.Default)) == 0
	}
	for i, a := range set.alternatives() {
		if a.Kind != Ref {
			return "", false
		}
		by := ""
		switch {
		case c.f.m.cat.Keyed(a.Obj.Type):
			by = a.Obj.Type
		case a.Obj.Type != h.Plain:
			return "", false
		}
		if i > 0 && by != keyer {
			return "", false
		}
		keyer = by
	}
	return keyer, true
}

// writtenUnseen reports whether the field is written somewhere to an object that a look-up
// cannot tell: neither one that is made there nor an argument of a function all of whose
// calls can be seen.
func (u *Universe) writtenUnseen(field string) bool {
	for _, s := range u.uses(stores, field) {
		dst := s.fn.Instrs[s.instr].Args[0]
		if dst.Kind() != summary.RefInstr {
			return true
		}
		switch base := s.fn.Instrs[dst.Index()].Args[0]; base.Kind() {
		case summary.RefInstr:
			if s.fn.Instrs[base.Index()].Op != summary.OpAlloc {
				return true
			}
		case summary.RefParam:
			if len(u.uses(refs, s.fn.Name)) > 0 || len(u.uses(callers, s.fn.Name)) == 0 {
				return true
			}
		default:
			return true
		}
	}
	return false
}
