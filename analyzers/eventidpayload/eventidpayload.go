// Package eventidpayload enforces the second half of R-KFK-IDEM-1: the event id is
// in the payload, as its first field.
package eventidpayload

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/event"
	"github.com/idemlint/idemlint/internal/flow"
	"github.com/idemlint/idemlint/internal/listener"
	"github.com/idemlint/idemlint/internal/report"
	"github.com/idemlint/idemlint/internal/rule"
)

// Rule is the rule's name and id.
var Rule = report.Rule{ID: "R-KFK-IDEM-1", Name: "eventidpayload"}

// Analyzer reports event ids in headers, and those that are not the payload's
// first field.
var Analyzer = rule.New(Rule, Doc, check, prove)

func check(p *rule.Pass) error {
	if p.Own == nil {
		return nil
	}
	if p.Settings.Part(Rule.Name, "key") && !p.Settings.AcceptHeaderIDs {
		keys(p)
	}
	payloads(p)
	return nil
}

// keys reports the gates whose id comes from a header.
func keys(p *rule.Pass) {
	for _, l := range p.Listeners {
		for _, j := range l.Journeys {
			for o := range listener.Identities(j, fromHeader) {
				p.Report(report.Finding{
					Pos: l.Place(o.Steps()).Pos,
					Message: fmt.Sprintf("the listener %s takes the id for %s from %s: headers are lost by replays, mirrors and dead-letter tools, and then the event is processed twice, or all events without the header pass for one; read the event id from the payload%s",
						listener.Name(l.Func), o.What, part(o.Key), specified(j.Any)),
					Related: l.Start(),
					About:   l.Names(),
				})
			}
		}
	}
}

func fromHeader(o *flow.Op) bool {
	org := o.Key.Origin()
	return org&flow.FromHeader != 0 && org&flow.FromPayload == 0
}

// part names the part of a record that a key comes from.
func part(key *flow.Value) string {
	switch {
	case strings.HasSuffix(key.Path, "UUID"):
		return "the message's UUID, which travels as a header"
	case strings.HasSuffix(key.Path, "Metadata"):
		return "the message's metadata, which travel as headers"
	}
	return "a header of the record"
}

// specified is what there is to say of a header that a specification names.
func specified(r *flow.Run) string {
	if r.Mentions("ce_id") || r.Mentions("ce-id") {
		return " (CloudEvents' binary mode puts ce_id there by specification: use the structured mode, or set accept-header-ids)"
	}
	return ""
}

// payloads reports the events that the package makes or publishes.
func payloads(p *rule.Pass) {
	all := event.NewTypes(p.Pass)
	makes := func(a *flow.Assign) bool { // a payload that is made here, wherever it is published
		t := all.Find(a.Owner)
		return t != nil && p.Settings.EventName(a.Field) && t.Encoded(a.Field) && !t.Row() && t.IDField(a.Field, p.Settings, false)
	}
	u := p.Universe
	for alone := range u.Outermost(p.Own, flow.Publishes, flow.Generates) {
		for _, o := range alone.Ops {
			pos := listener.Deepest(o.Steps(), p.Own)
			headerOnly(p, all, o, pos)
			for _, name := range o.Payloads {
				first(p, all.Find(name), pos)
			}
		}
		for _, a := range alone.Assigns {
			if in, pos := a.Place(); in != nil && in.Pkg == p.Own && makes(a) {
				first(p, all.Find(a.Owner), pos)
			}
		}
	}
}

// headerOnly reports a publish of an event whose id is in a header alone.
func headerOnly(p *rule.Pass, all *event.Types, o *flow.Op, pos token.Pos) {
	if len(o.Payloads) == 0 || p.Settings.AcceptHeaderIDs || !p.Settings.Part(Rule.Name, "header") {
		return
	}
	i := slices.IndexFunc(o.Headers, func(h string) bool { return idHeader(h, p.Settings) })
	if i < 0 {
		return
	}
	for _, name := range o.Encoded {
		t := all.Find(name)
		if t == nil || t.Named(p.Settings) {
			return
		}
	}
	p.Report(report.Finding{
		Pos: pos,
		Message: fmt.Sprintf("the event %s is published with its id in the header %s only: headers are lost by replays, mirrors and dead-letter tools, and a consumer can then not tell a duplicate; put the event id into the payload, as its first field",
			listener.ShortName(o.Payloads[0]), o.Headers[i]),
	})
}

// idHeader reports whether a header of that name is an event id's.
func idHeader(name string, names event.Names) bool {
	plain := strings.ToLower(strings.ReplaceAll(name, "-", "_"))
	return names.EventName(plain) || names.EventName(strings.TrimPrefix(plain, "x_"))
}

// first reports an event id that is not the first field: at the field where the
// type is the package's own, else at pos, where the event is made or published.
func first(p *rule.Pass, t *event.Type, pos token.Pos) {
	if t == nil || !p.Settings.Part(Rule.Name, "first") {
		return
	}
	field := t.Misplaced(p.Settings)
	if field == nil {
		return
	}
	at := fmt.Sprintf("the event id %s of %s", field.Name(), t.Name)
	if field.Embedded() {
		at = fmt.Sprintf("the event id of %s, in %s,", t.Name, field.Name())
	}
	p.Report(report.Finding{
		Pos:     place(p, field, pos),
		Message: at + " is not the first field of the payload: who reads only its beginning (a dead-letter browser, a truncated log line, an operator at night) does not see which event it is; move it to the front",
	})
}

func place(p *rule.Pass, field *types.Var, pos token.Pos) token.Pos {
	if field.Pkg() == p.Pkg && p.Ours(field.Pos()) {
		return field.Pos()
	}
	return pos
}
