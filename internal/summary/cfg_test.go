package summary

import (
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"math/rand"
	"reflect"
	"slices"
	"testing"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"
)

// graph is a control flow graph: the successors of each block, entry 0.
type graph [][]int

func (g graph) fn() *Func {
	f := &Func{}
	for _, s := range g {
		f.Blocks = append(f.Blocks, Block{Succs: s})
	}
	for a, s := range g {
		for _, b := range s {
			f.Blocks[b].Preds = append(f.Blocks[b].Preds, a)
		}
	}
	return f
}

// avoiding returns the blocks that can be reached from block from without
// entering block not.
func (g graph) avoiding(from, not int) []bool {
	seen := make([]bool, len(g))
	if from == not {
		return seen
	}
	seen[from] = true
	for todo := []int{from}; len(todo) > 0; {
		b := todo[0]
		todo = todo[1:]
		for _, s := range g[b] {
			if s != not && !seen[s] {
				seen[s] = true
				todo = append(todo, s)
			}
		}
	}
	return seen
}

var graphs = []struct {
	name    string
	g       graph
	rpo     []int
	control [][]int // for each block, sorted
	loop    []int
}{
	{"one block", graph{{}}, []int{0}, [][]int{{}}, nil},
	{"a chain", graph{{1}, {2}, {}}, []int{0, 1, 2}, [][]int{{}, {}, {}}, nil},
	{"if", graph{{1, 2}, {2}, {}}, []int{0, 1, 2}, [][]int{{}, {0}, {}}, nil},
	{"if else", graph{{1, 2}, {3}, {3}, {}}, []int{0, 1, 2, 3}, [][]int{{}, {0}, {0}, {}}, nil},
	{"early return", graph{{1, 2}, {}, {}}, []int{0, 1, 2}, [][]int{{}, {0}, {0}}, nil},
	{"early return, then work", graph{{1, 2}, {}, {3}, {4}, {}}, []int{0, 1, 2, 3, 4}, [][]int{{}, {0}, {0}, {0}, {0}}, nil},
	{"nested if", graph{{1, 4}, {2, 3}, {3}, {4}, {}}, []int{0, 1, 2, 3, 4}, [][]int{{}, {0}, {0, 1}, {0}, {}}, nil},
	{"two checks with early returns", graph{{1, 2}, {}, {3, 4}, {}, {}}, []int{0, 1, 2, 3, 4}, [][]int{{}, {0}, {0}, {0, 2}, {0, 2}}, nil},
	{"condition with &&", graph{{1, 3}, {2, 3}, {3}, {}}, []int{0, 1, 2, 3}, [][]int{{}, {0}, {0, 1}, {}}, nil},
	{"while", graph{{1}, {2, 3}, {1}, {}}, []int{0, 1, 2, 3}, [][]int{{}, {1}, {1}, {}}, []int{1, 2}},
	{"do while", graph{{1}, {1, 2}, {}}, []int{0, 1, 2}, [][]int{{}, {1}, {}}, []int{1}},
	{"loop with continue", graph{{1}, {2, 5}, {1, 3}, {4}, {1}, {}}, []int{0, 1, 2, 3, 4, 5}, [][]int{{}, {1}, {1}, {1, 2}, {1, 2}, {}}, []int{1, 2, 3, 4}},
	{"loop with break", graph{{1}, {2, 4}, {3, 4}, {1}, {}}, []int{0, 1, 2, 3, 4}, [][]int{{}, {1, 2}, {1, 2}, {1, 2}, {}}, []int{1, 2, 3}},
	{"endless loop", graph{{1}, {2}, {1}}, []int{0, 1, 2}, [][]int{{}, {2}, {2}}, []int{1, 2}},
	{"one block's endless loop", graph{{1}, {1}}, []int{0, 1}, [][]int{{}, {1}}, []int{1}},
	{"endless loop with a return", graph{{1}, {2, 3}, {1}, {}}, []int{0, 1, 2, 3}, [][]int{{}, {1}, {1}, {}}, []int{1, 2}},
	{"unreachable block", graph{{2}, {2}, {}}, []int{0, 2}, [][]int{{}, {}, {}}, nil},
	{"unreachable loop", graph{{}, {2}, {1}}, []int{0}, [][]int{{}, {}, {}}, []int{1, 2}},
	{"both edges to one block", graph{{1, 1}, {}}, []int{0, 1}, [][]int{{}, {}}, nil},
	{"irreducible", graph{{1, 2}, {2, 3}, {1}, {}}, []int{0, 1, 2, 3}, [][]int{{}, {1}, {0, 1}, {}}, []int{1, 2}},
}

