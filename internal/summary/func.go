// Package summary holds what one package exports to its importers: for each
// function that can matter, its body reduced to the instructions that move
// records, handles, keys and errors about.
//
// A summary is not a verdict. Whether an effect is guarded depends on what a
// gate means to its caller, on which handle a repository was built with and on
// which closure runs inside whose transaction; all of these are known only
// where the ends meet. So a summary keeps the body, small, and package flow
// interprets it in the context of the listener that reaches it.
package summary

import (
	"go/token"
	"sync"
	"sync/atomic"
)

// Ref names a value inside one function: an instruction's result, a parameter,
// a captured variable, a constant, a function or a global variable. The zero
// Ref names nothing.
type Ref uint32

// RefKind says which of the function's tables a Ref points into.
type RefKind uint8

// The tables that a Ref can point into.
const (
	RefNone RefKind = iota
	RefInstr
	RefParam
	RefFree
	RefConst
	RefFunc
	RefGlobal
)

const refShift = 28

// MakeRef returns the reference to entry i of table k.
func MakeRef(k RefKind, i int) Ref { return Ref(k)<<refShift | Ref(i) }

// Kind returns the table that r points into.
func (r Ref) Kind() RefKind { return RefKind(r >> refShift) }

// Index returns the position in that table.
func (r Ref) Index() int { return int(r & (1<<refShift - 1)) }

// Op is the kind of an instruction. The set follows golang.org/x/tools/go/ssa,
// with conversions folded into Copy and the control instructions kept.
type Op uint8

// The instructions. The comment gives the operands in Args; Str is the
// instruction's name operand.
const (
	OpInvalid     Op = iota
	OpCall           // static call; Str = callee's full name, Args = receiver and arguments
	OpInvoke         // interface method call; Str = method, Aux = interface type, Args[0] = the interface value
	OpCallValue      // call of a function value; Args[0] = the function
	OpBuiltin        // builtin; Str = its name
	OpAlloc          // Aux = element type
	OpFieldAddr      // &x.f; Str = field, Aux = struct type
	OpField          // x.f of a struct value; Str = field, Aux = struct type
	OpIndexAddr      // &x[i]
	OpIndex          // x[i]
	OpLookup         // map lookup; Flag CommaOk
	OpLoad           // *x
	OpStore          // *Args[0] = Args[1]
	OpMapUpdate      // Args[0][Args[1]] = Args[2]
	OpSend           // Args[0] <- Args[1]
	OpRecv           // <-Args[0]; Flag CommaOk
	OpPhi            // one operand per predecessor block, zero where there is none
	OpExtract        // component N of a tuple
	OpMakeClosure    // Str = the function, Args = bindings
	OpMakeIface      // Aux = concrete type; Str = interface type
	OpTypeAssert     // Aux = asserted type; Flag CommaOk
	OpCopy           // conversions that keep the value
	OpSlice          // x[a:b], only x
	OpBinOp          // Str = operator
	OpNot            // !x
	OpUnary          // other unary operators
	OpRange          // iterator over x
	OpNext           // next of an iterator: (ok, key, value)
	OpMake           // a new map, channel or slice
	OpSelect         // Args in pairs: channel, sent value or zero; Flag CommaOk = blocking
	OpIf             // Args[0] = condition; successors 0 (true) and 1 (false)
	OpJump           //
	OpReturn         // Args = results
	OpPanic          //
	OpRunDefers      //
)

// Flag marks variants of an instruction.
type Flag uint8

// The flags of an instruction.
const (
	CommaOk   Flag = 1 << iota // the two-result form
	Go                         // a call in a go statement
	Defer                      // a call in a defer statement
	GRPC                       // the callee's last parameter is ...grpc.CallOption
	MayStore                   // the callee's package can reach a store, though its body is not known
	Variadic                   // the last argument is the slice of variadic arguments
	FromEmbed                  // a field address that promotes an embedded field
)

// Instr is one instruction.
type Instr struct {
	Op    Op
	Flags Flag
	Type  uint32 // result type, index into Package.Types
	Aux   uint32 // second type operand, index into Package.Types
	Str   uint32 // name operand, index into Package.Strings
	N     uint32 // numeric operand
	Line  uint32
	Args  []Ref

	// Pos is known only while the function's own package is analysed; it is
	// not part of the fact.
	Pos token.Pos
}

