package card

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// newDiskScene is a scene at a proxy that compares.
func newDiskScene(w, h int) *scene {
	o := Careful()
	o.Disk = true
	s := newScene(o)
	s.proxy.Greeting.Disk = true
	s.grid.Clear(w, h)
	return s
}

// tells waits until the card wants to know, and tells it.
func (s *scene) tells(t *testing.T, files ...control.OnDisk) {
	t.Helper()
	s.tellsOf(t, files, nil)
}

func (s *scene) tellsOf(t *testing.T, files []control.OnDisk, err error) {
	t.Helper()
	p := s.asked()
	if p == nil {
		t.Fatal("the card does not want to know")
	}
	s.card.Compared(p, files, err, s.now)
	s.frame()
}

// asked is what the card wants compared within a second.
func (s *scene) asked() *model.Permission {
	for end := s.now.Add(time.Second); s.now.Before(end); s.now = s.now.Add(10 * ms) {
		s.frame()
		if p := s.card.Compare(s.now); p != nil {
			return p
		}
	}
	return nil
}

func found(entry int, state control.DiskState) control.OnDisk {
	return control.OnDisk{Entry: entry, State: state}
}

var onDisk = []struct {
	name  string
	ask   func() *control.Pending
	files []control.OnDisk
}{
	{"asked", edit, nil},
	{"same", edit, []control.OnDisk{found(0, control.Same)}},
	{"part", edit, []control.OnDisk{{State: control.Part, Times: 12, Text: "except for line ends"}}},
	{"new", edit, []control.OnDisk{found(0, control.NoFile)}},
	{"differs", edit, []control.OnDisk{found(0, control.Differs)}},
	{"exists", edit, []control.OnDisk{found(0, control.Exists)}},
	{"missing", edit, []control.OnDisk{found(0, control.Missing)}},
	{"uncompared", edit, []control.OnDisk{{State: control.Uncompared, Text: "outside the workspace"}}},
	{"hostile", edit, []control.OnDisk{{State: "?\x1b[2J", Text: "\x1b[2J\u202e" + strings.Repeat("wide ", 40)}}},
	{"many-same", threeFiles, []control.OnDisk{found(0, control.Same), found(1, control.NoFile), {Entry: 2, State: control.Part, Times: 1, Text: "except for line ends"}}},
	{"many-differ", threeFiles, []control.OnDisk{found(0, control.Differs), found(1, control.Exists), found(2, control.Differs)}},
	{"many-uncompared", threeFiles, []control.OnDisk{found(0, control.Same), {Entry: 1, State: control.Uncompared, Text: "may not be read"}, found(2, control.Same)}},
}

func TestDiskDrawings(t *testing.T) {
	for _, tt := range onDisk {
		for _, size := range sizes {
			everywhere := tt.name == "differs" || tt.name == "many-differ"
			if size.w != 50 && size.w != 100 && !everywhere {
				continue
			}
			t.Run(fmt.Sprintf("%s-%d", tt.name, size.w), func(t *testing.T) {
				s := newDiskScene(size.w, size.h)
				s.card.Show(s.ask(tt.ask()), s.now)
				if tt.files == nil {
					s.frame()
				} else {
					s.tells(t, tt.files...)
				}
				s.wait(time.Second)
				g := s.whole()
				if size.h < 12 {
					s.draw()
					g = s.grid
				}
				checkGrid(t, g)
				golden(t, fmt.Sprintf("disk-%s-%d.txt", tt.name, size.w), paint.Text(g)+"\n"+paint.Styles(g))
			})
		}
	}
}

