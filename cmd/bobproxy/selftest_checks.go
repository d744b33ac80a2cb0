package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// promises are checked with agents of ours.
var promises = []trial{
	{"bytes", "what is said arrives to the byte, JSON or not", tryBytes},
	{"order", "20,000 frames each way arrive in their order", tryOrder},
	{"large frame", "a frame of 32 MiB passes both ways", tryLarge},
	{"tail", "what an agent said last arrives after its end", tryTail},
	{"exit status", "ours is the agent's, signals included", tryExits},
	{"stderr", "the agent's stderr arrives to the byte", tryStderr},
	{"pressure", "who does not read makes the other wait, not us grow", tryPressure},
	{"full disk", "a recording that cannot be written holds up nothing", tryFullDisk},
	{"slow panel", "a panel that does not read holds up nothing", trySlowPanel},
	{"permission", "what was answered here is not answered again", tryPermission},
	{"bounds", "a file outside of the workspace is refused", tryBounds},
	{"recording", "it reads back, complete, as what was said", tryRecording},
	{"survivors", "nothing of the agent survives when we are killed", trySurvivors},
}

// hostileText is text that careless programs change.
func hostileText() []byte {
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":1e400,"a":-0}}`, "{\"a\": 1}\r", "\ufeff{}", "", " ", "not JSON", `{"a":"\ud800"}`,
		"\xff\xfe\x00\x01", "\x1b]0;title\x07", `[1,2]`, `null`, `{"id":1.0,"id":null}`, "{\t}", "\v\f\u2028\u0085", strings.Repeat("[", 5000), strings.Repeat("x", 1<<20),
	}
	return []byte(strings.Join(lines, "\n") + "\nan end without a line feed")
}

// echoed says text to an agent that repeats it, and expects it back.
func echoed(ctx context.Context, b *bench, text []byte, flags ...string) (*proxied, error) {
	p, err := b.start(ctx, append([]string{"--bounds", "off"}, flags...), "cat")
	if err != nil {
		return nil, err
	}
	defer p.kill()
	got, code, err := p.exchange(text)
	switch {
	case err != nil:
		return p, err
	case code != 0:
		return p, fmt.Errorf("exit status %d; stderr: %s", code, field(p.stderrEnd()))
	case !bytes.Equal(got, text):
		return p, fmt.Errorf("%d bytes came back of %d, from byte %d on they differ", len(got), len(text), differ(got, text))
	}
	return p, nil
}

// differ is where two texts begin to differ.
func differ(a, b []byte) int {
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return i
		}
	}
	return min(len(a), len(b))
}

func tryBytes(ctx context.Context, b *bench) error {
	_, err := echoed(ctx, b, hostileText())
	return err
}

func updates(n int) []byte {
	var text bytes.Buffer
	for i := range n {
		fmt.Fprintf(&text, `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","n":%d}}`+"\n", i)
	}
	return text.Bytes()
}

func tryOrder(ctx context.Context, b *bench) error {
	_, err := echoed(ctx, b, updates(20_000))
	return err
}

func tryLarge(ctx context.Context, b *bench) error {
	_, err := echoed(ctx, b, []byte(`{"jsonrpc":"2.0","method":"x","params":{"data":"`+strings.Repeat("y", 32<<20)+"\"}}\n"), "--record", "off")
	return err
}

func tryTail(ctx context.Context, b *bench) error {
	const size = 60_000 // fits into pipes, so that the agent can end before anybody reads
	p, err := b.start(ctx, nil, sh(`head -c `+strconv.Itoa(size)+` /dev/zero | tr '\0' x; echo; exit 7`)...)
	if err != nil {
		return err
	}
	defer p.kill()
	got, code, err := p.exchange(nil)
	if err == nil && (code != 7 || len(got) != size+1) {
		err = fmt.Errorf("%d bytes of %d arrived, exit status %d of 7", len(got), size+1, code)
	}
	return err
}

