//go:build linux

package feed_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

func TestAttach(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	p.told(t, p.note("before"))
	f := w.follow(nil)
	places, ok := f.next("the places").(feed.Places)
	if !ok || places.Found != 1 || len(places.Dirs) == 0 || places.Dirs[0] != filepath.Join(w.dir, "bobproxy") {
		t.Errorf("got %+v first", places)
	}
	m := get[feed.Attached](f)
	if m.State.Instance != "abcd1" || m.Greeting.Instance != "abcd1" || len(m.Events) != 1 || m.Events[0].Text != "before" {
		t.Errorf("got %+v", m)
	}
	request := p.open(1)
	h := get[feed.Happened](f)
	if d := h.Deltas[0]; d.Event.Type != journal.OpenedEvent || d.Pending == nil || d.Pending.Request != request {
		t.Errorf("got %+v", d)
	}
}

func TestLateProxies(t *testing.T) {
	w := newWorld(t)
	f := w.follow(nil)
	get[feed.Places](f)
	for i := range 5 {
		name := fmt.Sprint("late", i)
		w.run(name, i, false)
		if m := get[feed.Attached](f); m.State.Instance != name {
			t.Errorf("got %s, want %s", m.State.Instance, name)
		}
	}
}

func TestOnly(t *testing.T) {
	w := newWorld(t)
	w.run("other1", 1, false)
	w.run("mine1", 2, false)
	f := w.follow(func(o *feed.Options) { o.Only = "mine1" })
	if m := get[feed.Places](f); m.Found != 1 {
		t.Errorf("found %d", m.Found)
	}
	if m := get[feed.Attached](f); m.State.Instance != "mine1" {
		t.Errorf("attached to %s", m.State.Instance)
	}
	_, err := f.Decide(context.Background(), "other1", 1, broker.Decision{Request: "other1:1"})
	if !errors.Is(err, feed.ErrNotFollowed) {
		t.Errorf("got %v", err)
	}
}

// What a proxy has forgotten is in its recording.
func TestHistory(t *testing.T) {
	const many = 5000
	w := newWorld(t)
	p := w.run("abcd1", 1, true)
	last := uint64(0)
	for i := range many {
		last = p.note(fmt.Sprint("line ", i))
	}
	recorded(t, p, last)
	f := w.follow(nil)
	m := get[feed.Attached](f)
	if len(m.Events) != many || m.Events[0].Seq != 1 || m.Events[0].Text != "line 0" {
		t.Fatalf("got %d events, from %d on", len(m.Events), m.Events[0].Seq)
	}
	f.reach("abcd1", p.note("after"))
}

// recorded waits until event seq is in the recording.
func recorded(t *testing.T, p *proxy, seq uint64) {
	t.Helper()
	for end := time.Now().Add(patience); ; {
		if file, err := os.Open(p.journal.Recording()); err == nil {
			last := uint64(0)
			for e := range journal.Read(file) {
				last = max(last, e.Seq)
			}
			file.Close()
			if last >= seq {
				return
			}
		}
		if time.Now().After(end) {
			t.Fatalf("event %d is not recorded", seq)
		}
	}
}

// What happens while the recording is read is told behind it.
func TestHistoryUnderWay(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, true)
	for i := range 4000 {
		p.note(fmt.Sprint("line ", i))
	}
	flooded := make(chan uint64, 1)
	go func() {
		last := uint64(0)
		for i := range 10_000 {
			last = p.note(fmt.Sprint("more ", i))
		}
		flooded <- last
	}()
	f := w.follow(nil)
	get[feed.Attached](f)
	f.reach("abcd1", <-flooded)
}

