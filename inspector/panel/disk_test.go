package panel

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"bobproxy/inspector/card"
	"bobproxy/inspector/feed"
	"bobproxy/inspector/home"
	"bobproxy/inspector/terminal"
	"bobproxy/proxy/control"
)

// comparing is a show at a proxy that compares, and what it was asked.
func comparing(w, h int, state control.DiskState, err error) (*show, *[]string) {
	var asked []string
	s := newShow(w, h, nil)
	s.Panel = New(Options{Card: card.Careful(), Home: "/home/me", Machine: home.Machine{}, Disk: func(_ context.Context, instance string, pid int, request string) ([]control.OnDisk, error) {
		asked = append(asked, fmt.Sprint(instance, " ", pid, " ", request))
		return []control.OnDisk{{State: state}}, err
	}})
	t := repairing()
	t.state.Instance = "7f3a"
	s.Take(feed.Attached{Greeting: control.Greeting{Instance: "7f3a", PID: t.state.PID, Answers: "all", Disk: true}, State: t.state}, dawn)
	s.Take(feed.Happened{Instance: "7f3a", Deltas: t.deltas()}, t.at)
	return s.look(), &asked
}

// live lets time pass as a terminal does: what is due is done.
func (s *show) live(d time.Duration) *show {
	end := s.now.Add(d)
	for next := s.Next(s.now); next.After(s.now) && next.Before(end); next = s.Next(s.now) {
		s.now = next
		for effects := s.Wake(s.now); len(effects) > 0; effects = effects[1:] {
			if later, ok := effects[0].(terminal.Later); ok {
				effects = append(effects, s.Take(later.Do(context.Background()), s.now)...)
			}
		}
		s.look()
	}
	s.now = end
	return s.look()
}

// While a card is on the screen, the disk is compared at once and then every few
// seconds; before, and afterwards, it is left alone.
func TestDiskIsComparedWhileTheCardIsOpen(t *testing.T) {
	s, asked := comparing(80, 30, control.Differs, nil)
	if s.live(30 * time.Second); len(*asked) > 0 {
		t.Fatalf("asked without a card: %q", *asked)
	}
	s.press("p").shows(t, "the disk is being compared")
	s.live(time.Second).shows(t, `! the file on disk does not have the "old" side`)
	if len(*asked) != 1 || (*asked)[0] != "7f3a 51234 7f3a:6" {
		t.Fatalf("asked: %q", *asked)
	}
	if s.live(30 * time.Second); len(*asked) < 6 || len(*asked) > 7 {
		t.Errorf("asked %d times in 30 s", len(*asked))
	}
	s.press("Esc")
	before := len(*asked)
	if s.live(30 * time.Second); len(*asked) > before {
		t.Errorf("asked %d times afterwards", len(*asked)-before)
	}
}

// Beside other panes the card is read without having the keys.
func TestDiskIsComparedBesideOtherPanes(t *testing.T) {
	s, asked := comparing(160, 45, control.Same, nil)
	s.live(2*time.Second).shows(t, `✓ the file on disk is the "old" side`)
	if len(*asked) != 1 {
		t.Errorf("asked: %q", *asked)
	}
}

func TestDiskIsNotTold(t *testing.T) {
	s, _ := comparing(80, 30, "", errors.New("gone"))
	s.press("p").live(time.Second).shows(t, "· the disk was not compared: no answer")
}
