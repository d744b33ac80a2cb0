package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Endpoint is where a running proxy can be reached.
type Endpoint struct {
	Instance string
	Path     string
}

// Problem is a place that was not looked at, and why.
type Problem struct {
	Path string
	Err  error
}

func (p Problem) Error() string { return p.Path + ": " + p.Err.Error() }
func (p Problem) Unwrap() error { return p.Err }

// Find lists the running proxies of this user in all runtime directories. lookup
// is the environment; nil: ours. A folder that is not there is no problem; one
// that somebody else could have made is.
func Find(lookup func(string) (string, bool)) ([]Endpoint, []Problem) {
	return find(directories(lookup, system{}))
}

// Folders are where sockets of this user can be, in the order in which they are
// looked at, be they there or not. lookup is the environment; nil: ours.
func Folders(lookup func(string) (string, bool)) (paths []string) {
	for _, d := range directories(lookup, system{}) {
		if d.none == "" {
			paths = append(paths, d.path)
		}
	}
	return paths
}

func find(all []directory) (endpoints []Endpoint, problems []Problem) {
	if !available {
		return nil, []Problem{{"control socket", errors.New("there is none on this system")}}
	}
	for _, d := range all {
		switch err := d.check(); {
		case err == nil:
			endpoints = append(endpoints, d.endpoints()...)
		case !errors.Is(err, fs.ErrNotExist):
			problems = append(problems, Problem{d.path, err})
		}
	}
	return alone(endpoints, problems)
}

// alone leaves out what is found twice, and every name that several proxies
// have. Names are made at random: another one under the same name was made to be
// taken for the first.
func alone(all []Endpoint, problems []Problem) (endpoints []Endpoint, _ []Problem) {
	byName := map[string][]Endpoint{}
	for _, e := range all {
		if !slices.ContainsFunc(byName[e.Instance], func(other Endpoint) bool { return sameFile(e.Path, other.Path) }) {
			byName[e.Instance] = append(byName[e.Instance], e)
		}
	}
	for _, e := range all {
		switch same := byName[e.Instance]; {
		case e != same[0]:
		case len(same) > 1:
			problems = append(problems, Problem{e.Path, fmt.Errorf("there is another proxy %s, at %s, and one of them is not what it says: neither is asked", e.Instance, same[1].Path)})
		default:
			endpoints = append(endpoints, e)
		}
	}
	return endpoints, problems
}

func sameFile(a, b string) bool {
	one, err := os.Lstat(a)
	two, err2 := os.Lstat(b)
	return err == nil && err2 == nil && os.SameFile(one, two)
}

// endpoints are the sockets in the folder that somebody listens at.
func (d directory) endpoints() (all []Endpoint) {
	entries, _ := os.ReadDir(d.path)
	for _, entry := range entries {
		instance, ok := strings.CutSuffix(entry.Name(), socketEnd)
		path := filepath.Join(d.path, entry.Name())
		if !ok || !instanceName(instance) || entry.Type() != fs.ModeSocket || !listening(path) {
			continue
		}
		all = append(all, Endpoint{instance, path})
	}
	return all
}