func TestHistoryOfOthers(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, true)
	last := p.note("mine")
	recorded(t, p, last)
	path := p.journal.Recording()
	mine, err := os.ReadFile(path)
	w.must(err)
	line := string(mine)
	old := strings.Replace(line, `"time":"2`, `"time":"1`, 1)
	for name, tt := range map[string]struct {
		recording string
		make      func(path string) error
		at        string
		want      int
	}{
		"its own":              {recording: line, want: 1},
		"of another proxy":     {recording: strings.Replace(line, "abcd1", "other", 1)},
		"of an earlier run":    {recording: old},
		"two runs":             {recording: line + strings.Replace(line, "mine", "new", 1), want: 1},
		"damaged and torn":     {recording: "{\n" + line + line[:len(line)/2], want: 1},
		"not there":            {make: func(string) error { return nil }},
		"a link to one":        {make: func(to string) error { return os.Symlink(path, to) }},
		"a folder":             {make: func(to string) error { return os.Mkdir(to, 0o700) }},
		"a device":             {make: func(string) error { return nil }, at: "/dev/zero"},
		"a socket":             {make: socketAt},
		"without a line's end": {recording: strings.Repeat("x", 100_000)},
	} {
		t.Run(name, func(t *testing.T) {
			at := filepath.Join(t.TempDir(), "r")
			if tt.make == nil {
				tt.make = func(to string) error { return os.WriteFile(to, []byte(tt.recording), 0o600) }
			}
			w.must(tt.make(at))
			state := control.State{Instance: "abcd1", Recording: cmp.Or(tt.at, at), Started: p.started}
			got := feed.Before(context.Background(), &state, 2)
			if len(got) != tt.want {
				t.Errorf("got %+v", got)
			}
			if name == "two runs" && len(got) == 1 && got[0].Text != "new" {
				t.Errorf("got the first run")
			}
		})
	}
}

func socketAt(path string) error {
	l, err := net.Listen("unix", path)
	if err == nil {
		l.(*net.UnixListener).SetUnlinkOnClose(false)
		l.Close()
	}
	return err
}

// Who does not read is cut loose by the proxy, and has all the newest events when
// it reads again.
func TestSlowReader(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	p.note("first")
	f := w.follow(nil)
	get[feed.Attached](f)
	large := strings.Repeat("x", 60_000)
	for watched(t, p) {
		p.note(large)
	}
	last := p.note("last")
	if m := get[feed.Lost](f); m.Why == "" {
		t.Errorf("got %+v", m)
	}
	m := get[feed.Attached](f)
	if n := len(m.Events); n == 0 || m.Events[n-1].Seq > last {
		t.Errorf("got %d events", n)
	}
	f.reach("abcd1", last)
	f.reach("abcd1", p.note("and on"))
}

