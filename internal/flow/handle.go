package flow

import (
	"fmt"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// handle returns what is known of a database handle at this point.
func (f *frame) handle(v *Value, st *state) Handle {
	var out Handle
	if v == nil {
		return out
	}
	for i, a := range v.alternatives() {
		h := f.handleOf(a, st)
		if i > 0 && h != out {
			return Handle{}
		}
		out = h
	}
	return out
}

func (f *frame) handleOf(v *Value, st *state) Handle {
	switch v.Kind {
	case Stmt:
		if v.Stmt.Handle == nil {
			return Handle{}
		}
		return f.handle(v.Stmt.Handle, st)
	case Answer:
		return v.Op.Handle
	}
	if o := v.Obj; o != nil {
		if o.Tx {
			o = outermost(o)
			switch done := st.get(o, "$done"); {
			case done == nil || done.Kind == Bool && done.Int == 0:
				return Handle{InOpenTx, o}
			case done.Kind == Bool:
				return Handle{InDoneTx, o}
			}
			return Handle{HandleUnknown, o}
		}
		// The listener outlives every transaction, so what it keeps is none.
		if o.Pool || o.Own {
			return Handle{State: OnPool}
		}
	}
	typ := v.Type
	if v.Obj != nil && f.m.cat.Handle(typ) == catalog.NotHandle {
		typ = v.Obj.Type
	}
	if f.m.cat.Handle(typ) == catalog.Pool {
		return Handle{State: OnPool}
	}
	return Handle{}
}

// session returns the transaction that a context carries, for stores whose
// driver takes it from there.
func (f *frame) session(ctx *Value, st *state) Handle {
	for _, a := range ctx.alternatives() {
		o := a.Obj
		for n := 0; o != nil && o.Type == "context" && n < maxParents; n++ {
			if o.Val != nil && o.Val.Obj != nil && o.Val.Obj.Tx {
				return f.handleOf(o.Val, st)
			}
			if o.Parent == nil {
				break
			}
			o = o.Parent.Obj
		}
	}
	return Handle{State: OnPool}
}

// handleAmong returns the first handle among the arguments of a configured gate.
func (c *call) handleAmong(args []*Value) Handle {
	for _, a := range args {
		if h := c.f.handle(a, c.st); h.State != HandleUnknown {
			return h
		}
	}
	return Handle{}
}

func outermost(o *Object) *Object {
	for o.Outer != nil {
		o = o.Outer
	}
	return o
}

// begin makes the transaction that a call at instruction i of the frame begins
// on handle: a new one, or a part of the one that handle is.
func (c *call) begin(handle *Value, typ string) *Value {
	o := c.f.transaction(c.at, typ)
	o.Outer = nil
	if handle != nil {
		for _, a := range handle.alternatives() {
			if a.Kind == Stmt && a.Stmt.Handle != nil {
				a = a.Stmt.Handle
			}
			if a.Obj != nil && a.Obj.Tx && a.Obj != o {
				o.Outer = a.Obj
			}
		}
	}
	c.st.reset(o)
	if o.Outer == nil {
		c.st.set(o, "$done", falseVal)
		c.f.op(c.at, &Op{Kind: Begin, Store: catalog.SQL, Handle: Handle{InOpenTx, o}})
	}
	return &Value{Kind: Ref, Obj: o, Type: typ}
}

// transaction returns the transaction that a call at instruction i of the frame begins:
// the same one each time that the code comes here by the same calls, as in a loop that
// tries again. What one pass over the loop did is then in the transaction of the next, and
// not in one of two that cannot be told apart.
func (f *frame) transaction(i int, typ string) *Object {
	key := fmt.Sprintf("transaction %s/%d", f.key, i)
	o := f.m.objs[key]
	if o == nil {
		o = f.object(i, typ)
		o.Tx = true
		f.m.objs[key] = o
	}
	return o
}

// finish ends the transaction behind handle.
func (c *call) finish(handle *Value, kind OpKind) {
	for _, a := range handle.alternatives() {
		if a.Kind == Stmt && a.Stmt.Handle != nil {
			a = a.Stmt.Handle
		}
		if a.Obj == nil || !a.Obj.Tx || a.Obj.Outer != nil {
			continue
		}
		if done := c.st.get(a.Obj, "$done"); done != nil && done.Kind == Bool && done.Int == 1 {
			continue // a deferred Rollback after Commit does nothing
		}
		c.st.set(a.Obj, "$done", trueVal)
		for _, o := range c.f.m.ops {
			if kind == Commit && o.Handle.Tx == a.Obj && o.Goroutine != c.f.m.goroutine && !o.joined {
				o.Outlives = true
			}
		}
		c.f.op(c.at, &Op{Kind: kind, Store: catalog.SQL, Handle: Handle{InDoneTx, a.Obj}, Acked: c.f.acked(c.st)})
	}
}

// inTx runs a closure in a transaction on handle, and commits when the closure
// returns no error.
func (c *call) inTx(handle, fn *Value, args []*Value) {
	c.within(c.begin(handle, "transaction"), fn, args)
}

// within runs a closure in a transaction that has begun.
func (c *call) within(tx, fn *Value, args []*Value) {
	m := c.f.m
	c.val = nil
	var out *Value
	for _, a := range fn.alternatives() {
		if a.Kind != Func {
			continue
		}
		body := m.u.Func(a.Text)
		var params []*Value
		if body != nil {
			list := body.Params
			if a.Recv != nil {
				list = list[1:]
			}
			for _, p := range list {
				t := body.Pkg.TypeName(p)
				params = append(params, c.txParam(t, tx, args))
			}
		}
		c.value(a, params)
		if c.st == nil {
			return
		}
		if c.val != nil {
			out = join(out, c.val, 0)
		}
	}
	if out == nil {
		out = c.resultOf(c.typ, 0, 0, nil)
	}
	err := out
	if out.Kind == Tuple && len(out.Elems) > 0 {
		err = out.Elems[len(out.Elems)-1]
	}
	if err.Kind == Err {
		c.finish(tx, Rollback)
	} else {
		c.finish(tx, Commit)
	}
	c.val = out
	if c.typ == "error" && out.Kind == Tuple {
		c.val = err
	}
}

// txParam is the argument of a type that a transaction runner passes to its
// closure: the transaction, or a context that carries it.
func (c *call) txParam(typ string, tx *Value, args []*Value) *Value {
	m := c.f.m
	switch {
	case typ == "context.Context" || strings.HasSuffix(typ, ".SessionContext"):
		var parent *Value
		for _, a := range args {
			if a.Type == "context.Context" || a.Obj != nil && a.Obj.Type == "context" {
				parent = a
				break
			}
		}
		o := m.named("txctx "+c.f.key+tx.Obj.Type, "context", "")
		o.Symbolic = false
		o.Parent, o.Val = parent, tx
		return &Value{Kind: Ref, Obj: o, Type: typ}
	case m.cat.Handle(typ) != catalog.NotHandle || m.cat.Builder(typ):
		if m.cat.Builder(typ) {
			return &Value{Kind: Stmt, Stmt: &Statement{Handle: tx.withType(typ)}, Type: typ}
		}
		return tx.withType(typ)
	}
	for _, a := range args {
		if a.Type == typ || a.Kind == Ref && a.Obj.Type == typ {
			return a // what the runner was given for the closure
		}
	}
	return tx.withType(typ)
}

// acked reports whether the record was surely acknowledged before this point.
func (f *frame) acked(st *state) bool {
	v := st.get(f.m.ack, "$acked")
	return v != nil && v.Kind == Bool && v.Int == 1
}