// What a proxy tells of some of the diffs is not taken for all of them.
func TestDiskOfSomeIsNotOfAll(t *testing.T) {
	tests := []struct {
		name  string
		files []control.OnDisk
		want  string
	}{
		{"of one", []control.OnDisk{found(0, control.Same)}, "· 2 of 3 not compared with the disk: nothing was told of it"},
		{"of two", []control.OnDisk{found(2, control.Same), found(0, control.Part)}, "· 1 of 3 not compared with the disk: nothing was told of it"},
		{"of another", []control.OnDisk{found(7, control.Same)}, "· 3 of 4 not compared"},
		{"of one that is wrong", []control.OnDisk{found(0, control.Missing)}, "! on disk: 1/3 does not exist"},
		{"of one and the rest", []control.OnDisk{found(0, control.Same), {Entry: -1, State: control.Uncompared, Text: "too many diffs"}}, "· 1 of 3 not compared with the disk: too many diffs"},
		{"of all", []control.OnDisk{found(0, control.Same), found(1, control.Same), found(2, control.Same)}, "✓ the disk is as all 3 diffs say"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := newDiskScene(100, 38)
			s.card.Show(s.ask(threeFiles()), s.now)
			s.tells(t, tt.files...)
			if got := paint.Text(s.whole()); !strings.Contains(got, tt.want) {
				t.Errorf("want %q in\n%s", tt.want, got)
			}
		})
	}
}

// Wherever a card is read and answered, what is told of the disk takes the row
// that was kept for it: nothing moves.
func TestDiskMovesNothing(t *testing.T) {
	for _, tt := range onDisk {
		if tt.name == "hostile" {
			continue // a proxy's words are short
		}
		for _, width := range []int{50, 62, 66, 80, 100, 120, 160} {
			s := newDiskScene(width, 38)
			s.card.Show(s.ask(tt.ask()), s.now)
			s.frame()
			before := strings.Split(paint.Text(s.grid), "\n")
			if tt.files == nil {
				continue
			}
			s.tells(t, tt.files...)
			after := strings.Split(paint.Text(s.grid), "\n")
			var other []string
			for i := range before {
				if i < 20 && before[i] != after[i] && !strings.Contains(before[i], "is being compared") {
					other = append(other, after[i])
				}
			}
			if len(other) > 0 {
				t.Errorf("%s at %d: these rows changed:\n%s", tt.name, width, strings.Join(other, "\n"))
			}
		}
	}
}

// Keys that allow open only when it is known what the disk has, and that has
// been on the screen for its time.
func TestDiskComesBeforeKeysThatAllow(t *testing.T) {
	s := newDiskScene(66, 33)
	w := s.ask(edit())
	s.card.Show(w, s.now)
	s.frame()
	s.wait(2 * time.Second)
	if got := answersIn(s.press("1")); len(got) > 0 {
		t.Fatalf("it was answered before: %+v", got)
	}
	s.tells(t, found(0, control.Differs))
	s.wait(300 * ms)
	if got := answersIn(s.press("1")); len(got) > 0 {
		t.Fatalf("it was answered at once: %+v", got)
	}
	s.wait(time.Second)
	if got := answersIn(s.press("1")); len(got) != 1 {
		t.Fatalf("answers: %+v", got)
	}
}

// Rejecting waits for no disk.
func TestDiskDoesNotHoldUpRejecting(t *testing.T) {
	s := newDiskScene(66, 33)
	s.card.Show(s.ask(edit()), s.now)
	s.frame()
	if got := answersIn(s.press("x")); len(got) != 1 {
		t.Errorf("answers: %+v", got)
	}
}

// What changes on the disk shuts the keys; what stays as it was does not, and
// neither does a proxy that does not answer any more.
func TestDiskChanges(t *testing.T) {
	same, differs := []control.OnDisk{found(0, control.Same)}, []control.OnDisk{found(0, control.Differs)}
	for name, tt := range map[string]struct {
		files []control.OnDisk
		err   error
		shut  bool
		shows string
	}{
		"as before":    {same, nil, false, `the file on disk is the "old" side`},
		"another file": {differs, nil, true, `does not have the "old" side`},
		"no answer":    {nil, errors.New("gone"), true, "not compared: no answer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := newDiskScene(66, 33)
			s.card.Show(s.ask(edit()), s.now)
			s.tells(t, same...)
			if s.wait(time.Second); s.asked() != nil {
				t.Fatal("it is asked again too soon")
			}
			s.wait(diskStays)
			s.tellsOf(t, tt.files, tt.err)
			if text := paint.Text(s.grid); !strings.Contains(text, tt.shows) {
				t.Errorf("%q is missing in\n%s", tt.shows, text)
			}
			if got := answersIn(s.press("1")); (len(got) == 0) != tt.shut {
				t.Errorf("answers: %+v", got)
			}
		})
	}
}

