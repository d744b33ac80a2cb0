package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"bobproxy/proxy/journal"
)

// listDocument is what `log --list --json` prints. Members are only ever added.
type listDocument struct {
	Recordings []listedRecording `json:"recordings"` // newest first
}

// listedRecording is a recording in a list.
type listedRecording struct {
	Instance string          `json:"instance"`
	Files    []string        `json:"files"` // in order; of a proxy that keeps no recording there are none
	Written  time.Time       `json:"written"`
	Bytes    int64           `json:"bytes"`
	Running  bool            `json:"running"`
	Sessions []listedSession `json:"sessions,omitzero"` // absent: it was not looked into
}

type listedSession struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// titlesSize is how much of a recording is read for a list, in bytes from its
// beginning.
const titlesSize = 1 << 20

// listable says whether the command line goes with --list.
func (l *logging) listable(rest []string, flags *flag.FlagSet) *complaint {
	wrong := ""
	flags.Visit(func(f *flag.Flag) {
		if !slices.Contains([]string{"list", "json", "n", "last", "color"}, f.Name) {
			wrong = cmp.Or(wrong, dashed(f.Name))
		}
	})
	switch {
	case len(rest) > 0:
		return misused("--list lists all recordings, and %s is one of them", quotation(rest[0])).with("leave one of them out")
	case wrong != "":
		return misused("--list lists recordings, and %s is about what is in one", wrong).with("leave one of them out")
	}
	return nil
}

func dashed(name string) string {
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// list is `bobproxy log --list`.
func (l *logging) list() (done bool, err error) {
	shelf, c := openShelf(l.settings)
	if c != nil {
		return false, c
	}
	d := listDocument{Recordings: shelf.listed(l.last)}
	if l.json {
		return true, writeJSON(l.std.out, d)
	}
	_, err = io.WriteString(l.std.out, l.listText(shelf, d))
	return true, err
}

// listed is what is on the shelf, or the newest few of it; 0: all.
func (s *shelf) listed(most int) []listedRecording {
	books := s.books
	if most > 0 {
		books = books[:min(len(books), most)]
	}
	all := []listedRecording{}
	for i, b := range books {
		all = append(all, b.listed(i < mostSearched))
	}
	return all
}

// listed is a recording as it stands in a list; look says whether it is looked into.
func (b *book) listed(look bool) listedRecording {
	r := listedRecording{Instance: b.instance, Files: []string{}, Written: b.written, Running: b.running != nil}
	if b.file != "" {
		for _, file := range journal.Continued(b.file) {
			if info, err := os.Stat(file); err == nil {
				r.Files, r.Bytes = append(r.Files, file), r.Bytes+info.Size()
			}
		}
	}
	switch {
	case b.running != nil:
		r.Sessions = []listedSession{}
		for _, session := range b.running.Sessions {
			r.Sessions = append(r.Sessions, listedSession{session.ID, session.Title})
		}
	case look:
		r.Sessions = []listedSession{}
		b.sessions(titlesSize, func(_ book, id, title string) {
			if id != "" {
				r.Sessions = append(r.Sessions, listedSession{id, title})
			}
		})
	}
	return r
}

func (l *logging) listText(s *shelf, d listDocument) string {
	if len(d.Recordings) == 0 {
		return "there is no recording in " + shown(s.dir) + ", and no proxy is running\nto make one: bobproxy demo\n"
	}
	rows := [][]string{{"WRITTEN", "INSTANCE", "SIZE", "STATE", "SESSIONS"}}
	for _, r := range d.Recordings {
		rows = append(rows, []string{
			r.Written.In(l.now.Location()).Format("2006-01-02 15:04"), clipped(r.Instance, 16), r.size(), r.state(), r.titles(),
		})
	}
	var p page
	p.columns(rows, l.width)
	return p.String()
}

func (r *listedRecording) size() string {
	const unit = 1 << 10
	switch n := r.Bytes; {
	case len(r.Files) == 0:
		return "-"
	case n < unit:
		return fmt.Sprintf("%d B", n)
	case n < unit*unit:
		return fmt.Sprintf("%.1f KiB", float64(n)/unit)
	default:
		return fmt.Sprintf("%.1f MiB", float64(n)/(unit*unit))
	}
}

func (r *listedRecording) state() string {
	switch {
	case r.Running && len(r.Files) == 0:
		return "running, keeps none"
	case r.Running:
		return "running"
	}
	return "ended"
}

// titles are those of its first sessions.
func (r *listedRecording) titles() string {
	const most = 2
	var titles []string
	for _, session := range r.Sessions[:min(len(r.Sessions), most)] {
		titles = append(titles, clipped(cmp.Or(session.Title, session.ID), 30))
	}
	if more := len(r.Sessions) - most; more > 0 {
		titles = append(titles, fmt.Sprintf("%d more", more))
	}
	return orDash(strings.Join(titles, ", "))
}
