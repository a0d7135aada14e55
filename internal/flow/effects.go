package flow

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idemlint/idemlint/internal/catalog"
)

// external records an effect outside a database, and returns it; nil for a call
// that changes nothing.
func (c *call) external(row *catalog.Row, name string, args []*Value) *Op {
	o := &Op{Kind: External, Name: name, Row: row, What: row.Kind, Acked: c.f.acked(c.st)}
	for _, a := range args {
		o.Texts = append(o.Texts, c.textsOf(a, 0)...)
	}
	method := row.Const
	if row.Method != catalog.None {
		method = strings.Join(c.operand(row, args, row.Method).texts(), " ")
	}
	if row.Verb == catalog.Send {
		var req *Value
		if row.Key != catalog.None {
			req = c.operand(row, args, row.Key)
		}
		if req != nil && req.Kind == Ref && req.Obj.Method != "" {
			method = req.Obj.Method
		}
		switch strings.ToUpper(method) {
		case "GET", "HEAD", "OPTIONS", "TRACE":
			c.val = c.resultOf(c.typ, FromRead, 0, nil)
			return nil
		case "":
			if req != nil {
				o.Write = Undecided
			}
			o.What = "an HTTP request"
		default:
			o.What = "an HTTP " + strings.ToUpper(method)
		}
	}
	if row.Read {
		c.val = c.resultOf(c.typ, FromRead, 0, nil)
		return nil
	}
	if o.What == "" {
		o.What = name
	}
	c.price(row, o, args)
	if row.Publishes() {
		for _, a := range args {
			c.headers(a, o)
			c.each(a, 3, func(v *Value) {
				o.Published = append(o.Published, v.Of...)
				o.Encoded = append(o.Encoded, v.Of...)
				if len(v.Of) > 0 && !slices.Contains(o.Payloads, v.Of[0]) {
					o.Payloads = append(o.Payloads, v.Of[0])
				}
				if v.Kind == Ref && strings.Contains(v.Obj.Type, ".") {
					o.Published = append(o.Published, v.Obj.Type)
				}
			})
		}
	}
	c.val = c.resultOf(c.typ, 0, 0, nil)
	return c.f.op(c.at, o)
}

// headers notes the names of the headers in a published message: those of a map of
// headers, and the keys of a client's header structs.
func (c *call) headers(v *Value, o *Op) {
	c.each(v, 4, func(v *Value) {
		if v.Kind != Ref {
			return
		}
		if c.f.m.cat.Headers(v.Obj.Type) || c.f.m.cat.Headers(v.Type) {
			for _, k := range sortedKeys(fieldsOf(c.st, v.Obj)) {
				o.Headers = append(o.Headers, strings.Trim(k, "[]"))
			}
			return
		}
		if strings.HasSuffix(v.Obj.Type, "Header") {
			if key := c.st.get(v.Obj, "Key"); key != nil {
				o.Headers = append(o.Headers, key.texts()...)
			}
		}
	})
}

// price notes what R-KFK-IDEM-4 asks of a request: where it goes and whether it
// carries an idempotency key. A request that was made elsewhere is judged there.
func (c *call) price(row *catalog.Row, o *Op, args []*Value) {
	o.Whole = true
	o.Hooked, o.Keyer = c.hook(row, args)
	if key := c.operand(row, args, row.Text); key != nil && row.Money {
		o.Lock = key
		return
	}
	carriers := args
	if row.Key != catalog.None {
		what := c.operand(row, args, row.Key)
		if row.Money && what != nil {
			carriers = []*Value{what} // the SDK looks nowhere else
		}
		made := what != nil && what.Kind == Ref && !what.Obj.Symbolic && what.Obj.static == nil
		o.Whole = made || what != nil && isNil(what) == 1 // nil surely carries nothing
		if row.Money && row.Field != "" {
			if made {
				o.Lock = c.atPath(what, row.Field)
			}
			return
		}
		if made {
			if url := c.st.get(what.Obj, "$url"); url != nil {
				o.URL = strings.Join(url.texts(), " ")
			}
		}
	}
	if url := c.operand(row, args, row.URL); url != nil {
		o.URL = strings.Join(url.texts(), " ")
	}
	for _, a := range carriers {
		if o.Lock == nil {
			o.Lock = c.lockOf(a, 3)
		}
	}
}

// atPath returns what stands at a path of fields, separated by dots, below a
// structure.
func (c *call) atPath(v *Value, path string) *Value {
	for field := range strings.SplitSeq(path, ".") {
		v = c.f.fieldOf(v, field, "", c.st)
	}
	return v
}

