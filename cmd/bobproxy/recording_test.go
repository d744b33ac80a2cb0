//go:build linux

package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"bobproxy/proxy/journal"
)

// complete checks that no record is missing without being counted.
func complete(t *testing.T, all []journal.Event) {
	t.Helper()
	next := uint64(1)
	for _, e := range all {
		if e.Seq != next {
			t.Fatalf("record %d follows %d: %+v", e.Seq, next-1, e)
		}
		if next++; e.Gap != nil {
			next += e.Gap.Count - 1
		}
	}
}

func count(all []journal.Event, kind journal.Type) (n int) {
	for _, e := range all {
		if e.Type == kind {
			n++
		}
	}
	return n
}

// last is the last record.
func (p *process) last() journal.Event {
	p.t.Helper()
	all := p.events()
	if len(all) == 0 {
		p.t.Fatal("the recording is empty")
	}
	return all[len(all)-1]
}

func content(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// say sends a line to an agent that gives it back, and waits for it.
func (p *process) say(line string) {
	p.t.Helper()
	p.send(line)
	p.expect(line)
}

func update(n, size int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","n":%d,"text":"%s"}}`+"\n", n, strings.Repeat("x", size))
}

// Recordings are for their owner's eyes, whatever the umask.
func TestRecordingIsPrivate(t *testing.T) {
	for _, umask := range []string{"0", "022", "077"} {
		t.Run(umask, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			old, new := filepath.Join(dir, "old"), filepath.Join(dir, "new")
			if err := os.WriteFile(old, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(old, 0o644); err != nil {
				t.Fatal(err)
			}
			for _, tt := range []struct {
				name  string
				flags []string
				file  string // empty: the default place
			}{
				{"default place", nil, ""},
				{"new file", []string{"--record", new}, new},
				{"file that others can read", []string{"--record", old}, old},
				{"new folder", []string{"--record-dir", filepath.Join(dir, "folder")}, filepath.Join(dir, "folder", "*")},
			} {
				p := prepare(t)
				p.Args = append([]string{"sh", "-c", "umask " + umask + `; exec "$0" "$@"`, p.Path, "run"}, append(tt.flags, "--", "peer", "echo")...)
				p.Path = "/bin/sh"
				p.begin()
				p.say(update(1, 1))
				if rest, code := p.finish(); rest != "" || code != 0 || p.errs.String() != "" {
					t.Errorf("%s: rest %q, exit status %d, stderr %q", tt.name, rest, code, p.errs)
				}
				if tt.file == "" {
					tt.file = filepath.Join(p.state, "*.jsonl")
				}
				files, _ := filepath.Glob(tt.file)
				if len(files) != 1 {
					t.Fatalf("%s: files %q, want one", tt.name, files)
				}
				if got := mode(t, files[0]); got != 0o600 {
					t.Errorf("%s: mode %o, want 600", tt.name, got)
				}
				if folder := filepath.Dir(files[0]); folder != dir {
					if got := mode(t, folder); got != 0o700 {
						t.Errorf("%s: its folder has mode %o, want 700", tt.name, got)
					}
				}
			}
		})
	}
}

func mode(t *testing.T, file string) os.FileMode {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

// A link that somebody else put where we record to is not followed.
func TestPlantedLink(t *testing.T) {
	dir := t.TempDir()
	target, link := filepath.Join(dir, "target"), filepath.Join(dir, "link")
	if err := os.WriteFile(target, []byte("precious\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(target, link); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(link, 12345, 12345); err != nil {
		t.Skip("only root can make somebody else's link:", err)
	}
	p := start(t, "run", "--record", link, "--", "peer", "echo")
	p.say(update(1, 1))
	if _, code := p.finish(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if says := p.errs.String(); strings.Count(says, "\n") != 1 || !strings.Contains(says, "link") {
		t.Errorf("stderr %q, want one line about the link", says)
	}
	if got := content(t, target); got != "precious\n" || mode(t, target) != 0o644 {
		t.Errorf("the link was followed: %q, mode %o", got, mode(t, target))
	}
}

// What is secret passes unchanged and is recorded as being there, without its
// value.
func TestSecretsAreMasked(t *testing.T) {
	var secrets []string
	secret := func(name string) string {
		s := fmt.Sprintf("%s-9f8E7d6C5b4A", name)
		secrets = append(secrets, s)
		return s
	}
	key := secret("sk-bob")
	lines := []string{
		`{"jsonrpc":"2.0","id":1,"method":"session/new","params":{"cwd":"/w","mcpServers":[` +
			`{"name":"db","command":"db","args":[],"env":[{"name":"DATABASE_URL","value":"` + secret("postgres") + `"}]},` +
			`{"type":"http","name":"h","url":"https://u:` + secret("userinfo") + `@h/?token=` + secret("query") + `","headers":[{"name":"Authorization","value":"Bearer ` + secret("bearer") + `"}]}]}}`,
		`{"jsonrpc":"2.0","id":2,"method":"authenticate","params":{"methodId":"key","_meta":{"apiKey":"` + secret("login") + `"}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"terminal/create","params":{"sessionId":"s","command":"env","env":[{"name":"HUE","value":"` + secret("terminal") + `"}]}}`,
		`{"jsonrpc":"2.0","id":4,"method":"session/new","params":{"cwd":"/w","mcpServers":[{"name":"x","env":[{"name":"TOKEN","value":"` + secret("sk-torn") + `"`,
		`{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s","text":"said later: ` + secrets[1] + ` and ` + key + `"}}`,
	}
	heard := filepath.Join(t.TempDir(), "heard")
	p := prepare(t, "run", "--", "sh", "-c", `echo "using $BOB_API_KEY, $1" >&2; exec tee "$0"`, heard, key)
	p.Env = append(p.Env, "BOB_API_KEY="+key)
	p.begin()
	for _, line := range lines {
		p.say(line + "\n")
	}
	if rest, code := p.finish(); rest != "" || code != 0 {
		t.Errorf("rest %q, exit status %d", rest, code)
	}
	if got, want := content(t, heard), strings.Join(lines, "\n")+"\n"; got != want {
		t.Errorf("the agent got %q, want %q", got, want)
	}
	if want := "using " + key + ", " + key + "\n"; p.errs.String() != want {
		t.Errorf("stderr %q, want %q", p.errs, want)
	}
	recording := p.recording()
	for _, s := range secrets {
		if strings.Contains(recording, s) {
			t.Errorf("%s is in the recording", s)
		}
	}
	all := p.events()
	complete(t, all)
	for i, e := range frames(all) {
		if e.Masked == 0 || e.Bytes != int64(len(lines[i/2])) {
			t.Errorf("frame %d: %d bytes, %d masked; want %d and some: %s", i, e.Bytes, e.Masked, len(lines[i/2]), e.Body)
		}
	}
	if !strings.Contains(recording, "DATABASE_URL") || !strings.Contains(recording, "using [masked], [masked]") {
		t.Errorf("more is masked than the values: %s", clip(recording))
	}
}

// A recording that fails all the time is told once, and costs the wire nothing.
func TestFullDiskIsToldOnce(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--record", "/dev/full", "--", "peer", "echo")
	var all strings.Builder
	for i := range 100_000 {
		all.WriteString(update(i, 20))
	}
	go func() {
		io.WriteString(p.in, all.String())
		p.in.Close()
	}()
	if got := p.rest(); got != all.String() {
		t.Errorf("%d bytes came back, not the %d sent", len(got), all.Len())
	}
	if code := p.exit(); code != 0 {
		t.Errorf("exit status %d", code)
	}
	if says := p.errs.String(); strings.Count(says, "\n") != 1 || !strings.Contains(says, "no space left") {
		t.Errorf("stderr %q, want one line about the device", clip(says))
	}
}

// limit caps the size of files that p may write; a disk that is full and has
// room again does the same.
func (p *process) limit(size int64) {
	p.t.Helper()
	limit := unix.Rlimit{Cur: uint64(size), Max: unix.RLIM_INFINITY}
	if size < 0 {
		limit.Cur = unix.RLIM_INFINITY
	}
	if err := unix.Prlimit(p.Process.Pid, unix.RLIMIT_FSIZE, &limit, nil); err != nil {
		p.t.Fatal(err)
	}
}

// contains waits until the recording, wherever it is, contains text.
func contains(t *testing.T, pattern, text string) (file string) {
	t.Helper()
	until(t, text+" in "+pattern, func() bool {
		files, _ := filepath.Glob(pattern)
		for _, f := range files {
			if now, _ := os.ReadFile(f); strings.Contains(string(now), text) {
				file = f
				return true
			}
		}
		return false
	})
	return file
}

func size(t *testing.T, file string) int64 {
	t.Helper()
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// When writing works again, what is missing is counted; a record that was
// written in part does no harm.
func TestGapIsCounted(t *testing.T) {
	t.Parallel()
	p := start(t, "run", "--", "peer", "echo")
	p.say(update(1, 100))
	file := contains(t, filepath.Join(p.state, "*.jsonl"), `"n":1,`)
	p.limit(size(t, file) + 1000)
	for i := range 100 {
		p.say(update(100+i, 100))
	}
	until(t, "the warning", func() bool { return p.errs.String() != "" })
	p.limit(-1)
	i := 1000
	until(t, "the gap", func() bool {
		p.say(update(i, 100))
		i++
		return strings.Contains(strings.Join(contents(t, p.recordings()), ""), `"event":"gap"`)
	})
	p.say(update(9999, 100))
	if rest, code := p.finish(); rest != "" || code != 0 {
		t.Errorf("rest %q, exit status %d", rest, code)
	}
	if says := p.errs.String(); strings.Count(says, "\n") != 1 || !strings.Contains(says, "recording") {
		t.Errorf("stderr %q, want one line", says)
	}
	all := eventsIn(t, contents(t, p.recordings())...)
	complete(t, all)
	if !slices.ContainsFunc(all, func(e journal.Event) bool { return e.Gap != nil && e.Gap.Count > 0 && e.Gap.Bytes > 0 }) {
		t.Error("no gap was counted")
	}
	if last := all[len(all)-1]; last.Exit == nil {
		t.Errorf("the recording ends with %+v", last)
	}
}

func contents(t *testing.T, files []string) (texts []string) {
	for _, file := range files {
		texts = append(texts, content(t, file))
	}
	return texts
}

// eventsIn reads recordings that belong together, whatever their order.
func eventsIn(t *testing.T, texts ...string) (all []journal.Event) {
	t.Helper()
	for _, text := range texts {
		for e, err := range journal.Read(strings.NewReader(text)) {
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
	}
	slices.SortStableFunc(all, func(a, b journal.Event) int { return int(a.Seq) - int(b.Seq) })
	return all
}

// A recording that hangs, as on a dead network disk, does not hold the wire; all
// that passed meanwhile is recorded or counted.
func TestHungRecording(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	recording, err := os.OpenFile(fifo, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	p := start(t, "run", "--record", fifo, "--", "peer", "echo")
	p.say(update(0, 20_000_000))
	for i := range 300 {
		p.say(update(1+i, 20_000))
	}
	read, done := &output{}, make(chan struct{})
	go func() {
		defer close(done)
		io.Copy(read, recording)
	}()
	n := 1000
	until(t, "the gap", func() bool {
		p.say(update(n, 20))
		n++
		return strings.Contains(read.String(), `"event":"gap"`)
	})
	if rest, code := p.finish(); rest != "" || code != 0 {
		t.Errorf("rest %q, exit status %d", rest, code)
	}
	if says := p.errs.String(); strings.Count(says, "\n") != 1 || !strings.Contains(says, "recording") {
		t.Errorf("stderr %q, want one line", says)
	}
	<-done
	events := eventsIn(t, read.String())
	complete(t, events)
	if count(events, journal.GapEvent) == 0 || events[len(events)-1].Exit == nil {
		t.Errorf("%d gaps in %d records, and the last is %+v", count(events, journal.GapEvent), len(events), events[len(events)-1])
	}
}

// Somebody tidies up: recording goes on in a new file in the same place.
func TestRecordingIsRemoved(t *testing.T) {
	named := func(t *testing.T) (string, []string) {
		file := filepath.Join(t.TempDir(), "folder", "named")
		os.Mkdir(filepath.Dir(file), 0o700)
		return file, []string{"--record", file}
	}
	for _, tt := range []struct {
		name   string
		place  func(*testing.T) (string, []string)
		remove func(file string) error
	}{
		{"file", nil, os.Remove},
		{"folder", nil, func(file string) error { return os.RemoveAll(filepath.Dir(file)) }},
		{"named file", named, os.Remove},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			var pattern string
			var flags []string
			if tt.place != nil {
				pattern, flags = tt.place(t)
			}
			p := start(t, append(append([]string{"run"}, flags...), "--", "peer", "echo")...)
			if pattern == "" {
				pattern = filepath.Join(p.state, "*.jsonl")
			}
			p.say(update(1, 100))
			file := contains(t, pattern, `"n":1,`)
			if err := tt.remove(file); err != nil {
				t.Fatal(err)
			}
			p.say(update(2, 100))
			if rest, code := p.finish(); rest != "" || code != 0 || p.errs.String() != "" {
				t.Errorf("rest %q, exit status %d, stderr %q", rest, code, p.errs)
			}
			again := content(t, contains(t, pattern, `"n":2,`))
			if all := eventsIn(t, again); all[len(all)-1].Exit == nil {
				t.Errorf("the new recording does not go on to the end: %s", clip(again))
			}
			if got := mode(t, contains(t, pattern, `"n":2,`)); got != 0o600 {
				t.Errorf("its mode is %o", got)
			}
		})
	}
}

// Two proxies may record to one file; no record is cut through.
func TestTwoProxiesOneFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "both")
	var both sync.WaitGroup
	for range 2 {
		p := start(t, "run", "--record", file, "--", "peer", "echo")
		both.Go(func() {
			for i := range 100 {
				line := update(i, 20_000)
				io.WriteString(p.in, line)
				if got, err := p.out.ReadString('\n'); got != line {
					t.Errorf("line %d did not come back: %v", i, err)
					return
				}
			}
			p.in.Close()
			p.Wait()
		})
	}
	both.Wait()
	of := map[string][]journal.Event{}
	for _, e := range eventsIn(t, content(t, file)) {
		of[e.Instance] = append(of[e.Instance], e)
	}
	if len(of) != 2 {
		t.Fatalf("%d instances in the file, want 2", len(of))
	}
	for name, all := range of {
		complete(t, all)
		if n := len(frames(all)); n != 200 || all[len(all)-1].Exit == nil {
			t.Errorf("%s: %d frames, want 200; the last record is %+v", name, n, all[len(all)-1])
		}
	}
}

// Recordings have a limit, however much passes.
func TestRecordingsStayWithinTheirSize(t *testing.T) {
	t.Parallel()
	const most = 2 << 20
	p := start(t, "run", "--record-max-size", "2MiB", "--", "peer", "echo")
	for i := range 1000 {
		p.say(update(i, 5_000))
	}
	if rest, code := p.finish(); rest != "" || code != 0 {
		t.Errorf("rest %q, exit status %d", rest, code)
	}
	total := int64(0)
	for _, file := range p.recordings() {
		total += size(t, file)
	}
	// The newest file may go over its share by what was written last.
	if total > most+256<<10 || total < most/2 {
		t.Errorf("%d bytes are kept of 10 000 000, want about %d", total, most)
	}
	all := eventsIn(t, contents(t, p.recordings())...)
	for i, e := range all[1:] {
		if e.Seq != all[i].Seq+1 {
			t.Fatalf("record %d follows %d", e.Seq, all[i].Seq)
		}
	}
	if all[len(all)-1].Exit == nil {
		t.Errorf("the newest record is %+v", all[len(all)-1])
	}
}

// Recordings that nobody wrote to for too long are removed.
func TestOldRecordingsAreRemoved(t *testing.T) {
	p := prepare(t, "run", "--record-max-age", "1d", "--", "peer", "echo")
	if err := os.MkdirAll(p.state, 0o700); err != nil {
		t.Fatal(err)
	}
	const day = 24 * time.Hour
	ages := map[string]time.Duration{
		"20200101T000000Z-old1.jsonl":   2 * day,
		"20200102T000000Z-old1.2.jsonl": day + time.Hour,
		"20200103T000000Z-young.jsonl":  day - time.Hour,
	}
	for name, age := range ages {
		file, then := filepath.Join(p.state, name), time.Now().Add(-age)
		if err := errors.Join(os.WriteFile(file, nil, 0o600), os.Chtimes(file, then, then)); err != nil {
			t.Fatal(err)
		}
	}
	p.begin()
	p.say(update(1, 1))
	if rest, code := p.finish(); rest != "" || code != 0 || p.errs.String() != "" {
		t.Errorf("rest %q, exit status %d, stderr %q", rest, code, p.errs)
	}
	for name, age := range ages {
		if _, err := os.Stat(filepath.Join(p.state, name)); (err == nil) != (age < day) {
			t.Errorf("%s, %v old: %v", name, age, err)
		}
	}
	if n := len(p.recordings()); n != 2 {
		t.Errorf("%d recordings, want the young one and ours", n)
	}
}

// A method that is long, but not too long, is recorded whole, and so is that of
// its answer.
func TestLongMethodIsRecorded(t *testing.T) {
	method := "_" + strings.Repeat("m", 599)
	s := script{Steps: []step{fromClient(asks("1", method)), fromAgent(answers("1")), hangUp}}
	for _, e := range s.play(t) {
		if e.Method != method {
			t.Errorf("the %s has a method of %d bytes, want %d", e.Kind, len(e.Method), len(method))
		}
	}
}

func TestRecordingOff(t *testing.T) {
	p := start(t, "run", "--record", "off", "--", "peer", "echo")
	p.say(update(1, 1))
	if rest, code := p.finish(); rest != "" || code != 0 || p.errs.String() != "" {
		t.Errorf("rest %q, exit status %d, stderr %q", rest, code, p.errs)
	}
	if _, err := os.Stat(filepath.Dir(p.state)); err == nil {
		t.Errorf("something was made in %s", p.state)
	}
}

// Without a recording that is required the agent is not even started.
func TestRequiredRecordingCannotBegin(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, flags := range [][]string{{"--record", "/dev/full"}, {"--record-dir", filepath.Join(file, "below")}} {
		started := filepath.Join(dir, "started")
		p := start(t, append(append([]string{"run", "--record-required"}, flags...), "--", "touch", started)...)
		out, code := p.finish()
		if out != "" || code != 125 {
			t.Errorf("%v: stdout %q, exit status %d; want nothing and 125", flags, out, code)
		}
		if says := p.errs.String(); !strings.Contains(says, "recording failed, and it is required") || strings.Count(says, "\n") != 1 {
			t.Errorf("%v: stderr %q", flags, says)
		}
		if _, err := os.Stat(started); err == nil {
			t.Errorf("%v: the agent was started", flags)
		}
	}
}

// While a required recording hangs before the agent is started we can be ended,
// and end when the editor is gone.
func TestRequiredRecordingHangs(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  func(*process)
		code int
	}{
		{"signal", func(p *process) { p.Process.Signal(syscall.SIGTERM) }, 143},
		{"editor gone", func(p *process) { p.in.Close(); p.outEnd.Close() }, 141},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			fifo, started := filepath.Join(dir, "fifo"), filepath.Join(dir, "started")
			if err := unix.Mkfifo(fifo, 0o600); err != nil {
				t.Fatal(err)
			}
			full, err := unix.Open(fifo, unix.O_RDWR|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
			if err != nil {
				t.Fatal(err)
			}
			defer unix.Close(full)
			for err == nil {
				_, err = unix.Write(full, make([]byte, 4096))
			}
			p := start(t, "run", "--record-required", "--record", fifo, "--", "touch", started)
			until(t, "the recording to be open", func() bool {
				open, _ := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", p.Process.Pid))
				return slices.ContainsFunc(open, func(fd string) bool { to, _ := os.Readlink(fd); return to == fifo })
			})
			tt.end(p)
			if code := p.exit(); code != tt.code {
				t.Errorf("exit status %d, want %d", code, tt.code)
			}
			if _, err := os.Stat(started); err == nil {
				t.Error("the agent was started")
			}
		})
	}
}

// From the moment a required recording fails, no byte passes.
func TestRequiredRecordingFails(t *testing.T) {
	t.Parallel()
	heard := filepath.Join(t.TempDir(), "heard")
	p := prepare(t, "run", "--record-required", "--", "tee", heard)
	mark := p.mark()
	p.begin()
	for i := range 10 {
		p.say(update(i, 10))
		if !strings.Contains(p.recording(), fmt.Sprintf(`"n":%d,`, i)) {
			t.Errorf("frame %d passed before its record was there", i)
		}
	}
	p.limit(size(t, p.recordings()[0]))
	p.send(update(10, 10))
	if rest := p.rest(); rest != "" {
		t.Errorf("%q passed", rest)
	}
	if code := p.exit(); code != 125 {
		t.Errorf("exit status %d, want 125", code)
	}
	if says := p.errs.String(); !strings.Contains(says, "recording failed, and it is required") || strings.Count(says, "\n") != 1 {
		t.Errorf("stderr %q", says)
	}
	if got := content(t, heard); strings.Contains(got, `"n":10,`) {
		t.Error("the agent got a frame that has no record")
	}
	nothingLeft(t, mark)
}

// What passed is in the recording although we are killed.
func TestRecordingOfAKilledProxy(t *testing.T) {
	p := start(t, "run", "--", "peer", "echo")
	for i := range 100 {
		p.say(update(i, 100))
	}
	file := contains(t, filepath.Join(p.state, "*.jsonl"), `"n":99,`)
	p.Process.Kill()
	p.exit()
	all := eventsIn(t, content(t, file))
	complete(t, all)
	if n := len(frames(all)); n < 199 {
		t.Errorf("%d frames in the recording", n)
	}
	if s := all[0].Start; s == nil || s.PID != p.Process.Pid {
		t.Errorf("the recording begins with %+v, want our process id %d", s, p.Process.Pid)
	}
}
