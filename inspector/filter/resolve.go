package filter

import "slices"

// maxResolved is how many terms a filter may have when the saved ones in it are
// put in.
const maxResolved = 2000

// Resolve puts saved filters in where they are named. lookup gives the one of a
// name. A name that is not known, one that leads back to itself, and a filter
// that becomes too large are errors, without a place.
func (e Expr) Resolve(lookup func(name string) (Expr, bool)) (Expr, error) {
	if e.root == nil {
		return e, nil
	}
	r := resolver{lookup: lookup}
	root, err := r.resolve(e.root)
	if err != nil {
		return Expr{}, err
	}
	return Expr{root}, nil
}

type resolver struct {
	lookup func(name string) (Expr, bool)
	within []string // names that are being put in
	count  int
}

func (r *resolver) resolve(n node) (node, *Error) {
	if r.count++; r.count > maxResolved {
		return nil, wrong(0, "the saved filters in it are too large together")
	}
	switch n := n.(type) {
	case all:
		nodes, err := r.each(n, func(n node) []node { inner, _ := n.(all); return inner })
		return all(nodes), err
	case either:
		nodes, err := r.each(n, func(n node) []node { inner, _ := n.(either); return inner })
		return either(nodes), err
	case neither:
		inner, err := r.resolve(n.node)
		return neither{inner}, err
	case saved:
		return r.saved(string(n))
	}
	return n, nil
}

// each resolves nodes. What has become of the same kind as what they stand in,
// inner says so, is put in itself.
func (r *resolver) each(nodes []node, inner func(node) []node) (done []node, err *Error) {
	for _, n := range nodes {
		n, err := r.resolve(n)
		if err != nil {
			return nil, err
		}
		if in := inner(n); in != nil {
			done = append(done, in...)
		} else {
			done = append(done, n)
		}
	}
	return done, nil
}

func (r *resolver) saved(name string) (node, *Error) {
	if slices.Contains(r.within, name) {
		return nil, wrong(0, "@%s leads back to itself", name)
	}
	e, ok := r.lookup(name)
	switch {
	case !ok:
		return nil, wrong(0, "no saved filter @%s", name)
	case e.root == nil:
		return nil, wrong(0, "the saved filter @%s is empty", name)
	}
	r.within = append(r.within, name)
	n, err := r.resolve(e.root)
	r.within = r.within[:len(r.within)-1]
	return n, err
}
