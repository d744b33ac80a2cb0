package control

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
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

// Dead lists what proxies that were killed have left in the runtime directories:
// sockets that nobody listens at, and locks without a socket that nobody holds.
// lookup is the environment; nil: ours. A proxy that starts in the same folder
// removes them when they are older than a minute.
func Dead(lookup func(string) (string, bool)) (paths []string) {
	return dead(directories(lookup, system{}), time.Now())
}

func dead(all []directory, now time.Time) (paths []string) {
	for _, d := range all {
		if !available || d.check() != nil {
			continue
		}
		for _, path := range d.dead(now) {
			if !slices.ContainsFunc(paths, func(other string) bool { return sameFile(path, other) }) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

func (d directory) dead(now time.Time) (paths []string) {
	entries, _ := os.ReadDir(d.path)
	for _, entry := range entries {
		path := filepath.Join(d.path, entry.Name())
		instance, isSocket := strings.CutSuffix(entry.Name(), socketEnd)
		if isSocket && instanceName(instance) && entry.Type() == fs.ModeSocket && !listening(path) {
			paths = append(paths, path)
		}
		instance, isLock := strings.CutSuffix(entry.Name(), lockEnd)
		if isLock && instanceName(instance) && entry.Type().IsRegular() && d.forsaken(instance, entry, now) {
			paths = append(paths, path)
		}
	}
	return paths
}

// forsaken says whether a lock has no socket and no holder. A new one may belong
// to a proxy that has made it and not yet locked it.
func (d directory) forsaken(instance string, entry fs.DirEntry, now time.Time) bool {
	info, err := entry.Info()
	if err != nil || now.Sub(info.ModTime()) < time.Minute {
		return false
	}
	if _, err := os.Lstat(filepath.Join(d.path, instance+socketEnd)); !errors.Is(err, fs.ErrNotExist) {
		return false
	}
	lock, err := takeLock(filepath.Join(d.path, entry.Name()), 0)
	if err != nil {
		return false
	}
	lock.Close()
	return true
}
