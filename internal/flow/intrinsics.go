package flow

import (
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/internal/sqltext"
)

// intrinsics are functions of the standard library whose meaning the engine
// must know exactly: they make and take apart errors and strings, or run a
// function that they are given.
var intrinsics map[string]func(c *call, args []*Value) *Value

func init() {
	intrinsics = map[string]func(c *call, args []*Value) *Value{
		"errors.New":    (*call).errorsNew,
		"errors.Is":     (*call).errorsIs,
		"errors.As":     (*call).errorsAs,
		"errors.AsType": (*call).errorsAsType,
		"errors.Join":   (*call).errorsJoin,
		"errors.Unwrap": (*call).errorsUnwrap,
		"fmt.Errorf":    (*call).errorf,

		"github.com/pkg/errors.New":       (*call).errorsNew,
		"github.com/pkg/errors.Errorf":    (*call).errorsNew,
		"github.com/pkg/errors.Is":        (*call).errorsIs,
		"github.com/pkg/errors.As":        (*call).errorsAs,
		"github.com/pkg/errors.Wrap":      (*call).errorsWrap,
		"github.com/pkg/errors.Wrapf":     (*call).errorsWrap,
		"github.com/pkg/errors.WithStack": (*call).errorsWrap,
		"github.com/pkg/errors.Cause":     (*call).errorsUnwrap,

		"fmt.Sprintf":       (*call).sprintf,
		"fmt.Sprint":        (*call).sprint,
		"strings.TrimSpace": (*call).sameText,
		"strings.Contains":  (*call).contains,
		"strings.HasPrefix": (*call).contains,
		"strings.ToLower":   (*call).sameText,
		"strings.ToUpper":   (*call).sameText,
		"(error).Error":     (*call).errorText,

		"(github.com/lib/pq.ErrorCode).Name":    (*call).codeName,
		"(github.com/lib/pq/pqerror.Code).Name": (*call).codeName,

		"(*sync.Once).Do":                           (*call).runs,
		"(*sync.WaitGroup).Go":                      (*call).runsBeside,
		"(*sync.WaitGroup).Wait":                    (*call).waits,
		"(*golang.org/x/sync/errgroup.Group).Wait":  (*call).waits,
		"time.AfterFunc":                            (*call).spawns,
		"(*golang.org/x/sync/errgroup.Group).Go":    (*call).runsBeside,
		"(*golang.org/x/sync/errgroup.Group).TryGo": (*call).runsBeside,

		"go.mongodb.org/mongo-driver/mongo.IsDuplicateKeyError":    (*call).isViolation,
		"go.mongodb.org/mongo-driver/v2/mongo.IsDuplicateKeyError": (*call).isViolation,
	}
}

// codeName is lib/pq's name of an error code.
func (c *call) codeName(args []*Value) *Value {
	if v := args[0]; v.Kind == Str && v.Text == "23505" {
		return &Value{Kind: Str, Text: "unique_violation", Op: v.Op}
	}
	return derived(args...)
}

func (c *call) here() string { return fmt.Sprintf("%s/%d", c.f.fn.Name, c.at) }

func (c *call) errorsNew(args []*Value) *Value {
	return &Value{Kind: Err, Text: "new " + c.here()}
}

func (c *call) errorf(args []*Value) *Value {
	e := &Value{Kind: Err, Text: "new " + c.here()}
	if len(args) > 1 && args[1].Kind == Ref {
		for _, a := range c.open(args[1]) {
			if a.Kind == Err || a.Kind == Union || a.Kind == Unknown || isErrorType(a.Type) {
				e.Elems = append(e.Elems, a)
				e.Ctl |= a.Ctl
				e.Org |= a.Org & (FromUnknown | FromRead)
			}
		}
	}
	return e
}

func isErrorType(t string) bool { return strings.HasSuffix(t, "Error") || strings.HasSuffix(t, "Err") }

func (c *call) errorsWrap(args []*Value) *Value {
	var out *Value
	for _, a := range args[0].alternatives() {
		v := a
		if isNil(a) != 1 {
			v = &Value{Kind: Err, Text: "new " + c.here(), Elems: []*Value{a}, Org: a.Org, Ctl: a.Ctl}
			if isNil(a) < 0 {
				v = a
			}
		}
		out = join(out, v, args[0].Ctl)
	}
	return out
}

func (c *call) errorsJoin(args []*Value) *Value {
	if len(args) == 1 && args[0].Kind == Ref {
		var some []*Value
		for _, a := range c.open(args[0]) {
			switch isNil(a) {
			case 0:
				some = append(some, a)
			case -1:
				return derived(a)
			}
		}
		if len(some) > 0 {
			return &Value{Kind: Err, Text: "new " + c.here(), Elems: some}
		}
		return nilValue
	}
	return derived(args...)
}

