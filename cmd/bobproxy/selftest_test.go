//go:build linux

package main

import (
	"encoding/json"
	"os"
	"testing"
)

func TestSelftest(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	p := prepare(t, "selftest", "--json")
	p.begin()
	out, code := p.finish()
	var d selftestDocument
	if err := json.Unmarshal([]byte(out), &d); err != nil || code != exitDone || !d.OK || len(d.Checks) != len(promises) {
		t.Fatalf("exit status %d, %v: %s", code, err, out)
	}
	for _, c := range d.Checks {
		if c.Result != kept {
			t.Errorf("%s: %s, %s", c.Name, c.Result, c.Why)
		}
	}
	if left, _ := os.ReadDir(os.Getenv("TMPDIR")); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

// A check that fails is told, and is the exit status.
func TestSelftestFails(t *testing.T) {
	broken := trialResult{Name: "bytes", Promise: "what is said arrives", Result: unkept, Why: "it does not", TookMs: 12}
	d := selftestDocument{Checks: []trialResult{broken, {Name: "full disk", Promise: "holds up nothing", Result: notRun, Why: "no such thing here"}}, TookMs: 1500}
	same := trialResult{Name: "slow panel", Promise: "holds up nothing as well", Result: notRun, Why: d.Checks[1].Why}
	golden(t, "testdata/selftest.golden", broken.text(80)+d.Checks[1].text(80)+same.after(same.Why).text(80)+d.summary())
	b, err := newBench([]string{"false"})
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(b.dir)
	for _, tt := range []trial{promises[0], promises[4], promises[9], promises[10]} {
		b.self = "/bin/false" // instead of a proxy
		if r := tt.make(t.Context(), b); r.Result != unkept || r.Why == "" {
			t.Errorf("%s without a proxy: %+v", tt.name, r)
		}
	}
}

func TestSelftestComplains(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
	}{{[]string{"goose"}, exitUsage}, {[]string{"--"}, exitUsage}, {[]string{"--", "no-such-agent"}, 127}} {
		if out, errs, code := tell(t, append([]string{"selftest"}, tt.args...)...); code != tt.code || out != "" || errs == "" {
			t.Errorf("%q: exit status %d, stdout %q, stderr %q", tt.args, code, out, errs)
		}
	}
}