// watched says whether somebody watches p.
func watched(t *testing.T, p *proxy) bool {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	c, err := control.Dial(ctx, control.Endpoint{Instance: p.instance, Path: p.server.Path()}, broker.ByCommand)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	s, err := c.State(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return s.Watchers > 0
}

func TestGone(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	p.note("first")
	f := w.follow(nil)
	get[feed.Attached](f)
	last := p.note("last")
	p.end()
	f.reach("abcd1", last)
	for f.last["abcd1"] != 0 {
		switch m := f.next("its end").(type) {
		case feed.Lost:
			t.Errorf("got %+v", m)
		case feed.Gone:
			if m.Why != "the proxy has gone" {
				t.Errorf("got %+v", m)
			}
		}
	}
	// Another one of that name is another one.
	w.run("abcd1", 2, false)
	if m := get[feed.Attached](f); m.State.PID != 2 {
		t.Errorf("got %+v", m.State)
	}
}

func TestRestartUnderTheSameSocket(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	f := w.follow(nil)
	get[feed.Attached](f)
	next := newWorld(t).run("abcd1", 2, false)
	w.must(os.Rename(next.server.Path(), p.server.Path()))
	p.end()
	var got []string
	for len(got) == 0 || got[len(got)-1] != "attached 2" {
		switch m := f.next("the other one").(type) {
		case feed.Gone:
			got = append(got, "gone")
		case feed.Attached:
			got = append(got, fmt.Sprint("attached ", m.State.PID))
		}
	}
	if len(got) != 2 || got[0] != "gone" {
		t.Errorf("got %q", got)
	}
	f.reach("abcd1", next.note("and on"))
}

func TestMany(t *testing.T) {
	const many = 50
	w := newWorld(t)
	var proxies []*proxy
	for i := range many {
		proxies = append(proxies, w.run(fmt.Sprintf("many%02d", i), i, false))
	}
	f, g := w.follow(nil), w.follow(nil)
	for _, f := range []*watch{f, g} {
		for len(f.last) < many {
			f.next("all of them")
		}
	}
	var wait sync.WaitGroup
	for _, p := range proxies {
		wait.Go(func() {
			for i := range 100 {
				p.note(fmt.Sprint("line ", i))
			}
		})
	}
	wait.Wait()
	for _, f := range []*watch{f, g} {
		for _, p := range proxies {
			f.reach(p.instance, 100)
		}
	}
	for _, p := range proxies[:10] {
		p.end()
	}
	for len(f.last) > many-10 {
		f.next("ten to go")
	}
}

func TestTooMany(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	var found []control.Endpoint
	hang := w.hanging()
	for i := range feed.MostProxies {
		found = append(found, control.Endpoint{Instance: fmt.Sprintf("none%03d", i), Path: hang})
	}
	found = append(found, control.Endpoint{Instance: "abcd1", Path: p.server.Path()})
	f := w.follow(func(o *feed.Options) { o.Finding(found) })
	if m := get[feed.Places](f); m.Found != feed.MostProxies+1 || m.Left != 1 {
		t.Errorf("got %+v", m)
	}
}

// hanging is a socket at which nobody ever says anything.
func (w *world) hanging() (path string) {
	path = filepath.Join(w.dir, "hang.sock")
	l, err := net.Listen("unix", path)
	w.must(err)
	w.t.Cleanup(func() { l.Close() })
	return path
}

// At odd sockets nobody is followed, and it is said once why.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct{ say, want string }{
		"noise":         {"hello there\n", "invalid character"},
		"another name":  {`{"jsonrpc":"2.0","id":0,"result":{"instance":"other","pid":1,"answers":"all"}}` + "\n", `calls itself "other"`},
		"an error":      {`{"jsonrpc":"2.0","id":0,"error":{"code":1,"message":"go away"}}` + "\n", "go away"},
		"says why":      {`{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"too many"}}` + "\n", "too many"},
		"ends at once":  {"", "the proxy has gone"},
		"half a result": {`{"jsonrpc":"2.0","id":0,"res`, "the proxy has gone"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			path := filepath.Join(w.dir, "odd1.sock")
			served := w.odd(path, tt.say)
			f := w.follow(func(o *feed.Options) { o.Finding([]control.Endpoint{{Instance: "odd1", Path: path}}) })
			m := get[feed.Refused](f)
			if m.Endpoint.Path != path || !strings.Contains(m.Why, tt.want) {
				t.Errorf("got %+v", m)
			}
			for range 3 { // it is tried again
				<-served
			}
			select {
			case m := <-f.Messages():
				t.Errorf("then came %#v", m)
			default:
			}
		})
	}
}

// odd listens at path and says the same to everybody. It tells of each.
func (w *world) odd(path, say string) (served chan struct{}) {
	l, err := net.Listen("unix", path)
	w.must(err)
	served = make(chan struct{}, 1000)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			if say != "" {
				c.Read(make([]byte, 1024))
				c.Write([]byte(say))
			}
			c.Close()
			served <- struct{}{}
		}
	}()
	w.t.Cleanup(func() {
		l.Close()
		<-ended
	})
	return served
}

// A folder that others may write to is no place for sockets.
func TestFolderOfOthers(t *testing.T) {
	w := newWorld(t)
	w.must(os.MkdirAll(filepath.Join(w.dir, "bobproxy"), 0o700))
	w.must(os.Chmod(filepath.Join(w.dir, "bobproxy"), 0o777))
	f := feed.Start(context.Background(), feed.Options{Lookup: w.lookup, Only: "nobody"})
	defer f.Close()
	m, ok := (<-f.Messages()).(feed.Places)
	if !ok || len(m.Problems) == 0 || m.Problems[0].Path != filepath.Join(w.dir, "bobproxy") {
		t.Errorf("got %+v", m)
	}
}

