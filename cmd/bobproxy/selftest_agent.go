package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"time"

	"bobproxy/lab/probe"
)

// likeWithout are checked with an agent of the user's, one after the other: the
// first one is whether there is anything to check.
var likeWithout = []trial{
	{"agent", "it opens a session, or wants a login", tryAgent},
	{"bytes", "what it answers arrives to the byte", trySameBytes},
	{"itself", "it says the same of itself through bobproxy", trySameAgent},
	{"exit status", "it ends with its stdin, and with the same status", trySameEnd},
	{"tail", "what it says when it ends arrives", trySameTail},
	{"stderr", "what it writes to stderr arrives", trySameStderr},
	{"recording", "it reads back, complete", tryAgentRecorded},
	{"survivors", "nothing of it survives when we are killed", tryAgentSurvivors},
}

// runs are what the user's agent did each time it was started.
type runs struct {
	alone, behind []probe.Report // without bobproxy, and through it
	recordings    []string       // of the latter
}

// mostStarts is how often an agent is started through bobproxy at most. One that
// does something else each time may need more than one.
const mostStarts = 3

// endTime is how long an agent may take to end when its stdin has ended.
const endTime = 5 * time.Second

// options probe the agent, alone or behind a command. It has no settings of ours
// from the environment, and meets no other proxies.
func (b *bench) options(front ...string) probe.Options {
	o := probe.Options{
		Command: append(front, b.argv...), Dir: filepath.Join(b.dir, "work"), Protocol: 1,
		Settle: settleTime, Grace: endTime, Version: version,
	}
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, "BOBPROXY_") {
			o.Env = append(o.Env, name+"=")
		}
	}
	o.Env = append(o.Env, "BOBPROXY_RUNTIME_DIR="+filepath.Join(b.dir, "rt"))
	return o
}

// through is the proxy in front of a command, recording to a new file.
func (b *bench) through() (front []string, record string) {
	record = filepath.Join(b.dir, newInstance()+".jsonl")
	return []string{b.self, "run", "--record", record, "--"}, record
}

// again starts the agent through bobproxy and alone. What goes with the time
// alone is the same in between when it is the same before and after.
func (b *bench) again(ctx context.Context) error {
	front, record := b.through()
	behind, err := probe.Run(ctx, b.options(front...))
	if err != nil {
		return err
	}
	alone, err := probe.Run(ctx, b.options())
	if err != nil {
		return err
	}
	b.alone, b.behind = append(b.alone, alone), append(b.behind, behind)
	b.recordings = append(b.recordings, record)
	return nil
}

// tryAgent says whether the agent can be checked at all.
func tryAgent(ctx context.Context, b *bench) error {
	r, err := probe.Run(ctx, b.options())
	switch {
	case err != nil:
		return err
	case r.Problem != "":
		return fmt.Errorf("without bobproxy: %s; %s%s", r.Problem, ended(r), inStderr(r.Stderr))
	}
	b.alone = append(b.alone, r)
	if r.AuthRequired {
		return noted("it wants a login first, so what it does with a session is not seen")
	}
	return nil
}

// ended is how an agent ended, for a comparison.
func ended(r probe.Report) string {
	if r.Killed {
		return "it did not end with its stdin"
	}
	return fmt.Sprintf("it ended with status %d", r.Status)
}

func inStderr(stderr string) string {
	if last := lastLine(stderr); last != "" {
		return "; stderr: " + last
	}
	return ""
}

// alike compares what an agent shows through bobproxy and alone, as far as that
// is the same each time it is alone.
func (b *bench) alike(ctx context.Context, shown func(probe.Report) []string) error {
	if len(b.alone) == 0 {
		return skipped("the agent cannot be checked")
	}
	for {
		if len(b.behind) > 0 {
			err := b.compare(shown)
			if err == nil || errors.As(err, new(noted)) || len(b.behind) == mostStarts {
				return err
			}
		}
		if err := b.again(ctx); err != nil {
			return err
		}
	}
}

// compare is nil when one of the runs through bobproxy shows what all of those
// without it show.
func (b *bench) compare(shown func(probe.Report) []string) error {
	first := shown(b.alone[0])
	same := make([]bool, len(first))
	for i := range same {
		same[i] = true
	}
	for _, r := range b.alone[1:] {
		other := shown(r)
		if len(other) != len(first) {
			return noted("it is not the same from run to run without bobproxy either")
		}
		for i := range first {
			same[i] = same[i] && first[i] == other[i]
		}
	}
	if len(first) > 0 && !slices.Contains(same, true) {
		return noted("it is not the same from run to run without bobproxy either")
	}
	var err error
	for _, r := range b.behind {
		if err = unlikeness(shown(r), first, same); err == nil {
			return nil
		}
	}
	return err
}