func tryExits(ctx context.Context, b *bench) error {
	for _, tt := range []struct {
		agent []string
		want  int
	}{
		{sh("exit 0"), 0}, {sh("exit 42"), 42}, {sh("exit 255"), 255}, {sh("kill -TERM $$"), 143}, {sh("kill -KILL $$"), 137},
		{[]string{filepath.Join(b.dir, "nothing")}, 127}, {[]string{b.dir}, 126},
	} {
		p, err := b.start(ctx, nil, tt.agent...)
		if err != nil {
			return err
		}
		_, code, err := p.exchange(nil)
		p.kill()
		if err != nil || code != tt.want {
			return errors.Join(fmt.Errorf("exit status %d of %d for %s", code, tt.want, strings.Join(tt.agent, " ")), err)
		}
	}
	return nil
}

func tryStderr(ctx context.Context, b *bench) error {
	text := append(hostileText()[:40_000], "an end"...)
	file := filepath.Join(b.dir, "words")
	if err := os.WriteFile(file, text, 0o600); err != nil {
		return err
	}
	p, err := b.start(ctx, nil, sh(`cat "$1" >&2`, file)...)
	if err != nil {
		return err
	}
	defer p.kill()
	if _, _, err := p.exchange(nil); err != nil {
		return err
	}
	if got := p.stderr.Bytes(); !bytes.Equal(got, text) {
		return fmt.Errorf("%d bytes arrived of %d, from byte %d on they differ", len(got), len(text), differ(got, text))
	}
	return nil
}

// mostGrowth is what a proxy may take while nobody reads, in bytes.
const mostGrowth = 96 << 20

func tryPressure(ctx context.Context, b *bench) error {
	p, err := b.start(ctx, []string{"--record", "off"}, "yes", `{"jsonrpc":"2.0","method":"session/update","params":{}}`)
	if err != nil {
		return err
	}
	defer p.kill()
	if _, err := p.line(); err != nil {
		return err
	}
	if err := pauseFor(ctx, 500*time.Millisecond); err != nil { // the agent could write a gigabyte
		return err
	}
	if n := resident(p.Process.Pid); n > mostGrowth {
		return fmt.Errorf("%d MiB were taken while nobody read", n>>20)
	}
	if _, err := io.CopyN(io.Discard, p.out, 16<<20); err != nil {
		return fmt.Errorf("it does not go on when somebody reads: %w", err)
	}
	return nil
}

// resident is the memory of a process in bytes; 0 where that is not known.
func resident(pid int) int64 {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(status)) {
		var kib int64
		if n, _ := fmt.Sscanf(line, "VmRSS: %d kB", &kib); n == 1 {
			return kib << 10
		}
	}
	return 0
}

func tryFullDisk(ctx context.Context, b *bench) error {
	if _, err := os.Stat("/dev/full"); err != nil {
		return skipped("there is no /dev/full on this system")
	}
	p, err := echoed(ctx, b, updates(2000), "--record", "/dev/full")
	if err != nil {
		return err
	}
	if words := p.stderr.String(); strings.Count(words, "\n") != 1 {
		return fmt.Errorf("stderr has not one line about it: %s", field(words))
	}
	return nil
}

func trySlowPanel(ctx context.Context, b *bench) error {
	p, err := b.start(ctx, []string{"--bounds", "off"}, "cat")
	if err != nil {
		return err
	}
	defer p.kill()
	c, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	if _, _, _, err := c.Watch(ctx); err != nil { // and nobody reads what comes
		return err
	}
	text := updates(20_000)
	got, _, err := p.exchange(text)
	if err == nil && !bytes.Equal(got, text) {
		err = fmt.Errorf("%d bytes came back of %d", len(got), len(text))
	}
	return err
}

// askingFrame is a permission request, as an agent's.
const askingFrame = `{"jsonrpc":"2.0","id":7,"method":"session/request_permission","params":{"sessionId":"s","toolCall":{"toolCallId":"t","title":"Try it","kind":"other"},` +
	`"options":[{"optionId":"y","name":"Yes","kind":"allow_once"},{"optionId":"n","name":"No","kind":"reject_once"}]}}`

