package terminal

import (
	"context"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/gdamore/tcell/v2"

	"bobproxy/inspector/paint"
)

// recorder is an app that remembers what happened, and when it was drawn.
type recorder struct {
	paint  func(*paint.Grid)
	next   time.Duration // how long after a drawing the next one is wanted; 0: never
	take   func(any) []Effect
	inputs []Input
	taken  []any
	drawn  []time.Duration // since the start
	shown  int
	start  time.Time
}

func (r *recorder) Draw(g *paint.Grid, now time.Time) {
	r.drawn = append(r.drawn, now.Sub(r.start))
	if r.paint != nil {
		r.paint(g)
	}
}

func (r *recorder) Shown(time.Time) { r.shown++ }

func (r *recorder) Input(in Input, _ time.Time) []Effect {
	r.inputs = append(r.inputs, in)
	if in == (Key{"q"}) {
		return []Effect{Quit{}}
	}
	return nil
}

func (r *recorder) Take(message any, _ time.Time) []Effect {
	r.taken = append(r.taken, message)
	if r.take != nil {
		return r.take(message)
	}
	return nil
}

func (r *recorder) Next(time.Time) time.Time {
	if r.next == 0 || len(r.drawn) == 0 {
		return time.Time{}
	}
	return r.start.Add(r.drawn[len(r.drawn)-1] + r.next)
}

// simulation is a screen that is nowhere, of w by h cells. It counts how often
// something was sent.
type simulation struct {
	tcell.SimulationScreen
	w, h         int
	shows, syncs int
}

func (s *simulation) Init() error {
	err := s.SimulationScreen.Init()
	s.SetSize(s.w, s.h)
	return err
}

func (s *simulation) EventQ() chan tcell.Event {
	return s.SimulationScreen.(interface{ EventQ() chan tcell.Event }).EventQ()
}

func (s *simulation) Show() { s.shows++; s.SimulationScreen.Show() }
func (s *simulation) Sync() { s.syncs++; s.SimulationScreen.Sync() }

// run runs an app in a simulation until it has ended by what act does.
func run(t *testing.T, r *recorder, act func(*simulation, chan<- any, chan<- os.Signal)) (*simulation, error) {
	t.Helper()
	var err error
	sim := &simulation{SimulationScreen: tcell.NewSimulationScreen("UTF-8"), w: 20, h: 5}
	synctest.Test(t, func(t *testing.T) {
		signals, messages := make(chan os.Signal, 1), make(chan any, 1000)
		s, failed := Open(Options{Screen: sim, Signals: signals, Theme: "dark", Env: func(string) (string, bool) { return "", false }})
		if failed != nil {
			t.Fatal(failed)
		}
		r.start = time.Now()
		done := make(chan struct{})
		go func() {
			defer close(done)
			err = s.Run(t.Context(), r, messages)
		}()
		synctest.Wait()
		act(sim, messages, signals)
		<-done
	})
	return sim, err
}

// sleeper quits when it is woken.
type sleeper struct{ recorder }

func (s *sleeper) Wake(now time.Time) []Effect {
	if now.Sub(s.start) >= s.next {
		return []Effect{Quit{}}
	}
	return nil
}

func TestAnAppIsWoken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		sim := &simulation{SimulationScreen: tcell.NewSimulationScreen("UTF-8"), w: 20, h: 5}
		s, err := Open(Options{Screen: sim, Signals: make(chan os.Signal), Env: func(string) (string, bool) { return "", false }})
		if err != nil {
			t.Fatal(err)
		}
		app := &sleeper{recorder{next: time.Hour, start: time.Now()}}
		if err := s.Run(t.Context(), app, nil); err != nil || time.Since(app.start) != time.Hour {
			t.Errorf("it ended after %v: %v", time.Since(app.start), err)
		}
	})
}