func (c *call) errorsUnwrap(args []*Value) *Value {
	if args[0].Kind == Err && len(args[0].Elems) == 1 {
		return args[0].Elems[0]
	}
	return args[0]
}

// errorsIs decides errors.Is, alternative by alternative.
func (c *call) errorsIs(args []*Value) *Value {
	if len(args) < 2 {
		return unknown
	}
	var out *Value
	for _, e := range args[0].alternatives() {
		for _, t := range args[1].alternatives() {
			v := derived(e)
			switch c.f.m.errorIs(e, t, 0) {
			case 1:
				v = trueVal
			case 0:
				v = falseVal
			}
			out = join(out, v.mark(e.Org, e.Ctl|args[0].Ctl), 0)
		}
	}
	return out
}

// errorIs returns whether an error is, or wraps, the target: 1, 0 or -1.
func (m *machine) errorIs(e, target *Value, depth int) int {
	switch e.Kind {
	case Nil, Zero:
		return 0
	case Err:
		if target.Kind == Err && e.Text == target.Text {
			m.tested(e)
			return 1
		}
		out := 0
		for _, w := range e.Elems {
			if depth > 6 {
				return -1
			}
			for _, a := range w.alternatives() {
				switch m.errorIs(a, target, depth+1) {
				case 1:
					return 1
				case -1:
					out = -1
				}
			}
		}
		if target.Kind != Err {
			return -1
		}
		return out
	case Ref:
		if target.Kind == Err {
			if m.u.hasMethod(m.cat, e.Type, "Is", 0) || m.u.hasMethod(m.cat, e.Type, "Unwrap", 0) {
				return -1
			}
			return 0
		}
	}
	return -1
}

// tested notes that the code tells a unique violation from other errors.
func (m *machine) tested(e *Value) {
	if e.Op != nil && e.Text == "unique violation" {
		e.Op.tested = true
	}
}

func (c *call) errorsAs(args []*Value) *Value {
	if len(args) < 2 {
		return unknown
	}
	target := args[1]
	want := strings.TrimPrefix(target.Type, "*")
	var out *Value
	for _, e := range args[0].alternatives() {
		v := derived(e)
		if e.Kind == Nil || e.Kind == Zero {
			v = falseVal
		} else if got := c.f.m.errorAs(e, want); got != nil {
			v = trueVal
			if target.Kind == Ref {
				c.st.set(target.Obj, "", got)
			}
		} else if e.Kind == Err {
			v = falseVal
			for _, w := range e.Elems {
				if w.Kind != Err && w.Kind != Nil {
					v = derived(e)
				}
			}
		}
		out = join(out, v.mark(e.Org, e.Ctl|args[0].Ctl), 0)
	}
	return out
}

func (c *call) errorsAsType(args []*Value) *Value {
	want := firstType(c.typ)
	var out *Value
	for _, e := range args[0].alternatives() {
		v := tuple(zero, falseVal)
		if got := c.f.m.errorAs(e, want); got != nil {
			v = tuple(got, trueVal)
		} else if e.Kind == Unknown {
			v = tuple(derived(e), derived(e))
		}
		out = join(out, v, 0)
	}
	return out
}

// errorAs returns the error of the wanted type that e is or wraps, or nil.
func (m *machine) errorAs(e *Value, want string) *Value {
	if e.Kind == Ref && e.Type == want {
		return e
	}
	if e.Kind != Err {
		return nil
	}
	if e.Text == "unique violation" && m.cat.Error(want) != 0 && m.cat.Error(strings.TrimPrefix(want, "*")) == 2 {
		return &Value{Kind: Ref, Obj: m.violation(e), Type: want, Op: e.Op}
	}
	for _, w := range e.Elems {
		for _, a := range w.alternatives() {
			if got := m.errorAs(a, want); got != nil {
				return got
			}
		}
	}
	return nil
}

// violation returns the driver's error object behind a unique violation: its
// fields are the codes of PostgreSQL, MySQL and SQLite.
func (m *machine) violation(e *Value) *Object {
	key := "violation"
	if e.Op != nil {
		key += e.Op.key
	}
	o := m.objs[key]
	if o == nil {
		o = m.newObject("violation")
		o.Val = e
		m.objs[key] = o
	}
	return o
}

// violationField reads a field of such an error.
func violationField(o *Object, field, typ string) *Value {
	switch field {
	case "Code":
		if strings.HasPrefix(typ, "int") {
			return &Value{Kind: Int, Int: 19, Op: o.Val.Op}
		}
		return &Value{Kind: Str, Text: "23505", Op: o.Val.Op}
	case "Number":
		return &Value{Kind: Int, Int: 1062, Op: o.Val.Op}
	case "ExtendedCode":
		return &Value{Kind: Int, Int: 2067, Op: o.Val.Op}
	}
	return &Value{}
}

