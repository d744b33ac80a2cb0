package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// source is a recording that a command reads.
type source struct {
	name     string         // what to call it; not clean
	file     string         // path of its first file, "-" for stdin; empty: the proxy keeps none
	instance string         // only what this proxy recorded counts; empty: all of it
	session  string         // id of the session that was meant; empty: none
	running  *control.State // of the proxy that records, where it was found as one that runs
}

// Bounds of looking for a session in recordings.
const (
	mostSearched = 25      // recordings, the newest ones
	searchedSize = 8 << 20 // bytes of each, from its beginning
)

// findRecording finds what name means: a file, - for stdin, the instance of a
// proxy, or the beginning of a session's id or part of its title, be the proxy
// running or not. Without a name it is the recording that was last written to.
// Names of files come first, and then what runs.
func findRecording(s *settings, name string) (source, *complaint) {
	switch info, err := os.Stat(name); {
	case name == "-":
		return source{name: "stdin", file: "-"}, nil
	case name == "":
	case err == nil && info.IsDir():
		return source{}, misused("%s is a folder", quotation(name)).with("name a file in it")
	case err == nil:
		return source{name: name, file: name}, nil
	}
	shelf, c := openShelf(s)
	if c != nil {
		return source{}, c
	}
	return shelf.find(name)
}

func noRecording(format string, args ...any) *complaint {
	return &complaint{exit: exitUnknown, Code: "no_such_recording", Message: fmt.Sprintf(format, args...)}
}

// shelf is all recordings that are known here.
type shelf struct {
	dir   string
	books []book // newest first
}

// book is a recording on the shelf.
type book struct {
	source
	written time.Time
}

// openShelf asks the proxies that run, and looks into the folder of recordings.
func openShelf(s *settings) (*shelf, *complaint) {
	if err := s.complete("recordings"); err != nil {
		return nil, misused("%v", err)
	}
	row, _ := findSetting("record-dir")
	return newShelf(s.inForce(row), look(context.Background(), running{s.lookup}).states), nil
}

// newShelf has the recordings in a folder and those of proxies that run.
func newShelf(dir string, states []control.State) *shelf {
	s := &shelf{dir: dir}
	for _, state := range states {
		s.books = append(s.books, runningBook(state))
	}
	for _, r := range journal.List(dir) {
		if !s.holds(r.Instance) {
			s.books = append(s.books, book{source{name: r.Instance, file: r.Files[0], instance: r.Instance}, r.Written})
		}
	}
	slices.SortStableFunc(s.books, func(a, b book) int { return b.written.Compare(a.written) })
	return s
}

// runningBook is the recording of a proxy that runs. The one file that it writes
// to now may not be its first.
func runningBook(state control.State) book {
	b := book{source{name: state.Instance, instance: state.Instance, running: &state}, state.Started}
	if state.Recording == "" {
		return b
	}
	b.file = journal.First(state.Recording)
	if info, err := os.Stat(state.Recording); err == nil {
		b.written = info.ModTime()
	}
	return b
}

// holds says whether a proxy of that name runs.
func (s *shelf) holds(instance string) bool {
	return slices.ContainsFunc(s.books, func(b book) bool { return b.running != nil && b.instance == instance })
}

func (s *shelf) newest() (source, *complaint) {
	if len(s.books) == 0 {
		return source{}, noRecording("there is no recording in %s, and no proxy is running", shown(s.dir)).with("to make one: bobproxy demo")
	}
	return s.books[0].source, nil
}

// find is what name means among them; of several of one name, or of one session,
// it is the newest.
func (s *shelf) find(name string) (source, *complaint) {
	if name == "" {
		return s.newest()
	}
	for _, b := range s.books {
		if b.instance == name {
			return b.source, nil
		}
	}
	found := s.ofSession(name)
	var ids, lines []string
	for _, r := range found {
		if !slices.Contains(ids, r.session) {
			ids = append(ids, r.session)
			lines = append(lines, fmt.Sprintf("%s in %s", quotation(clipped(r.session, 64)), field(r.instance)))
		}
	}
	switch len(ids) {
	case 0:
		return source{}, noRecording("no file, proxy or session is called %s", quotation(name)).with("%s", s.contents())
	case 1:
		return found[0], nil
	}
	return source{}, noRecording("%s may mean %s", quotation(name), strings.Join(lines[:min(len(lines), 8)], ", ")).with("write more of the id")
}

// contents says what there is.
func (s *shelf) contents() string {
	var running, recorded []string
	for _, b := range s.books {
		if b.running != nil {
			running = append(running, field(b.instance))
		} else {
			recorded = append(recorded, field(b.instance))
		}
	}
	var parts []string
	if len(running) > 0 {
		parts = append(parts, "running: "+several(running))
	}
	if len(recorded) > 0 {
		parts = append(parts, "recorded: "+several(recorded))
	}
	if len(parts) == 0 {
		return "there is none in " + shown(s.dir) + ", and no proxy is running"
	}
	return strings.Join(append(parts, "all of them: bobproxy log --list"), "; ")
}

// ofSession are the recordings with a session that name means. An id that it is
// the beginning of counts more than a title that it is part of.
func (s *shelf) ofSession(name string) []source {
	var byID, byTitle []source
	note := func(b book, id, title string) {
		r := b.source
		r.session = id
		switch {
		case id == "":
		case strings.HasPrefix(id, name):
			byID = append(byID, r)
		case strings.Contains(strings.ToLower(title), strings.ToLower(name)):
			byTitle = append(byTitle, r)
		}
	}
	for i, b := range s.books {
		if b.running != nil {
			for _, session := range b.running.Sessions {
				note(b, session.ID, session.Title)
			}
		}
		if i < mostSearched && b.file != "" {
			b.sessions(searchedSize, note)
		}
	}
	if len(byID) > 0 {
		return byID
	}
	return byTitle
}

// sessions tells the sessions in the beginning of a recording, in so many bytes.
func (b *book) sessions(most int64, tell func(b book, id, title string)) {
	t, err := b.open(nil)
	if err != nil {
		return
	}
	defer t.Close()
	t.left = most
	m := model.New()
	m.ReadEvents(b.name, t.events()) // what can be read is there
	for _, s := range m.Sessions() {
		tell(*b, s.Talk.Session, s.Name())
	}
}