// AltSep separates the alternatives of a text that is one of several.
const AltSep = "\x00"

// textsOf collects the known texts and names in a value, three levels down: a
// topic in a message in a slice. What is one of several is one text.
func (c *call) textsOf(v *Value, depth int) []string {
	var out []string
	if v.Kind == Union {
		var alts []string
		for _, a := range v.Elems {
			alts = append(alts, strings.ReplaceAll(strings.Join(c.textsOf(a, depth), " "), AltSep, " "))
		}
		return []string{strings.Join(alts, AltSep)}
	}
	for _, a := range v.alternatives() {
		if a.Kind == Str {
			out = append(out, a.Text)
		}
		if a.Path != "" {
			out = append(out, a.Path)
		}
		if a.Obj != nil {
			if a.Obj.Path != "" {
				out = append(out, a.Obj.Path)
			}
			if fs := c.st.of(a.Obj); fs != nil && depth < 4 && !a.Obj.Record {
				for _, k := range sortedKeys(fs.m) {
					out = append(out, c.textsOf(fs.m[k], depth+1)...)
				}
			}
		}
	}
	return out
}

// request interprets the making of an HTTP request.
func (c *call) request(row *catalog.Row, args []*Value) {
	o := c.f.object(c.at, strings.TrimPrefix(firstType(c.typ), "*"))
	o.Org = 0
	if m := c.operand(row, args, row.Method); m != nil {
		if ts := m.texts(); len(ts) == 1 {
			o.Method = ts[0]
			if o.Method == "" {
				o.Method = "GET"
			}
		}
	}
	c.st.reset(o)
	for _, a := range args {
		if k := c.lockOf(a, 2); k != nil {
			c.st.set(o, keyField, k) // in the body
		}
	}
	if url := c.operand(row, args, row.URL); url != nil {
		c.st.set(o, "$url", url)
	}
	c.val = c.shape(&Value{Kind: Ref, Obj: o, Type: firstType(c.typ)}, nilValue)
}

// header interprets the setting of a request's header: an idempotency key is an
// operation of its own.
func (c *call) header(row *catalog.Row, args []*Value) {
	c.val = args[0]
	name, val := c.operand(row, args, row.Key), c.operand(row, args, row.Text)
	if row.Kind == "map" && name != nil && name.Kind == Ref {
		fs := fieldsOf(c.st, name.Obj)
		for _, k := range sortedKeys(fs) {
			c.setHeader(args[0], text(strings.Trim(k, "[]")), fs[k])
		}
		return
	}
	if name == nil || val == nil {
		return
	}
	c.setHeader(args[0], name, val)
}

func (c *call) setHeader(holder, name, val *Value) {
	for _, t := range name.texts() {
		for _, a := range holder.alternatives() {
			if a.Kind == Ref && !a.Obj.Record {
				c.st.set(a.Obj, "["+t+"]", val)
			}
		}
		if c.f.m.u.Settings.IdempotencyHeader(t) {
			c.lock(holder, val)
			c.f.op(c.at, &Op{Kind: Mark, Name: t, Key: val, What: fmt.Sprintf("the header %s", t), Cell: "header " + t})
		}
	}
}

// grpc records a gRPC client call through an interface whose implementation is
// not seen; its name tells reads from changes.
func (c *call) grpc(name, method string, args []*Value) {
	for _, p := range []string{"Get", "List", "Find", "Search", "Fetch", "Query", "Describe", "Lookup", "Check", "Validate", "Verify", "Watch", "Read", "Count", "Has", "Is", "Exists", "Ping", "Health"} {
		if strings.HasPrefix(method, p) {
			c.val = c.resultOf(c.typ, FromRead, 0, nil)
			return
		}
	}
	o := &Op{Kind: External, Name: name, What: "a gRPC call of " + method, Acked: c.f.acked(c.st)}
	o.Hooked = true
	if len(args) > 2 { // receiver, context, request
		req := args[2]
		o.Whole = req.Kind == Ref && !req.Obj.Symbolic && req.Obj.static == nil
		for _, a := range args {
			if o.Lock == nil {
				o.Lock = c.lockOf(a, 3)
			}
		}
	}
	c.f.op(c.at, o)
	c.val = c.resultOf(c.typ, 0, 0, nil)
}

// packageOf is the import path of a type's name.
func packageOf(typ string) string {
	typ = strings.TrimPrefix(typ, "*")
	if i := strings.LastIndexByte(typ, '.'); i >= 0 {
		return typ[:i]
	}
	return ""
}