func TestGraphs(t *testing.T) {
	for _, c := range graphs {
		t.Run(c.name, func(t *testing.T) {
			f := c.g.fn()
			rpo := f.ReversePostOrder()
			if c.name == "irreducible" {
				rpo, c.rpo = slices.Sorted(slices.Values(rpo)), slices.Sorted(slices.Values(c.rpo))
			}
			if !reflect.DeepEqual(rpo, c.rpo) {
				t.Errorf("ReversePostOrder = %v, want %v", rpo, c.rpo)
			}
			for b := range c.g {
				got := slices.Sorted(slices.Values(f.ControlledBy(b)))
				if !slices.Equal(got, c.control[b]) {
					t.Errorf("ControlledBy(%d) = %v, want %v", b, got, c.control[b])
				}
				if want := slices.Contains(c.loop, b); f.InLoop(b) != want {
					t.Errorf("InLoop(%d) = %v, want %v", b, f.InLoop(b), want)
				}
			}
		})
	}
	if f := (&Func{}); f.ReversePostOrder() != nil {
		t.Error("a function without blocks has an order")
	}
}

// checkOrder holds for every graph: each reachable block once, the entry
// first, and only edges that close a loop lead backwards.
func checkOrder(t *testing.T, g graph, f *Func) {
	t.Helper()
	rpo := f.ReversePostOrder()
	at := make(map[int]int)
	for i, b := range rpo {
		if _, twice := at[b]; twice {
			t.Errorf("block %d stands twice in %v", b, rpo)
		}
		at[b] = i
	}
	reach := g.avoiding(0, -1)
	for b, ok := range reach {
		if _, in := at[b]; in != ok {
			t.Errorf("block %d: reachable %v, in the order %v", b, ok, in)
		}
	}
	if rpo[0] != 0 {
		t.Errorf("the order begins with %d", rpo[0])
	}
	for _, a := range rpo {
		for _, b := range g[a] {
			if f.BackEdge(a, b) != (at[b] <= at[a]) {
				t.Errorf("BackEdge(%d, %d) = %v in the order %v", a, b, f.BackEdge(a, b), rpo)
			}
			if f.BackEdge(a, b) && !g.avoiding(b, -1)[a] {
				t.Errorf("the edge from %d to %d leads back, but closes no loop", a, b)
			}
		}
	}
}

// control computes control dependence by its definition: b depends on the
// branch of a when b lies on every way to the end from one successor of a, but
// not on every way from a itself; then the transitive closure.
func (g graph) control() []map[int]bool {
	n := len(g)
	exit := make(graph, n+1)
	for b, s := range g {
		exit[b] = s
		if len(s) == 0 {
			exit[b] = []int{n}
		}
	}
	pdom := func(b, x int) bool { return b == x || !exit.avoiding(x, b)[n] }
	reach := g.avoiding(0, -1)
	out := make([]map[int]bool, n)
	for b := range n {
		out[b] = make(map[int]bool)
		for a := range n {
			if !reach[a] || !reach[b] || a != b && pdom(b, a) {
				continue
			}
			for _, s := range g[a] {
				if len(g[a]) > 1 && pdom(b, s) {
					out[b][a] = true
				}
			}
		}
	}
	for changed := true; changed; {
		changed = false
		for b := range n {
			for a := range out[b] {
				for c := range out[a] {
					if !out[b][c] {
						out[b][c] = true
						changed = true
					}
				}
			}
		}
	}
	return out
}

