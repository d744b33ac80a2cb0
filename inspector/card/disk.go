package card

import (
	"fmt"
	"strings"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/control"
)

// disk is what the proxy has found where a request's diffs say that something is.
type disk struct {
	told   bool // of files, or that it cannot be told
	files  []control.OnDisk
	failed bool // it cannot
	asking bool
	due    time.Time // when it is to be asked next; zero: at once
}

const (
	diskStays = 5 * time.Second       // how long what was found is taken for what is there
	diskSoon  = 10 * time.Millisecond // until what is due is asked
)

// Compare is the permission that is to be compared with the disk now; nil: none.
// What comes of it goes to [Card.Compared], and until then there is no other.
func (c *Card) Compare(now time.Time) *model.Permission {
	c.sync(now)
	if !c.compares(now) || now.Before(c.dossier.disk.due) {
		return nil
	}
	c.dossier.disk.asking = true
	return c.p
}

// compares says that the disk is to be looked at for what is on the screen.
func (c *Card) compares(now time.Time) bool {
	return c.here && c.hasDisk() && !c.dossier.disk.asking && c.stage(now) == open && c.p.Proxy.Link == model.Live
}

// hasDisk says that there are diffs, and somebody who compares them.
func (c *Card) hasDisk() bool {
	switch {
	case !c.options.Disk, c.p == nil, c.told == nil, c.p.Proxy == nil, !c.p.Proxy.Greeting.Disk:
		return false
	}
	return c.content.files > 0 || strings.Contains(c.told.ContentClipped, `"diff"`)
}

// awaitsDisk says that nothing is known of the disk yet, but soon will be.
func (c *Card) awaitsDisk(now time.Time) bool {
	return c.hasDisk() && !c.dossier.disk.told && c.stage(now) == open && c.p.Proxy.Link == model.Live
}

// nextCompared is when the disk is to be compared next; zero: not as things are.
func (c *Card) nextCompared(now time.Time) time.Time {
	if !c.compares(now) {
		return time.Time{}
	}
	if soon := now.Add(diskSoon); c.dossier.disk.due.Before(soon) {
		return soon
	}
	return c.dossier.disk.due
}

// Compared says what the disk has beside the diffs of p. With err that is not
// known; without files p has no diffs, or waits no longer.
func (c *Card) Compared(p *model.Permission, files []control.OnDisk, err error, now time.Time) {
	d := c.dossierOf(p)
	if d == nil {
		return
	}
	c.sync(now)
	was := d.disk
	d.disk = disk{told: true, files: files, failed: err != nil, due: now.Add(diskStays)}
	if c.p == nil || d != c.dossier {
		return
	}
	before, _ := c.onDisk(was, roomForDisk)
	after, role := c.onDisk(d.disk, roomForDisk)
	if before == after {
		return
	}
	c.sheets = nil // it may be among what is to be read
	if was.told || role == paint.Warn {
		c.disarm("this changed")
	}
}

// roomForDisk is enough for everything that can be said.
const roomForDisk = 1 << 10

// diskLines say how the disk and the old sides go together: one row, where there
// is room for the shortest words, from before it is known on.
func (c *Card) diskLines(width int) []paint.Line {
	if !c.hasDisk() {
		return nil
	}
	text, role := c.onDisk(c.dossier.disk, width-6)
	return indented(paint.Clean(role, text), 3, width)
}

// onDisk is that in words for so many cells.
func (c *Card) onDisk(d disk, room int) (string, paint.Role) {
	switch {
	case d.failed:
		return "· the disk was not compared: no answer", paint.Dim
	case !d.told && c.p.Proxy.Link == model.Live:
		return "· the disk is being compared", paint.Dim
	case len(d.files) == 0:
		return "· the disk was not compared", paint.Dim
	}
	files := c.withUntold(d.files)
	if len(files) == 1 {
		return oneOnDisk(files[0], room)
	}
	return c.manyOnDisk(files, room)
}

// withUntold is files and the diffs that nothing was told of: what is so of some
// is not taken for what is so of all.
func (c *Card) withUntold(files []control.OnDisk) []control.OnDisk {
	told := map[int]bool{}
	for _, f := range files {
		told[f.Entry] = true
	}
	if told[-1] { // these and more
		return files
	}
	all := files[:len(files):len(files)]
	for _, entry := range c.content.entries {
		if !told[entry] {
			all = append(all, control.OnDisk{Entry: entry, State: control.Uncompared, Text: "nothing was told of it"})
		}
	}
	return all
}