func TestMessagesAreCoalesced(t *testing.T) {
	r := &recorder{}
	_, err := run(t, r, func(sim *simulation, messages chan<- any, _ chan<- os.Signal) {
		for i := range 300 {
			messages <- i
			pass(time.Millisecond)
		}
		pass(time.Second)
		sim.InjectKey(tcell.KeyRune, 'q', 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.taken) != 300 || !slices.IsSortedFunc(r.taken, func(a, b any) int { return a.(int) - b.(int) }) {
		t.Errorf("took %d messages, want all 300 in their order", len(r.taken))
	}
	if n := len(r.drawn); n < 9 || n > 11 {
		t.Errorf("drawn %d times in 300 ms, want about 10 times: %v", n, r.drawn)
	}
	for i := 1; i < len(r.drawn); i++ {
		if r.drawn[i]-r.drawn[i-1] < frame {
			t.Errorf("drawn at %v and %v, want a frame between", r.drawn[i-1], r.drawn[i])
		}
	}
	if last := r.drawn[len(r.drawn)-1]; last > 350*time.Millisecond {
		t.Errorf("drawn at %v, long after the last message", last)
	}
}

// A flood neither keeps the screen from being drawn nor loses anything where it
// is interrupted.
func TestFloods(t *testing.T) {
	r := &recorder{take: func(any) []Effect { pass(frame); return nil }}
	_, err := run(t, r, func(sim *simulation, messages chan<- any, _ chan<- os.Signal) {
		for i := range 20 {
			messages <- i
		}
		pass(time.Minute)
		for range 10 * batch {
			sim.EventQ() <- tcell.NewEventKey(tcell.KeyRune, 'k', 0)
		}
		sim.EventQ() <- tcell.NewEventKey(tcell.KeyRune, 'q', 0)
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.taken) != 20 || len(r.inputs) != 10*batch+1 {
		t.Errorf("took %d messages of 20, and %d keys of %d", len(r.taken), len(r.inputs), 10*batch+1)
	}
	if len(r.drawn) < 20 {
		t.Errorf("drawn %d times, want once after each message that takes as long as a frame", len(r.drawn))
	}
}

func TestWhenItIsDrawn(t *testing.T) {
	key := func(sim *simulation, r rune) { sim.InjectKey(tcell.KeyRune, r, 0); synctest.Wait() }
	ms := time.Millisecond
	for name, c := range map[string]struct {
		next time.Duration
		act  func(sim *simulation)
		want []time.Duration
	}{
		"once when nothing happens": {0, func(*simulation) { pass(time.Hour) }, []time.Duration{0}},
		"at once after a while":     {0, func(sim *simulation) { pass(100 * ms); key(sim, 'x') }, []time.Duration{0, 100 * ms}},
		"a frame after the last": {0, func(sim *simulation) {
			pass(100 * ms)
			key(sim, 'x')
			pass(ms)
			key(sim, 'y')
			pass(100 * ms)
		}, []time.Duration{0, 100 * ms, 100*ms + frame}},
		"when the app wants it":      {time.Second, func(*simulation) { pass(2500 * ms) }, []time.Duration{0, time.Second, 2 * time.Second}},
		"not faster than it is good": {1, func(*simulation) { pass(2*frame + ms) }, []time.Duration{0, frame, 2 * frame}},
	} {
		t.Run(name, func(t *testing.T) {
			r := &recorder{next: c.next}
			_, err := run(t, r, func(sim *simulation, _ chan<- any, signals chan<- os.Signal) {
				c.act(sim)
				signals <- syscall.SIGTERM
			})
			if err != (Signalled{syscall.SIGTERM}) {
				t.Errorf("ended by %v", err)
			}
			if !slices.Equal(r.drawn, c.want) || r.shown != len(r.drawn) {
				t.Errorf("drawn at %v, shown %d times; want %v", r.drawn, r.shown, c.want)
			}
		})
	}
}

func TestWhatDidNotChangeIsNotSent(t *testing.T) {
	r := &recorder{paint: func(g *paint.Grid) { g.All().Put(0, 0, paint.Style{}, "same") }}
	sim, _ := run(t, r, func(sim *simulation, messages chan<- any, signals chan<- os.Signal) {
		for range 10 {
			messages <- "x"
			pass(time.Second)
		}
		signals <- syscall.SIGTERM
	})
	if len(r.drawn) != 11 || r.shown != 11 || sim.shows+sim.syncs != 1 {
		t.Errorf("drawn %d, shown %d, sent %d times; want 11, 11, 1", len(r.drawn), r.shown, sim.shows+sim.syncs)
	}
}

func TestEffects(t *testing.T) {
	r := &recorder{take: func(m any) []Effect {
		switch m {
		case "later":
			return []Effect{Later{func(context.Context) any { return "done" }}, Later{func(context.Context) any { return nil }}}
		case "many":
			return []Effect{Later{func(ctx context.Context) any { <-ctx.Done(); return "too late" }}}
		case "theme":
			return []Effect{SetTheme{"pink"}, SetTheme{"light"}, Repaint{}}
		case "looks":
			return []Effect{SetColor{"never"}, SetTheme{"dark"}, SetTheme{"mono"}, SetColor{"always"}, SetGlyphs{"ascii"}, SetNotify{"off"}, Notify{"a", "b"}}
		case "clip":
			return []Effect{Clipboard{string(make([]byte, maxClipboard+1))}}
		case "quit":
			return []Effect{Quit{}, Clipboard{string(make([]byte, maxClipboard+1))}}
		}
		return nil
	}}
	sim, err := run(t, r, func(_ *simulation, messages chan<- any, _ chan<- os.Signal) {
		for _, m := range []any{"later", "many", "theme", "looks", "clip"} {
			messages <- m
			pass(time.Second)
		}
		messages <- "quit"
	})
	if err != nil {
		t.Error(err)
	}
	var got []any
	for _, m := range r.taken {
		if f, ok := m.(Failed); ok {
			m = "failed " + f.What
		}
		got = append(got, m)
	}
	want := []any{"later", "done", "many", "theme", "failed theme", "looks", "failed theme", "clip", "failed clipboard", "quit"}
	if !slices.Equal(got, want) {
		t.Errorf("took %v\nwant %v", got, want)
	}
	if sim.syncs != 1 {
		t.Errorf("sent as a whole %d times, want once", sim.syncs)
	}
}

func TestEnds(t *testing.T) {
	t.Run("with its context", func(t *testing.T) {
		synctest.Test(t, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			s, err := Open(Options{Screen: tcell.NewSimulationScreen(""), Signals: make(chan os.Signal)})
			if err != nil {
				t.Fatal(err)
			}
			time.AfterFunc(time.Minute, cancel)
			if err := s.Run(ctx, &recorder{}, nil); err != nil {
				t.Error(err)
			}
		})
	})
	t.Run("when the terminal cannot be read", func(t *testing.T) {
		_, err := run(t, &recorder{}, func(sim *simulation, messages chan<- any, _ chan<- os.Signal) {
			close(messages)
			sim.EventQ() <- tcell.NewEventError(os.ErrClosed)
		})
		if err != ErrGone {
			t.Errorf("ended by %v", err)
		}
	})
	t.Run("though something does not", func(t *testing.T) {
		r := &recorder{take: func(stuck any) []Effect {
			return []Effect{Later{func(context.Context) any { <-stuck.(chan struct{}); return nil }}, Quit{}}
		}}
		var took time.Duration
		_, err := run(t, r, func(_ *simulation, messages chan<- any, _ chan<- os.Signal) {
			stuck := make(chan struct{})
			messages <- stuck
			pass(leaving + time.Second)
			close(stuck)
			took = time.Since(r.start)
		})
		if err != nil || took != leaving+time.Second {
			t.Errorf("%v after %v", err, took)
		}
	})
}

func TestAResizeIsToldOnce(t *testing.T) {
	r := &recorder{}
	sim, _ := run(t, r, func(sim *simulation, _ chan<- any, signals chan<- os.Signal) {
		sim.EventQ() <- tcell.NewEventResize(20, 5)
		sim.SetSize(30, 7)
		sim.EventQ() <- tcell.NewEventResize(30, 7)
		pass(time.Second)
		signals <- syscall.SIGTERM
	})
	if !slices.Equal(r.inputs, []Input{Resized{30, 7}}) {
		t.Errorf("told %v", r.inputs)
	}
	if sim.syncs != 1 {
		t.Errorf("sent as a whole %d times, want once", sim.syncs)
	}
}

// pass lets time pass on the clock of the bubble that a test runs in, which takes
// none.
func pass(d time.Duration) { time.Sleep(d) }

// What is chosen while the screen is open is as if it had been chosen before.
func TestLooksThatChange(t *testing.T) {
	t.Setenv("NO_COLOR", "1")
	sim := &simulation{SimulationScreen: tcell.NewSimulationScreen("UTF-8"), w: 20, h: 5}
	env := map[string]string{"NO_COLOR": "1", "COLORFGBG": "0;15", "LC_ALL": "C"}
	s, err := Open(Options{Screen: sim, Theme: "auto", Looks: paint.Looks{paint.Warn: {FG: paint.Yellow, Under: true}}, Env: func(name string) (string, bool) { v, ok := env[name]; return v, ok }})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	for _, c := range []struct {
		effect Effect
		theme  string
		warn   paint.Look
		ascii  bool
		hidden string // NO_COLOR in the process's environment
	}{
		{SetNotify{"off"}, "mono", paint.Look{Under: true}, true, "1"},
		{SetColor{"always"}, "light", paint.Look{FG: paint.Yellow, Under: true}, true, ""},
		{SetTheme{"dark"}, "dark", paint.Look{FG: paint.Yellow, Under: true}, true, ""},
		{SetColor{"never"}, "mono", paint.Look{Under: true}, true, "1"},
		{SetTheme{"light"}, "mono", paint.Look{Under: true}, true, "1"},
		{SetColor{"always"}, "light", paint.Look{FG: paint.Yellow, Under: true}, true, ""},
		{SetGlyphs{"unicode"}, "light", paint.Look{FG: paint.Yellow, Under: true}, false, ""},
		{SetGlyphs{"auto"}, "light", paint.Look{FG: paint.Yellow, Under: true}, true, ""},
		{SetColor{"auto"}, "mono", paint.Look{Under: true}, true, "1"},
	} {
		s.effect(c.effect)
		if s.theme.Name == "" || s.theme.Looks[paint.Warn] != c.warn || s.theme.Name != c.theme || s.ascii() != c.ascii || os.Getenv("NO_COLOR") != c.hidden {
			t.Errorf("after %T%v: %s, warn %+v, ASCII %v, NO_COLOR %q; want %s, %+v, %v, %q", c.effect, c.effect, s.theme.Name, s.theme.Looks[paint.Warn], s.ascii(), os.Getenv("NO_COLOR"), c.theme, c.warn, c.ascii, c.hidden)
		}
	}
}
