package feed

import (
	"os"
	"slices"
	"time"

	"bobproxy/proxy/control"
)

const (
	// settled is how long a folder must have been as it is to be taken as seen:
	// a proxy that starts makes its socket a moment before it listens, and the
	// time of a folder is coarse.
	settled = 2 * time.Second
	// anyway is how often proxies are looked for although no folder has changed.
	anyway = 5 * time.Second
)

// look follows every proxy it finds. To find them means to connect to each, so
// it is done only where something may have changed.
func (f *Feed) look() {
	defer f.running.Done()
	defer f.opts.Protect()
	folders := folders{paths: control.Folders(f.opts.Lookup)}
	var told *Places
	for more := true; more; more = f.pause(f.opts.every()) {
		if !folders.changed(time.Now()) && told.complete() {
			continue
		}
		found, problems := f.opts.find()
		if f.opts.Only != "" {
			found = slices.DeleteFunc(found, func(e control.Endpoint) bool { return e.Instance != f.opts.Only })
		}
		fresh, left := f.unknown(found)
		now := &Places{Dirs: folders.paths, Problems: problems, Found: len(found), Left: left}
		if !now.same(told) && !f.send(*now) {
			return
		}
		f.follow(fresh)
		told = now
	}
}

// complete says that all are followed: else one may have made room.
func (p *Places) complete() bool { return p != nil && p.Left == 0 }

func (p *Places) same(q *Places) bool {
	return q != nil && p.Found == q.Found && p.Left == q.Left &&
		slices.EqualFunc(p.Problems, q.Problems, func(a, b control.Problem) bool { return a.Error() == b.Error() })
}

// unknown gives those that are not followed, as far as there is room for them,
// and says for how many there is none.
func (f *Feed) unknown(found []control.Endpoint) (fresh []control.Endpoint, left int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, at := range found {
		if f.followers[at] == nil {
			fresh = append(fresh, at)
		}
	}
	room := min(len(fresh), max(0, mostProxies-len(f.followers)))
	return fresh[:room], len(fresh) - room
}

// follow begins to follow what is at fresh.
func (f *Feed) follow(fresh []control.Endpoint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, at := range fresh {
		if f.closed {
			return
		}
		p := newFollower(f, at)
		f.followers[at] = p
		f.running.Add(1)
		go p.follow()
	}
}

// left forgets a proxy that is not followed any more.
func (f *Feed) left(at control.Endpoint) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.followers, at)
}

// folders notices when something is made or removed in one of them.
type folders struct {
	paths []string
	times []time.Time
	last  time.Time // when something may have changed
}

func (d *folders) changed(now time.Time) bool {
	times := make([]time.Time, len(d.paths))
	fresh := false
	for i, path := range d.paths {
		if info, err := os.Stat(path); err == nil {
			times[i] = info.ModTime()
			fresh = fresh || now.Sub(times[i]) < settled
		}
	}
	if !fresh && slices.EqualFunc(times, d.times, time.Time.Equal) && now.Sub(d.last) < anyway {
		return false
	}
	d.times, d.last = times, now
	return true
}