// An answer goes through while the watch is flooded and nobody reads it.
func TestDecideInAFlood(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	f := w.follow(nil)
	get[feed.Attached](f)
	request := p.open(1)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	large := strings.Repeat("x", 60_000)
	for watched(t, p) {
		p.note(large)
	}
	for range 3 {
		r, err := f.Decide(ctx, "abcd1", 1, broker.Decision{Request: request, Digest: "d", Number: 1})
		if err != nil || r.Result != broker.Applied {
			t.Errorf("got %+v, %v", r, err)
		}
	}
	if _, err := f.Decide(ctx, "abcd1", 2, broker.Decision{Request: request, Digest: "d", Number: 1}); !errors.Is(err, feed.ErrNotFollowed) {
		t.Errorf("an answer to another proxy of that name: %v", err)
	}
	if n := len(p.decided); n != 3 {
		t.Errorf("%d answers arrived", n)
	}
	p.end()
	if _, err := f.Decide(ctx, "abcd1", 1, broker.Decision{Request: request, Deny: true}); err == nil {
		t.Error("one that has gone takes an answer")
	}
	get[feed.Gone](f)
}

func TestDisk(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	request := p.open(1)
	f := w.follow(nil)
	get[feed.Attached](f)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	files, err := f.Disk(ctx, "abcd1", 1, request)
	if len(files) != 1 || files[0] != (control.OnDisk{Path: "/w/a", State: control.Part, Times: 2}) || err != nil {
		t.Errorf("Disk = %+v, %v", files, err)
	}
	if _, err := f.Disk(ctx, "abcd1", 2, request); !errors.Is(err, feed.ErrNotFollowed) {
		t.Errorf("of another process: %v", err)
	}
}

func TestBody(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, false)
	f := w.follow(nil)
	seq := p.note("what it said")
	f.reach("abcd1", seq)
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	body, found, err := f.Body(ctx, "abcd1", seq)
	if err != nil || !found || string(body) != "what it said" {
		t.Errorf("got %q, %v, %v", body, found, err)
	}
	if _, found, err := f.Body(ctx, "abcd1", seq+1); found || err != nil {
		t.Errorf("there is more: %v, %v", found, err)
	}
}

// Close waits for all goroutines, whatever they wait for.
func TestClose(t *testing.T) {
	w := newWorld(t)
	p := w.run("abcd1", 1, true)
	hang := w.hanging()
	for name, before := range map[string]func(*watch){
		"at once":     func(*watch) {},
		"nobody read": func(*watch) { p.note("x") },
		"attached":    func(f *watch) { get[feed.Attached](f) },
		"with a desk": func(f *watch) {
			get[feed.Attached](f)
			if _, err := f.Decide(context.Background(), "abcd1", 1, broker.Decision{Request: "abcd1:1", Deny: true}); err != nil {
				t.Error(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			f := w.follow(func(o *feed.Options) {
				if name == "nobody read" {
					o.Finding([]control.Endpoint{{Instance: "abcd1", Path: p.server.Path()}, {Instance: "hang1", Path: hang}})
				}
			})
			before(f)
			f.Close()
			f.Close()
			if _, err := f.Decide(context.Background(), "abcd1", 1, broker.Decision{}); err == nil {
				t.Error("a closed feed takes an answer")
			}
		})
	}
	p.end()
	noneLeft(t)
}

// Each goroutine of the feed is protected, so that one that panics leaves the
// terminal as it was.
func TestProtect(t *testing.T) {
	w := newWorld(t)
	w.run("abcd1", 1, false)
	var mu sync.Mutex
	protected := 0
	f := w.follow(func(o *feed.Options) {
		o.Protect = func() {
			mu.Lock()
			defer mu.Unlock()
			protected++
		}
	})
	get[feed.Attached](f)
	f.Close()
	if protected != 2 {
		t.Errorf("%d were protected, want look and follow", protected)
	}
}