// Block is a basic block: the half-open range [First, Last) of the function's
// instructions, and the indices of its neighbours.
type Block struct {
	First, Last  int
	Preds, Succs []int
}

// ConstKind is the kind of a constant.
type ConstKind uint8

// The kinds of constants that the engine tells apart.
const (
	ConstNil ConstKind = iota
	ConstBool
	ConstInt
	ConstString
	ConstZero  // the zero value of a composite type
	ConstOther // floats, complex numbers, integers that overflow int64
)

// Const is a constant operand.
type Const struct {
	Kind ConstKind
	Int  int64 // also 0 or 1 for booleans
	Str  string
	Type uint32 // index into Package.Types
}

// Func is the body of one function.
type Func struct {
	Name   string // the full name, as in "(*example.com/a.T).M" or "example.com/a.F$1"
	Parent string // the enclosing function's full name, for a function literal
	File   string // base name of the file
	Line   uint32
	Params []uint32 // types of the receiver and the parameters
	Free   []uint32 // types of the captured variables
	Result []uint32 // types of the results
	HasRcv bool
	Test   bool // stands in a _test.go file
	// Listener is set by the directive //idemlint:listener.
	Listener bool

	Consts  []Const
	Funcs   []uint32 // names, indices into Package.Strings
	Globals []uint32
	Instrs  []Instr
	Blocks  []Block

	// Pkg is the package that the function belongs to.
	Pkg *Package
	// Pos is known only while the function's own package is analysed.
	Pos token.Pos

	flow atomic.Pointer[cfg] // computed on demand
}

// Field is one field of a named struct type.
type Field struct {
	Name     string
	Type     string
	Tag      string
	Embedded bool
}

// TypeInfo describes a named struct type.
type TypeInfo struct {
	Name   string // full name, without pointer or type arguments
	Fields []Field
}

// Package is what one package tells its importers.
type Package struct {
	Path    string
	Strings []string
	Types   []string
	Funcs   []*Func
	Structs []TypeInfo
	Brokers []string // message brokers other than Kafka that the package imports
	Kafka   bool     // the package imports a Kafka client

	memo sync.Map
}

// Memo returns what make returned when Memo was first called with the key: what is
// computed of a package alone serves all that import it.
func (p *Package) Memo(key any, make func() any) any {
	once, _ := p.memo.LoadOrStore(key, sync.OnceValue(make))
	return once.(func() any)()
}

// Str returns entry i of the string table.
func (p *Package) Str(i uint32) string { return p.Strings[i] }

// TypeName returns entry i of the type table: the full name of a named type,
// with a leading * for pointers to it; other types as Go writes them.
func (p *Package) TypeName(i uint32) string { return p.Types[i] }

// FuncName returns the full name behind a RefFunc or RefGlobal reference.
func (f *Func) FuncName(r Ref) string {
	if r.Kind() == RefGlobal {
		return f.Pkg.Strings[f.Globals[r.Index()]]
	}
	return f.Pkg.Strings[f.Funcs[r.Index()]]
}

// Text returns the name operand of an instruction.
func (f *Func) Text(in *Instr) string { return f.Pkg.Strings[in.Str] }

// ResultType returns the name of the type of an instruction's result.
func (f *Func) ResultType(in *Instr) string { return f.Pkg.Types[in.Type] }

// AuxType returns the name of an instruction's second type operand.
func (f *Func) AuxType(in *Instr) string { return f.Pkg.Types[in.Aux] }

// TypeOf returns the type of an operand, "" of a function or global variable.
func (f *Func) TypeOf(r Ref) string {
	switch r.Kind() {
	case RefInstr:
		return f.ResultType(&f.Instrs[r.Index()])
	case RefParam:
		return f.Pkg.Types[f.Params[r.Index()]]
	case RefFree:
		return f.Pkg.Types[f.Free[r.Index()]]
	case RefConst:
		return f.Pkg.Types[f.Consts[r.Index()].Type]
	}
	return ""
}