func (c *call) isViolation(args []*Value) *Value {
	var out *Value
	for _, e := range args[0].alternatives() {
		v := derived(e)
		switch e.Kind {
		case Err:
			v = boolean(c.f.m.errorIs(e, &Value{Kind: Err, Text: "unique violation"}, 0) == 1)
		case Nil, Zero:
			v = falseVal
		}
		out = join(out, v.mark(0, e.Ctl), 0)
	}
	return out
}

// errorText keeps the error behind its text, for code that searches the text.
func (c *call) errorText(args []*Value) *Value {
	e := args[0]
	return &Value{Recv: e, Org: e.Origin(), Ctl: e.Ctl}
}

var (
	violationWords = []string{"duplicate", "unique", "23505", "1062", "e11000", "already exists"}
	noRowsWords    = []string{"no rows", "not found", "nil"}
)

// contains decides a search in an error's text; in other texts it is unknown.
func (c *call) contains(args []*Value) *Value {
	e := args[0].Recv
	if e == nil || len(args) < 2 || len(args[1].texts()) != 1 {
		return derived(args...)
	}
	needle := strings.ToLower(args[1].texts()[0])
	if needle == "" {
		return derived(args...)
	}
	var out *Value
	for _, a := range e.alternatives() {
		v := derived(a)
		if a.Kind == Err {
			v = boolean(c.f.m.mentions(a, needle, 0))
		}
		out = join(out, v.mark(0, a.Ctl), 0)
	}
	return out
}

// mentions reports whether an error's text would hold the word.
func (m *machine) mentions(e *Value, word string, depth int) bool {
	hit := func(words []string) bool {
		for _, w := range words {
			if strings.Contains(word, w) {
				return true
			}
		}
		return false
	}
	switch e.Text {
	case "unique violation":
		if hit(violationWords) {
			m.tested(e)
			return true
		}
	case "no rows":
		if hit(noRowsWords) {
			return true
		}
	}
	for _, w := range e.Elems {
		if w.Kind == Err && depth < 6 && m.mentions(w, word, depth+1) {
			return true
		}
	}
	return false
}

func (c *call) sameText(args []*Value) *Value {
	if args[0].Recv != nil || args[0].Kind == Str {
		return args[0]
	}
	return derived(args...)
}

// sprintf fills a constant format with what is known of the operands.
func (c *call) sprintf(args []*Value) *Value {
	var ops []*Value
	if len(args) > 1 && args[1].Kind == Ref {
		ops = c.open(args[1])
	}
	out := derived(append([]*Value{args[0]}, ops...)...)
	for _, o := range ops {
		if out.Made == nil {
			out.Made = madeIn(o, c.st)
		}
	}
	if ts := args[0].texts(); len(ts) == 1 {
		out = &Value{Kind: Str, Text: format(ts[0], ops), Org: out.Org, Ctl: out.Ctl, Path: out.Path, Made: out.Made}
	}
	return out
}

func (c *call) sprint(args []*Value) *Value {
	var ops []*Value
	if len(args) > 0 && args[0].Kind == Ref {
		ops = c.open(args[0])
	}
	return derived(ops...)
}

// format replaces each verb of a format by its operand, or by a hole.
func format(f string, ops []*Value) string {
	var b strings.Builder
	n := 0
	for i := 0; i < len(f); i++ {
		if f[i] != '%' {
			b.WriteByte(f[i])
			continue
		}
		i++
		for i < len(f) && strings.IndexByte("+-# 0123456789.*[]", f[i]) >= 0 {
			i++
		}
		if i >= len(f) {
			break
		}
		if f[i] == '%' {
			b.WriteByte('%')
			continue
		}
		switch {
		case n < len(ops) && ops[n].Kind == Str:
			b.WriteString(ops[n].Text)
		case n < len(ops) && ops[n].Kind == Int:
			fmt.Fprintf(&b, "%d", ops[n].Int)
		default:
			b.WriteString(sqltext.Hole)
		}
		n++
	}
	return b.String()
}

// runs calls the function that the call is given, now.
func (c *call) runs(args []*Value) *Value {
	val := c.val
	c.value(args[len(args)-1], nil)
	c.val = val
	if c.val == nil {
		c.val = unknown
	}
	return c.val
}

// runsBeside calls it in a goroutine that something waits for.
func (c *call) runsBeside(args []*Value) *Value {
	defer c.f.m.spawn(c.f, c.at)()
	return c.runs(args)
}

// waits is a call that returns when the goroutines are done.
func (c *call) waits([]*Value) *Value {
	c.f.m.join()
	return c.resultOf(c.typ, 0, 0, nil)
}

// spawns calls it in a goroutine of its own.
func (c *call) spawns(args []*Value) *Value {
	defer c.f.m.spawn(c.f, c.at)()
	inner := *c
	inner.spawned = true
	inner.value(args[len(args)-1], nil)
	if inner.st != nil {
		c.st = inner.st
	}
	return unknown
}