// oneOnDisk is about a request with one diff.
func oneOnDisk(f control.OnDisk, room int) (string, paint.Role) {
	switch f.State {
	case control.Same:
		return fitted(room, `✓ the file on disk is the "old" side`+but(f.Text), `✓ the disk has the "old" side`+but(f.Text), "✓ as on disk"+but(f.Text)), paint.Good
	case control.Part:
		return fitted(room, `✓ the file on disk has the "old" side`+times(f.Times)+but(f.Text), `✓ the disk has the "old" side`+times(f.Times)+but(f.Text),
			"✓ on disk"+times(f.Times)+but(f.Text)), paint.Good
	case control.NoFile:
		return "✓ nothing is there yet", paint.Good
	case control.Differs:
		return fitted(room, `! the file on disk does not have the "old" side`, `! the disk does not have the "old" side`), paint.Warn
	case control.Exists:
		return "! the file exists already", paint.Warn
	case control.Missing:
		return "! there is no such file", paint.Warn
	}
	return fitted(room, "· the disk was not compared"+why(f.Text), "· disk not compared"+why(f.Text)), paint.Plain
}

// manyOnDisk is about several. Files are named by their numbers, which is how the
// card shows them.
func (c *Card) manyOnDisk(files []control.OnDisk, room int) (string, paint.Role) {
	var wrong, blind []control.OnDisk
	text := ""
	for _, f := range files {
		switch {
		case f.State.Alarming():
			wrong = append(wrong, f)
		case !f.State.Calm():
			blind = append(blind, f)
		default:
			text = firstFull(text, f.Text)
		}
	}
	of := fmt.Sprintf(" of %d", max(len(files), c.content.files))
	switch {
	case len(wrong) > 0:
		return fitted(room, "! on disk: "+c.kinds(wrong, false), "! on disk: "+c.kinds(wrong, true), "! disk: "+c.kinds(wrong, true), "! not so on disk: "+c.numbers(wrong), fmt.Sprintf("! %d%s not so on disk", len(wrong), of)), paint.Warn
	case len(blind) > 0:
		few := fmt.Sprintf("· %d%s not compared", len(blind), of)
		return fitted(room, few+" with the disk"+why(blind[0].Text), few+why(blind[0].Text), few), paint.Plain
	}
	return fitted(room, fmt.Sprintf("✓ the disk is as all %d diffs say", len(files))+but(text), "✓ all as on disk"+but(text)), paint.Good
}

// kinds says of files what is wrong with which, and brief in fewer words.
func (c *Card) kinds(files []control.OnDisk, brief bool) string {
	var all []string
	for _, k := range kindsOfWrong {
		var these []control.OnDisk
		for _, f := range files {
			if f.State == k.state {
				these = append(these, f)
			}
		}
		switch {
		case len(these) == 0:
		case brief:
			all = append(all, c.numbers(these)+" "+k.brief)
		case len(these) == 1:
			all = append(all, c.numbers(these)+" "+k.one)
		default:
			all = append(all, c.numbers(these)+" "+k.many)
		}
	}
	return strings.Join(all, " · ")
}

var kindsOfWrong = []struct {
	state            control.DiskState
	one, many, brief string
}{
	{control.Differs, `differs from "old"`, `differ from "old"`, `not as "old"`},
	{control.Exists, "exists already", "exist already", "exists"},
	{control.Missing, "does not exist", "do not exist", "missing"},
}

// numbers are those that the card gives to files.
func (c *Card) numbers(files []control.OnDisk) string {
	var all []string
	for _, f := range files {
		name := "another"
		if n := c.content.number(f.Entry); n > 0 {
			name = fmt.Sprintf("%d/%d", n, c.content.files)
		}
		all = append(all, name)
	}
	return strings.Join(all, ", ")
}

// fitted is the first of texts that fits into so many cells, else the last.
func fitted(room int, texts ...string) string {
	for _, t := range texts {
		if paint.Width(t) <= room {
			return t
		}
	}
	return texts[len(texts)-1]
}

func but(text string) string {
	if text == "" {
		return ""
	}
	return ", " + paint.Cut(text, longestWhy)
}

func why(text string) string {
	if text == "" {
		return ""
	}
	return ": " + paint.Cut(text, longestWhy)
}

// longestWhy is how many cells of a proxy's reason are shown.
const longestWhy = 60

func times(n int) string {
	if n < 2 {
		return ""
	}
	return ", " + grouped(n) + " times"
}
