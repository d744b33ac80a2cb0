package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"time"

	"bobproxy/inspector/feed"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// lines are the records to print, and what ends them. idle is called when
// nothing more is there yet.
func (l *logging) lines(idle func() error) (iter.Seq2[journal.Line, error], func(), error) {
	if l.source.file == "" {
		return l.live(idle)
	}
	t, err := l.source.open(l.std.in)
	if err != nil {
		return nil, nil, err
	}
	if l.follow && l.source.file != "-" {
		f := &following{source: l.source, proxies: running{l.settings.lookup}, idle: idle}
		t.follow = f.wait
		return f.watch(t.lines()), func() { t.Close() }, nil
	}
	return t.lines(), func() { t.Close() }, nil
}

const (
	lookTime  = 50 * time.Millisecond // until it is looked whether a file has grown
	proxyTime = time.Second           // until it is looked whether its proxy still runs
)

// following is a recording that is being written.
type following struct {
	source  source
	proxies proxies
	idle    func() error
	runs    map[string]bool // instances that recorded and have not ended
	asked   time.Time       // when it was last seen whether the proxy runs
}

// watch notes which proxies have ended.
func (f *following) watch(lines iter.Seq2[journal.Line, error]) iter.Seq2[journal.Line, error] {
	f.runs = map[string]bool{}
	if p := f.source.running; p != nil {
		f.runs[p.Instance] = true
	}
	return func(yield func(journal.Line, error) bool) {
		for line, err := range lines {
			switch {
			case err != nil:
			case line.Type == journal.ExitEvent:
				delete(f.runs, line.Instance)
			case line.Type == journal.StartEvent && len(f.runs) < mostSeen:
				f.runs[line.Instance] = true
			}
			if !yield(line, err) {
				return
			}
		}
	}
}

// wait waits until the file may have grown. It is false when nothing more is to
// come.
func (f *following) wait() (bool, error) {
	if err := f.idle(); err != nil || len(f.runs) == 0 || f.left() {
		return false, err
	}
	<-time.After(lookTime)
	return true, nil
}

// left says that the proxy was found running, and is no longer there: one that
// was killed does not record its end.
func (f *following) left() bool {
	now := time.Now()
	if f.source.running == nil || now.Sub(f.asked) < proxyTime {
		return false
	}
	f.asked = now
	list, _ := f.proxies.find()
	for _, e := range list {
		if e.instance != f.source.instance {
			continue
		}
		_, err := ask(context.Background(), f.proxies, e, answerTime)
		return errors.Is(err, errGone)
	}
	return true
}

// live are the events of a proxy that keeps no recording: what it remembers,
// and what comes.
func (l *logging) live(idle func() error) (iter.Seq2[journal.Line, error], func(), error) {
	f := feed.Start(context.Background(), feed.Options{Lookup: l.settings.lookup, Only: l.source.instance, As: broker.ByCommand})
	told := telling{follow: l.follow, idle: idle, instance: l.source.instance}
	return func(yield func(journal.Line, error) bool) { told.all(f, yield) }, f.Close, nil
}

// telling tells what a feed tells.
type telling struct {
	follow   bool
	idle     func() error
	instance string
	last     uint64
}

func (t *telling) all(f *feed.Feed, yield func(journal.Line, error) bool) {
	first := time.After(decisionTime)
	for more := true; more; {
		select {
		case m := <-f.Messages():
			if _, ok := m.(feed.Attached); ok {
				first = nil
			}
			more = t.message(m, yield)
		case <-first:
			yield(journal.Line{}, fmt.Errorf("proxy %s does not answer", field(t.instance)))
			return
		}
	}
}

// message says whether more is wanted and to come.
func (t *telling) message(m any, yield func(journal.Line, error) bool) bool {
	switch m := m.(type) {
	case feed.Attached:
		for i := range m.Events {
			if !t.tell(&m.Events[i], yield) {
				return false
			}
		}
		return t.follow && t.rest(yield)
	case feed.Happened:
		for i := range m.Deltas {
			if !t.tell(&m.Deltas[i].Event, yield) {
				return false
			}
		}
		return t.rest(yield)
	case feed.Refused:
		yield(journal.Line{}, errors.New(field(m.Why)))
		return false
	case feed.Gone:
		return false
	}
	return true
}

// tell tells an event once.
func (t *telling) tell(e *journal.Event, yield func(journal.Line, error) bool) bool {
	if e.Seq <= t.last {
		return true
	}
	t.last = e.Seq
	return yield(journal.Line{Event: *e, Record: e.AppendRecord(nil)}, nil)
}

func (t *telling) rest(yield func(journal.Line, error) bool) bool {
	err := t.idle()
	return err == nil || yield(journal.Line{}, err)
}
