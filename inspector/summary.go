package inspector

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/clean"
	"bobproxy/acp/session"
	"bobproxy/proxy/journal"
)

// Summary is a recording in a few lines.
type Summary struct {
	Frames   map[acp.Direction]int
	Bytes    map[acp.Direction]int64
	Late     int // answers that chose something when it was settled already
	Closed   int // dialogs that the editor closed when it was settled already
	Stray    int // answers that nobody waited for
	Stopped  int // frames that were refused or withheld
	Odd      int // other frames that were flagged
	Asked    int // permission requests
	Open     int // requests of both sides that got no answer
	Missing  uint64
	Damaged  int // lines of the recording that cannot be read
	Slowest  []Answer
	ExitCode int
	Ended    bool // ExitCode is known
}

// Answer is how long a request waited for its answer.
type Answer struct {
	Method string
	Waited time.Duration
}

const slowest = 3 // answers that a summary names

// Summarise reads a recording to its end.
func Summarise(recording io.Reader) Summary {
	s := Summary{Frames: map[acp.Direction]int{}, Bytes: map[acp.Direction]int64{}}
	var fold session.Fold
	for event, err := range journal.Read(recording) {
		if err != nil {
			s.Damaged++
			continue
		}
		switch event.Type {
		case journal.FrameEvent:
			s.frame(&fold, event)
		case journal.DecisionEvent:
			s.decided(event.Decision)
		case journal.GapEvent:
			s.Missing += event.Gap.Count
		case journal.ExitEvent:
			s.ExitCode, s.Ended = event.Exit.Status, true
		}
	}
	s.Open = fold.Owed(acp.Client) + fold.Owed(acp.Agent)
	return s
}

func (s *Summary) frame(fold *session.Fold, e journal.Event) {
	s.Frames[e.Dir]++
	s.Bytes[e.Dir] += e.Bytes
	s.flagged(e)
	if e.Kind == acp.Request && e.Method == acp.MethodRequestPermission {
		s.Asked++
	}
	var f acp.Frame
	if !e.Replay(&f) {
		return
	}
	if fact := fold.Frame(e.Time, e.Dir, &f); fact.Paired {
		s.Slowest = append(s.Slowest, Answer{fact.Method, fact.Waited})
		slices.SortStableFunc(s.Slowest, func(a, b Answer) int { return int(b.Waited - a.Waited) })
		s.Slowest = s.Slowest[:min(len(s.Slowest), slowest)]
	}
}

// decided looks whether the reply that was swallowed right before was an answer
// at all.
func (s *Summary) decided(d *journal.Decision) {
	if d != nil && d.Closes() {
		s.Late, s.Closed = max(s.Late-1, 0), s.Closed+1
	}
}

// flagged counts a frame that something is to be said about.
func (s *Summary) flagged(e journal.Event) {
	answer := e.Kind == acp.Response || e.Kind == acp.Error
	switch {
	case e.Reason == "":
	case e.Action == "swallowed":
		s.Late++
	case e.Action != "":
		s.Stopped++
	case answer && e.Reason == "answers no request":
		s.Stray++
	default:
		s.Odd++
	}
}

// String is the summary as lines of text.
func (s Summary) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%d frames from the client (%s), %d from the agent (%s); %s\n",
		s.Frames[acp.Client], size(s.Bytes[acp.Client]), s.Frames[acp.Agent], size(s.Bytes[acp.Agent]),
		count(s.Asked, "permission request"))
	if len(s.Slowest) > 0 {
		b.WriteString("slowest answers:")
		for i, a := range s.Slowest {
			fmt.Fprintf(&b, "%s %s %s", strings.Repeat(",", min(i, 1)), clean.Line(a.Method), a.Waited.Round(100*time.Microsecond))
		}
		b.WriteByte('\n')
	}
	for _, row := range []struct {
		n    int
		what string
	}{
		{s.Open, "request without an answer"},
		{s.Late, "answer that came too late"},
		{s.Closed, "dialog closed by the editor, as asked"},
		{s.Stray, "answer that nobody waited for"},
		{s.Stopped, "frame stopped by the proxy"},
		{s.Odd, "odd frame"},
		{int(s.Missing), "record missing"},
		{s.Damaged, "line that cannot be read"},
	} {
		if row.n > 0 {
			fmt.Fprintln(&b, count(row.n, row.what))
		}
	}
	if s.Ended {
		fmt.Fprintf(&b, "the agent ended with %d\n", s.ExitCode)
	}
	return b.String()
}

// count puts the plural on the first word of what, where English has it.
func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	noun, rest, more := strings.Cut(what, " ")
	switch noun {
	case "permission", "odd": // the noun is the second word
		return fmt.Sprintf("%d %ss", n, what)
	}
	if more {
		rest = " " + rest
	}
	return fmt.Sprintf("%d %ss%s", n, noun, rest)
}

func size(n int64) string {
	switch {
	case n < 10<<10:
		return fmt.Sprintf("%d B", n)
	case n < 10<<20:
		return fmt.Sprintf("%d KiB", n>>10)
	}
	return fmt.Sprintf("%d MiB", n>>20)
}
