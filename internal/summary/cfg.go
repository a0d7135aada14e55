package summary

// cfg holds what is derived from a function's blocks.
type cfg struct {
	rpo     []int   // reverse post-order of the reachable blocks
	order   []int   // position of a block in rpo, -1 if unreachable
	control [][]int // control[b]: blocks whose branch decides whether b runs, transitively
	inLoop  []bool  // the block is part of a cycle
}

// graph computes the graph when it is first asked for. A function's body is
// shared by the analyses of all packages above it, which run at the same time.
func (f *Func) graph() *cfg {
	if g := f.flow.Load(); g != nil {
		return g
	}
	g := &cfg{}
	succs := func(b int) []int { return f.Blocks[b].Succs }
	g.rpo, g.order = reversePostOrder(len(f.Blocks), succs)
	g.control = ControlDependence(len(f.Blocks), succs)
	g.inLoop = make([]bool, len(f.Blocks))
	for b := range f.Blocks {
		g.inLoop[b] = reaches(f, b, b)
	}
	f.flow.Store(g)
	return g
}

// ReversePostOrder returns the blocks reachable from the entry so that, back
// edges aside, each stands after its predecessors.
func (f *Func) ReversePostOrder() []int { return f.graph().rpo }

// BackEdge reports whether the edge from block a to block b closes a loop.
func (f *Func) BackEdge(a, b int) bool {
	g := f.graph()
	return g.order[a] >= g.order[b]
}

// ControlledBy returns the blocks whose branches decide whether block b runs.
func (f *Func) ControlledBy(b int) []int { return f.graph().control[b] }

// InLoop reports whether block b can run more than once in one call.
func (f *Func) InLoop(b int) bool { return f.graph().inLoop[b] }

func reaches(f *Func, from, to int) bool {
	seen := make([]bool, len(f.Blocks))
	todo := append([]int(nil), f.Blocks[from].Succs...)
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		if b == to {
			return true
		}
		if !seen[b] {
			seen[b] = true
			todo = append(todo, f.Blocks[b].Succs...)
		}
	}
	return false
}

func reversePostOrder(n int, succs func(int) []int) (rpo, order []int) {
	order = make([]int, n)
	for i := range order {
		order[i] = -1
	}
	if n == 0 {
		return nil, order
	}
	seen := make([]bool, n)
	var post []int
	var visit func(b int)
	visit = func(b int) {
		seen[b] = true
		// Last successor first: then the order follows the source text, and the
		// first branch of a condition comes before the second.
		ss := succs(b)
		for i := len(ss) - 1; i >= 0; i-- {
			if !seen[ss[i]] {
				visit(ss[i])
			}
		}
		post = append(post, b)
	}
	visit(0)
	rpo = make([]int, len(post))
	for i, b := range post {
		rpo[len(post)-1-i] = b
		order[b] = len(post) - 1 - i
	}
	return rpo, order
}

// ControlDependence returns, for each block of a graph with n blocks and entry
// 0, the blocks whose branches decide whether it runs: the transitive closure
// of control dependence in the sense of Ferrante, Ottenstein and Warren (1987),
// computed from post-dominators. Blocks from which no exit can be reached (an
// endless loop) post-dominate by reachability of the loop itself: such a graph
// gets a virtual exit from every block of the loop that no other block leaves.
func ControlDependence(n int, succs func(int) []int) [][]int {
	rpo, _ := reversePostOrder(n, succs)
	out := make([][]int, n)
	if len(rpo) == 0 {
		return out
	}
	exit := n
	rsucc := make([][]int, n+1) // successors in the graph with the virtual exit
	for _, b := range rpo {
		rsucc[b] = append(rsucc[b], succs(b)...)
		if len(rsucc[b]) == 0 {
			rsucc[b] = []int{exit}
		}
	}
	// An endless loop never reaches the exit; give its last block an edge there.
	for {
		can := canReach(n+1, rsucc, exit)
		worst := -1
		for _, b := range rpo {
			if !can[b] {
				worst = b
			}
		}
		if worst < 0 {
			break
		}
		rsucc[worst] = append(rsucc[worst], exit)
	}
	ipdom := postDominators(n, rsucc)
	direct := make([][]int, n)
	for _, a := range rpo {
		if len(rsucc[a]) < 2 {
			continue
		}
		for _, s := range rsucc[a] {
			for b := s; b != exit && b != ipdom[a]; b = ipdom[b] {
				direct[b] = append(direct[b], a)
				if ipdom[b] == b || ipdom[b] < 0 {
					break
				}
			}
		}
	}
	for _, b := range rpo {
		seen := make(map[int]bool)
		todo := append([]int(nil), direct[b]...)
		for len(todo) > 0 {
			a := todo[len(todo)-1]
			todo = todo[:len(todo)-1]
			if seen[a] {
				continue
			}
			seen[a] = true
			out[b] = append(out[b], a)
			todo = append(todo, direct[a]...)
		}
	}
	return out
}

func canReach(n int, succs [][]int, target int) []bool {
	preds := make([][]int, n)
	for a, ss := range succs {
		for _, s := range ss {
			preds[s] = append(preds[s], a)
		}
	}
	can := make([]bool, n)
	can[target] = true
	todo := []int{target}
	for len(todo) > 0 {
		b := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, p := range preds[b] {
			if !can[p] {
				can[p] = true
				todo = append(todo, p)
			}
		}
	}
	return can
}

// postDominators returns the immediate post-dominator of each block, by the
// iterative algorithm of Cooper, Harvey and Kennedy (2001) on the reverse graph.
func postDominators(n int, succs [][]int) []int {
	exit := n
	preds := make([][]int, n+1)
	for a, ss := range succs {
		for _, s := range ss {
			preds[s] = append(preds[s], a)
		}
	}
	order, pos := backwards(exit, preds)
	ipdom := make([]int, n+1)
	for i := range ipdom {
		ipdom[i] = -1
	}
	ipdom[exit] = exit
	intersect := func(a, b int) int {
		for a != b {
			for pos[a] > pos[b] {
				a = ipdom[a]
			}
			for pos[b] > pos[a] {
				b = ipdom[b]
			}
		}
		return a
	}
	for changed := true; changed; {
		changed = false
		for _, b := range order {
			if b == exit {
				continue
			}
			d := -1
			for _, s := range succs[b] {
				if ipdom[s] < 0 {
					continue
				}
				if d < 0 {
					d = s
				} else {
					d = intersect(d, s)
				}
			}
			if d >= 0 && ipdom[b] != d {
				ipdom[b] = d
				changed = true
			}
		}
	}
	return ipdom
}

// backwards orders the graph backwards from the exit.
func backwards(exit int, preds [][]int) (order []int, pos []int) {
	pos = make([]int, exit+1)
	seen := make([]bool, exit+1)
	var post []int
	var visit func(b int)
	visit = func(b int) {
		seen[b] = true
		for _, p := range preds[b] {
			if !seen[p] {
				visit(p)
			}
		}
		post = append(post, b)
	}
	visit(exit)
	for i := len(post) - 1; i >= 0; i-- {
		pos[post[i]] = len(order)
		order = append(order, post[i])
	}
	return order, pos
}