// TestRandomGraphs compares with the definitions on graphs in which every
// block reaches an end.
func TestRandomGraphs(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	tested := 0
	for range 4000 {
		n := 1 + r.Intn(9)
		g := make(graph, n)
		for b := range g {
			for range r.Intn(3) {
				g[b] = append(g[b], r.Intn(n))
			}
		}
		ends := true
		for b, ok := range g.avoiding(0, -1) {
			if ok {
				end := false
				for x, ok := range g.avoiding(b, -1) {
					end = end || ok && len(g[x]) == 0
				}
				ends = ends && end
			}
		}
		f := g.fn()
		checkOrder(t, g, f)
		for b := range g {
			loop := false
			for _, s := range g[b] {
				loop = loop || g.avoiding(s, -1)[b]
			}
			if f.InLoop(b) != loop {
				t.Errorf("%v: InLoop(%d) = %v", g, b, f.InLoop(b))
			}
		}
		if ends {
			tested++
			for b, want := range g.control() {
				got := make(map[int]bool)
				for _, a := range f.ControlledBy(b) {
					if got[a] {
						t.Errorf("%v: ControlledBy(%d) = %v names %d twice", g, b, f.ControlledBy(b), a)
					}
					got[a] = true
				}
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%v: ControlledBy(%d) = %v, want %v", g, b, got, want)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
	if tested < 1000 {
		t.Errorf("only %d graphs had an end", tested)
	}
}

// TestEndlessLoops: a graph without an end has an answer too, and blocks before
// the loop do not depend on it.
func TestEndlessLoops(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range 2000 {
		n := 2 + r.Intn(9)
		g := make(graph, n)
		for b := range g {
			for range 1 + r.Intn(2) {
				g[b] = append(g[b], r.Intn(n))
			}
		}
		f := g.fn()
		checkOrder(t, g, f)
		for b := range g {
			for _, a := range f.ControlledBy(b) {
				if !g.avoiding(a, -1)[b] {
					t.Errorf("%v: ControlledBy(%d) = %v, but %d does not lead there", g, b, f.ControlledBy(b), a)
				}
			}
		}
		if t.Failed() {
			return
		}
	}
}

// source has the shapes of control flow that Go can write.
const source = `package p

func straight() int { return 1 }

func branches(a, b bool, n int) int {
	if a && b {
		n++
	} else if a || n > 3 && b {
		return n
	}
	switch n {
	case 1, 2:
		n = 7
		fallthrough
	case 3:
		n = 8
	case 4:
		return 0
	default:
		n = 9
	}
	return n
}

func loops(m map[string]int, xs []int, c chan int) (sum int) {
outer:
	for i, x := range xs {
		for k := range m {
			if k == "stop" {
				break outer
			}
			if x < 0 {
				continue outer
			}
			sum += i
		}
		for x > 0 {
			x--
			if sum > 100 {
				return sum
			}
		}
	}
	for v := range c {
		sum += v
	}
	return
}

func selects(a, b chan int, done chan struct{}) int {
	for {
		select {
		case v := <-a:
			if v == 0 {
				continue
			}
		case b <- 1:
		case <-done:
			return 1
		}
	}
}

func jumps(n int) int {
	i := 0
again:
	i++
	if i < n {
		goto again
	}
	if n == 3 {
		goto end
	}
	i = n
end:
	return i
}

func endless(c chan int) {
	for {
		c <- 1
	}
}

func types(x any) int {
	switch x := x.(type) {
	case int:
		return x
	case string:
		if len(x) > 2 {
			panic(x)
		}
	}
	defer func() { _ = recover() }()
	return 2
}
`

// TestAgainstSSA compares with the dominator tree that go/ssa computes by
// another algorithm: dominators are the post-dominators of the reverse graph,
// and in a reducible graph an edge leads back when its end dominates its start.
func TestAgainstSSA(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	pkg, _, err := ssautil.BuildPackage(&types.Config{Importer: importer.Default()}, fset, types.NewPackage("p", ""), []*ast.File{file}, 0)
	if err != nil {
		t.Fatal(err)
	}
	blocks, back := 0, 0
	for name, m := range pkg.Members {
		fn, ok := m.(*ssa.Function)
		if !ok || len(fn.Blocks) == 0 {
			continue
		}
		g := make(graph, len(fn.Blocks))
		reverse := make([][]int, len(fn.Blocks)+1)
		for _, b := range fn.Blocks {
			for _, s := range b.Succs {
				g[b.Index] = append(g[b.Index], s.Index)
				reverse[s.Index] = append(reverse[s.Index], b.Index)
			}
		}
		exit := len(fn.Blocks)
		reverse[0] = append(reverse[0], exit)
		f := g.fn()
		checkOrder(t, g, f)
		idom := postDominators(exit, reverse)
		for _, b := range fn.Blocks {
			if b == fn.Recover {
				continue
			}
			blocks++
			want := exit
			if b.Idom() != nil {
				want = b.Idom().Index
			}
			if idom[b.Index] != want {
				t.Errorf("%s: block %d: immediate dominator %d, want %d", name, b.Index, idom[b.Index], want)
			}
			for _, s := range b.Succs {
				if f.BackEdge(b.Index, s.Index) != s.Dominates(b) {
					t.Errorf("%s: BackEdge(%d, %d) = %v", name, b.Index, s.Index, f.BackEdge(b.Index, s.Index))
				}
				if s.Dominates(b) {
					back++
				}
			}
		}
	}
	if blocks < 50 || back < 8 {
		t.Errorf("only %d blocks and %d loops compared", blocks, back)
	}
}

// TestPostDominators compares with the definition: d is the immediate
// post-dominator of b when it is the nearest block without which b has no way
// to the end.
func TestPostDominators(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 2000 {
		n := 1 + r.Intn(8)
		g := make(graph, n+1)
		for b := range n {
			for range 1 + r.Intn(2) {
				g[b] = append(g[b], r.Intn(n+1))
			}
		}
		ipdom := postDominators(n, g)
		for b := range n {
			if !g.avoiding(b, -1)[n] {
				if ipdom[b] >= 0 {
					t.Errorf("%v: ipdom(%d) = %d, but it has no way to the end", g, b, ipdom[b])
				}
				continue
			}
			var strict []int
			for d := range n + 1 {
				if d == n || d != b && !g.avoiding(b, d)[n] {
					strict = append(strict, d)
				}
			}
			// The nearest is the one that all others post-dominate in turn.
			want := -1
			for _, d := range strict {
				nearest := true
				for _, e := range strict {
					if e != d && e != n && g.avoiding(d, e)[n] {
						nearest = false
					}
				}
				if nearest {
					want = d
				}
			}
			if ipdom[b] != want {
				t.Errorf("%v: ipdom(%d) = %d, want %d of %v", g, b, ipdom[b], want, strict)
			}
		}
		if t.Failed() {
			return
		}
	}
}

func ExampleControlDependence() {
	// if dup { return }; work()
	g := [][]int{{1, 2}, {}, {}}
	fmt.Println(ControlDependence(len(g), func(b int) []int { return g[b] }))
	// Output: [[] [0] [0]]
}