// tryPermission lets a command and the editor answer the same request.
func tryPermission(ctx context.Context, b *bench) error {
	p, err := b.start(ctx, nil, sh(`printf '%s\n' "$1"; cat >&2`, askingFrame)...)
	if err != nil {
		return err
	}
	defer p.kill()
	if line, err := p.line(); err != nil || line != askingFrame {
		return fmt.Errorf("the request did not arrive: %s, %w", field(line), err)
	}
	c, err := p.connect(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	state, err := c.State(ctx)
	if err != nil || len(state.Pending) != 1 {
		return fmt.Errorf("%d requests wait, not one: %w", len(state.Pending), err)
	}
	ruling, err := c.Decide(ctx, broker.Decision{Request: state.Pending[0].Request, Deny: true})
	if err != nil || ruling.Result != broker.Applied {
		return fmt.Errorf("it could not be denied: %s %s, %w", ruling.Result, ruling.Text, err)
	}
	_, _, err = p.exchange([]byte(`{"jsonrpc":"2.0","id":7,"result":{"outcome":{"outcome":"selected","optionId":"y"}}}` + "\n"))
	if got := p.stderr.String(); err == nil && (strings.Count(got, "\n") != 1 || !strings.Contains(got, `"n"`)) {
		err = fmt.Errorf("the agent got %s", field(got))
	}
	return err
}

// tryBounds lets an agent ask for a file beside the workspace.
func tryBounds(ctx context.Context, b *bench) error {
	work, outside := filepath.Join(b.dir, "work"), filepath.Join(b.dir, "outside", "file")
	reads := fmt.Sprintf(`{"jsonrpc":"2.0","id":9,"method":"fs/read_text_file","params":{"sessionId":"s","path":%s}}`, jsonText(outside))
	p, err := b.start(ctx, nil, sh(`read -r line; printf '%s\n' '{"jsonrpc":"2.0","id":1,"result":{"sessionId":"s"}}' "$1"; read -r line; printf '%s\n' "$line" >&2`, reads)...)
	if err != nil {
		return err
	}
	defer p.kill()
	if _, err := fmt.Fprintf(p.in, `{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":%s,"mcpServers":[]}}`+"\n", jsonText(work)); err != nil {
		return err
	}
	got, err := io.ReadAll(p.out)
	if err != nil {
		return err
	}
	if _, err := p.finish(); err != nil {
		return err
	}
	if n := bytes.Count(got, []byte("\n")); n != 1 {
		return fmt.Errorf("the editor got %s", field(string(got)))
	}
	if answer := p.stderr.String(); !strings.Contains(answer, "-32602") {
		return fmt.Errorf("the agent got %s", field(answer))
	}
	return nil
}

func jsonText(text string) string {
	quoted, err := json.Marshal(text)
	if err != nil {
		return `""`
	}
	return string(quoted)
}

func tryRecording(ctx context.Context, b *bench) error {
	text := updates(2000)
	p, err := echoed(ctx, b, text)
	if err != nil {
		return err
	}
	events, err := p.events()
	if err != nil {
		return err
	}
	if err := wholeRecording(events); err != nil {
		return err
	}
	for _, from := range []acp.Direction{acp.Client, acp.Agent} {
		var said bytes.Buffer
		for _, e := range events {
			if e.Type == journal.FrameEvent && e.Dir == from {
				said.Write(append(e.Body, '\n'))
			}
		}
		if !bytes.Equal(said.Bytes(), text) {
			return fmt.Errorf("of %s it has other words than were said", from)
		}
	}
	return nil
}

// wholeRecording says that no event is missing.
func wholeRecording(events []journal.Event) error {
	for i, e := range events {
		if e.Seq != uint64(i+1) || e.Type == journal.GapEvent {
			return fmt.Errorf("event %d is missing", i+1)
		}
	}
	if n := len(events); n == 0 || events[n-1].Exit == nil {
		return errors.New("it has no end")
	}
	return nil
}

// trySurvivors kills the proxy of an agent that has put a process where signals
// to its group do not reach it.
func trySurvivors(ctx context.Context, b *bench) error {
	if runtime.GOOS != "linux" {
		return skipped("only Linux lets us promise that")
	}
	p, err := b.start(ctx, nil, sh(`setsid sleep 1000 & echo $!; echo $$; exec sleep 1000`)...)
	if err != nil {
		return err
	}
	defer p.kill()
	var below []live
	for range 2 {
		pid, err := p.line()
		if err != nil {
			return err
		}
		number, err := strconv.Atoi(pid)
		if err != nil {
			return err
		}
		below = append(below, liveAt(number))
	}
	if err := p.Process.Kill(); err != nil {
		return err
	}
	return goneAll(ctx, below)
}