// unlikeness is the first place where what was shown through bobproxy is not
// what is shown without it.
func unlikeness(with, without []string, same []bool) error {
	for i := range without {
		switch {
		case i == len(with):
			return fmt.Errorf("%s and what follows is missing through bobproxy", summed(without[i]))
		case same[i] && with[i] != without[i]:
			return fmt.Errorf("%s through bobproxy, and %s without", summed(with[i]), summed(without[i]))
		}
	}
	if len(with) > len(without) {
		return fmt.Errorf("%s is there only through bobproxy", summed(with[len(without)]))
	}
	return nil
}

// summed is a text in short, for a complaint.
func summed(text string) string { return text[:min(len(text), 200)] }

func trySameBytes(ctx context.Context, b *bench) error {
	return b.alike(ctx, func(r probe.Report) []string {
		return slices.Concat(jsonWords(r.Hello), []string{"\n"}, jsonWords(r.Opened))
	})
}

// mostWords is how many words of a text are told apart.
const mostWords = 200_000

// jsonWords cuts a text into strings of JSON, whole numbers and names, and single
// bytes. Together they are the text.
func jsonWords(text []byte) (all []string) {
	for len(text) > 0 && len(all) < mostWords {
		n := wordLength(text)
		all, text = append(all, string(text[:n])), text[n:]
	}
	if len(text) > 0 {
		all = append(all, string(text))
	}
	return all
}

func wordLength(text []byte) int {
	if text[0] == '"' {
		for i := 1; i < len(text); i++ {
			switch text[i] {
			case '\\':
				i++
			case '"':
				return i + 1
			}
		}
		return len(text)
	}
	n := slices.IndexFunc(text, func(c byte) bool {
		return !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '.' || c == '-' || c == '+' || c >= 0x80)
	})
	if n < 0 {
		return len(text)
	}
	return max(n, 1)
}

// trySameAgent compares what the answers and updates mean.
func trySameAgent(ctx context.Context, b *bench) error {
	return b.alike(ctx, func(r probe.Report) (all []string) {
		r.Command, r.Took, r.Session, r.Stderr, r.Updates, r.Ending, r.Status, r.Killed = nil, probe.Took{}, "", "", 0, "", 0, false
		v := reflect.ValueOf(r)
		for i := range v.NumField() {
			name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ",")
			if name != "-" {
				value, err := json.Marshal(v.Field(i).Interface())
				all = append(all, fmt.Sprintf("%s is %s", name, errorOr(string(value), err)))
			}
		}
		return all
	})
}

func errorOr(text string, err error) string {
	if err != nil {
		return err.Error()
	}
	return text
}

func trySameEnd(ctx context.Context, b *bench) error {
	err := b.alike(ctx, func(r probe.Report) []string { return []string{ended(r)} })
	if err == nil && b.alone[0].Killed {
		return noted(fmt.Sprintf("it does not end within %s of its stdin, with and without bobproxy", endTime))
	}
	return err
}

func trySameTail(ctx context.Context, b *bench) error {
	return b.alikeText(ctx, func(r probe.Report) []byte { return r.Last })
}

func trySameStderr(ctx context.Context, b *bench) error {
	return b.alikeText(ctx, func(r probe.Report) []byte { return []byte(r.Stderr) })
}

func (b *bench) alikeText(ctx context.Context, text func(probe.Report) []byte) error {
	err := b.alike(ctx, func(r probe.Report) []string { return jsonWords(text(r)) })
	if err == nil && len(text(b.alone[0])) == 0 {
		return noted("it says nothing there, with and without bobproxy")
	}
	return err
}

func tryAgentRecorded(_ context.Context, b *bench) error {
	if len(b.recordings) == 0 {
		return skipped("the agent cannot be checked")
	}
	for _, file := range b.recordings {
		p := proxied{record: file}
		events, err := p.events()
		if err != nil {
			return err
		}
		if err := wholeRecording(events); err != nil {
			return err
		}
	}
	return nil
}

// tryAgentSurvivors kills the proxy of an agent that has opened a session.
func tryAgentSurvivors(ctx context.Context, b *bench) error {
	switch {
	case len(b.alone) == 0:
		return skipped("the agent cannot be checked")
	case runtime.GOOS != "linux":
		return skipped("only Linux lets us promise that")
	}
	front, _ := b.through()
	o := b.options(front...)
	var tree []live
	var killed error
	o.Then = func(pid int) {
		tree = treeOf(pid)
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		killed = err
	}
	r, err := probe.Run(ctx, o)
	switch {
	case err != nil || killed != nil:
		return errors.Join(err, killed)
	case r.Problem != "":
		return errors.New("through bobproxy: " + r.Problem)
	case len(tree) < 2:
		return skipped("the agent had ended by itself")
	}
	return goneAll(ctx, tree)
}
