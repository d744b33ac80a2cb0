package filter

import "slices"

// With is e and term. Nothing changes where e says so already; where it says the
// opposite, term stands in its place.
func (e Expr) With(term Expr) Expr {
	switch {
	case term.root == nil:
		return e
	case e.root == nil:
		return term
	}
	nodes := conjuncts(e.root)
	for i, n := range nodes {
		if spelled(n) == term.String() || spelled(opposite(n)) == term.String() {
			nodes = slices.Clone(nodes)
			nodes[i] = term.root
			return conjunction(nodes)
		}
	}
	return conjunction(slices.Concat(nodes, conjuncts(term.root)))
}

func spelled(n node) string { return string(n.write(nil)) }

func opposite(n node) node {
	if not, ok := n.(neither); ok {
		return not.node
	}
	return neither{n}
}

// conjuncts are the nodes that all have to match for n to match.
func conjuncts(n node) []node {
	if nodes, ok := n.(all); ok {
		return nodes
	}
	return []node{n}
}

func conjunction(nodes []node) Expr {
	if len(nodes) == 1 {
		return Expr{nodes[0]}
	}
	return Expr{all(nodes)}
}
