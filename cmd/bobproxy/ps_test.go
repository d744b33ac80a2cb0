package main

import (
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/proxy/control"
)

func TestPs(t *testing.T) {
	out, errs, code := office().call(t, "ps")
	if code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	golden(t, "testdata/ps.golden", out)
}

func TestPsJSON(t *testing.T) {
	out, errs, code := office().call(t, "ps", "--json")
	if code != exitDone || errs != "" {
		t.Errorf("exit status %d, stderr %q", code, errs)
	}
	golden(t, "testdata/ps.json.golden", out)
}

func TestNothingRuns(t *testing.T) {
	for args, want := range map[string]string{
		"ps":             "no proxy is running; an editor starts one with: bobproxy acp",
		"ps --json":      `{"proxies":[]}` + "\n",
		"pending":        "no proxy is running; an editor starts one with: bobproxy acp",
		"pending --json": `{"pending":[]}` + "\n",
	} {
		out, errs, code := new(fleet).call(t, strings.Fields(args)...)
		if code != exitDone || errs != "" || !strings.HasPrefix(out, want) {
			t.Errorf("%s: exit status %d, stderr %q, stdout %q, want %q", args, code, errs, out, want)
		}
	}
}

func TestRunningButNotAsking(t *testing.T) {
	f := office()
	f.states = f.states[:1]
	out, _, code := f.call(t, "pending")
	if want := "no permission request is waiting (at 1 proxy; to wait: bobproxy pending --wait)\n"; out != want || code != exitDone {
		t.Errorf("exit status %d, got %q, want %q", code, out, want)
	}
	if out, _, _ := f.call(t, "ps"); !strings.Contains(out, "\nno session yet\n") {
		t.Errorf("got %q", out)
	}
}

// A proxy that says nothing costs its time once, however many there are, and
// the others are shown.
func TestSilentProxies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := office()
		f.hung, f.ended, f.errs = map[string]bool{"hang1": true, "hang2": true}, map[string]bool{"gone1": true}, map[string]error{"sick1": errors.New("it \x1b[2J speaks\nin tongues")}
		for _, instance := range []string{"hang1", "hang2", "gone1", "sick1"} {
			f.states = append(f.states, control.State{Instance: instance})
		}
		f.troubles = []trouble{{Message: "/run/user/1/bobproxy is not ours"}}
		began := time.Now()
		out, errs, code := f.call(t, "ps")
		if took := time.Since(began); took != answerTime {
			t.Errorf("it took %v, want %v", took, answerTime)
		}
		const want = `bobproxy: /run/user/1/bobproxy is not ours
bobproxy: proxy hang1 did not answer within 2s; it may be stopped or overloaded
bobproxy: proxy hang2 did not answer within 2s; it may be stopped or overloaded
bobproxy: proxy sick1 cannot be asked: it ␛[2J speaks↵in tongues
`
		if code != exitDone || errs != want {
			t.Errorf("exit status %d, stderr:\n%s\nwant:\n%s", code, errs, want)
		}
		golden(t, "testdata/ps.golden", out)

		out, errs, code = f.call(t, "ps", "--json")
		if code != exitDone || errs != "" || !strings.Contains(out, `"problems":[{"message":"/run/user/1/bobproxy is not ours"},{"instance":"hang1","message":"proxy hang1 did`) {
			t.Errorf("exit status %d, stderr %q, stdout %s", code, errs, out)
		}
	})
}

func TestOnlySilentProxies(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f := &fleet{states: []control.State{{Instance: "hang1"}}, hung: map[string]bool{"hang1": true}}
		for _, command := range []string{"ps", "pending"} {
			if out, errs, code := f.call(t, command); out != "no other proxy is running\n" || lineCount(errs) != 1 || code != exitDone {
				t.Errorf("%s: exit status %d, stdout %q, stderr %q", command, code, out, errs)
			}
		}
	})
}

func TestManyProxies(t *testing.T) {
	f := new(fleet)
	for i := range 200 {
		one := office().states[1]
		one.Instance = "p" + string(rune('a'+i%26)) + string(rune('a'+i/26)) + "zz"
		one.Started = one.Started.Add(time.Duration(-i) * time.Hour)
		f.states = append(f.states, one)
	}
	out, _, code := f.call(t, "ps")
	if code != exitDone || !strings.Contains(out, "\n400 permission requests waiting for an answer; see: bobproxy pending\n") {
		t.Errorf("exit status %d, stdout %s", code, out)
	}
	first, last := strings.Index(out, "\nprhzz "), strings.Index(out, "\npaazz ")
	if first < 0 || last < first {
		t.Errorf("the oldest proxy is at %d, the newest at %d", first, last)
	}
}

func TestSpans(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0s", 59 * time.Second: "59s", time.Minute: "1m", 59 * time.Minute: "59m",
		time.Hour: "1h", 47 * time.Hour: "47h", 48 * time.Hour: "2d", 9000 * time.Hour: "375d",
	} {
		if got := lasted(d); got != want {
			t.Errorf("%v is %q, want %q", d, got, want)
		}
	}
}

// On a terminal no line is broken where a peer's words are in it.
func TestPsOnATerminal(t *testing.T) {
	f := office()
	f.states[1].Sessions[0].Title = strings.Repeat("統", 100)
	f.states[1].Sessions[0].Cwd = "/home/me" + strings.Repeat("/deeper", 20000) + "/api"
	var out strings.Builder
	r := &remote{proxies: f, now: func() time.Time { return noon }, out: &out, err: &out, width: 80, table: 80}
	if code := r.command(t.Context(), "ps", nil); code != exitDone {
		t.Errorf("exit status %d", code)
	}
	for line := range strings.Lines(out.String()) {
		if cells(strings.TrimSuffix(line, "\n")) > 80 && !strings.HasSuffix(line, "x-abcde.jsonl\n") && !strings.HasSuffix(line, "RECORDING\n") {
			t.Errorf("%d cells: %s", cells(line), line)
		}
	}
	golden(t, "testdata/ps-narrow.golden", out.String())
}

func TestEndsOfPaths(t *testing.T) {
	for text, want := range map[string]string{"": "-", "/a/b": "/a/b", "/12345678": "/12345678", "/123456789": "/123456789", "/home/me/api": "…me/me/api", "統統統統統統": "…統統統統"} {
		if got := tail(text, 10); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
}