// The step before an answer that lasts looks at the disk anew.
func TestDiskBeforeAWord(t *testing.T) {
	s := newDiskScene(66, 33)
	s.card.Show(s.ask(edit()), s.now)
	s.tells(t, found(0, control.Same))
	s.wait(time.Second)
	s.press("2")
	if s.card.confirm == nil || s.asked() == nil {
		t.Errorf("confirm %v", s.card.confirm)
	}
}

// There is nothing to ask, and no row is kept, where there is no diff or nobody
// who compares; and nothing is asked of what is over or cannot be reached.
func TestDiskIsNotAsked(t *testing.T) {
	for name, tt := range map[string]struct {
		set func(s *scene)
		row bool
	}{
		"a command":      {func(s *scene) { s.card.Show(s.ask(command()), s.now) }, false},
		"an older proxy": {func(s *scene) { s.proxy.Greeting.Disk = false; s.card.Show(s.ask(edit()), s.now) }, false},
		"nobody asks":    {func(s *scene) { s.card.options.Disk = false; s.card.Show(s.ask(edit()), s.now) }, false},
		"a recording": {func(s *scene) {
			s.proxy.Greeting, s.proxy.Link = control.Greeting{}, recordedLink
			s.card.Show(s.ask(edit()), s.now)
		}, false},
		"a connection that is lost": {func(s *scene) { s.proxy.Link = lostLink; s.card.Show(s.ask(edit()), s.now) }, true},
		"an answered one": {func(s *scene) {
			w := s.ask(edit())
			s.card.Show(w, s.now)
			s.settle(w, journal.Decision{By: "editor", HasOption: true, OptionID: "no", OptionKind: "reject_once"})
		}, false},
	} {
		t.Run(name, func(t *testing.T) {
			s := newDiskScene(66, 33)
			tt.set(s)
			if p := s.asked(); p != nil {
				t.Error("it is asked")
			}
			if text := paint.Text(s.grid); strings.Contains(text, "compared") != tt.row {
				t.Errorf("a row about the disk in\n%s", text)
			}
		})
	}
}

// A long request whose beginning shows that it has diffs is asked about, too.
func TestDiskOfAClippedRequest(t *testing.T) {
	s := newDiskScene(66, 33)
	p := edit()
	p.Content, p.ContentClipped = nil, `[{"type":"diff","path":"src/auth/token.go","oldText":"pack`
	s.card.Show(s.ask(p), s.now)
	s.tells(t, control.OnDisk{Entry: -1, State: control.Uncompared, Text: "the request is too long"})
	if text := paint.Text(s.grid); !strings.Contains(text, "not compared: the request is too long") {
		t.Errorf("it says\n%s", text)
	}
}

// What was found of one card is still there when it is looked at again, and what
// is told of another one in the meantime is not taken for it.
func TestDiskOfAnotherCard(t *testing.T) {
	s := newDiskScene(66, 33)
	first, second := s.ask(edit()), s.ask(edit())
	s.card.Show(first, s.now)
	if s.asked() != first {
		t.Fatal("the first is not asked")
	}
	s.card.Show(second, s.now)
	s.card.Compared(first, []control.OnDisk{found(0, control.Differs)}, nil, s.now)
	if s.frame(); !strings.Contains(paint.Text(s.grid), "is being compared") {
		t.Errorf("of the second:\n%s", paint.Text(s.grid))
	}
	s.card.Show(first, s.now)
	if s.frame(); !strings.Contains(paint.Text(s.grid), `does not have the "old" side`) {
		t.Errorf("of the first:\n%s", paint.Text(s.grid))
	}
}

// A verdict on a request is not what is told of one with another digest.
func TestDiskOfAnotherDigest(t *testing.T) {
	s := newDiskScene(66, 33)
	w := s.ask(edit())
	s.card.Show(w, s.now)
	s.tells(t, found(0, control.Same))
	changed := *w.Card
	changed.Digest = strings.Repeat("f", 32)
	w.Card, w.Digest = &changed, changed.Digest
	if s.frame(); !strings.Contains(paint.Text(s.grid), "is being compared") {
		t.Errorf("it says\n%s", paint.Text(s.grid))
	}
}
