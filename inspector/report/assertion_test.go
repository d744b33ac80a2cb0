package report_test

import (
	"errors"
	"iter"
	"strings"
	"testing"

	"bobproxy/inspector/conform"
	"bobproxy/inspector/report"
	"bobproxy/proxy/journal"
)

func plainEvents(text string) iter.Seq2[journal.Event, error] {
	return conform.PlainEvents(strings.NewReader(text))
}

func TestAssertions(t *testing.T) {
	r := measured(t, oneTurn().text(), "")
	for _, test := range []struct {
		text string
		want string
	}{
		{"p90(session/prompt) < 5s", "holds  p90(session/prompt) < 5s: 700 ms"},
		{"p50(first-token)<=100ms", "holds  p50(first-token)<=100ms: 100 ms"},
		{"p99(first-token)<100ms", "fails  p99(first-token)<100ms: 100 ms"},
		{"max( turn ) >= 0.7s", "holds  max( turn ) >= 0.7s: 700 ms"},
		{"max(turn) > 1m", "fails  max(turn) > 1m: 700 ms"},
		{"min(tool:edit) = 20ms", "holds  min(tool:edit) = 20ms: 20 ms"},
		{"sum(permission:client) = 0.5s", "holds  sum(permission:client) = 0.5s: 500 ms"},
		{"count(tool:execute) = 0", "holds  count(tool:execute) = 0: 0"},
		{"count(errors) = 0", "holds  count(errors) = 0: 0"},
		{"count(unanswered) < 1", "holds  count(unanswered) < 1: 0"},
		{"count(_my.org/do) = 0", "holds  count(_my.org/do) = 0: 0"},
		{"count(org/do) = 0", "holds  count(org/do) = 0: 0"},
		{"count(tool:_odd) = 0", "holds  count(tool:_odd) = 0: 0"},
		{"count(gap) = 2", "holds  count(gap) = 2: 2"},
		{"sum(session/load) <= 0", "holds  sum(session/load) <= 0: 0"},
		{"p50(session/load) < 1s", "fails  p50(session/load) < 1s: was never measured"},
		{"max(bytes:session/prompt) < 1K", "holds  max(bytes:session/prompt) < 1K: 89 B"},
		{"sum(bytes:session/update) < 1b", "fails  sum(bytes:session/update) < 1b: 797 B"},
		{"sum(bytes:session/update) < 1m", "holds  sum(bytes:session/update) < 1m: 797 B"},
	} {
		a, err := report.ParseAssertion(test.text)
		if err != nil {
			t.Errorf("%s: %v", test.text, err)
			continue
		}
		if got := r.Judge(a).String(); got != test.want {
			t.Errorf("got %q, want %q", got, test.want)
		}
	}
}

func TestWrongAssertions(t *testing.T) {
	for _, test := range []struct {
		text string
		at   int
	}{
		{"", 1},
		{"p95(turn) < 1s", 1},
		{"p90 turn < 1s", 5},
		{"p90() < 1s", 5},
		{"p90(bytes) < 1k", 5},
		{"p90(tool:) < 1s", 5},
		{"p90(turn < 1s", 14},
		{"p90(turn) ! 1s", 11},
		{"p90(turn) <", 12},
		{"p90(turn) < 5", 14},
		{"p90(turn) < 5k", 14},
		{"p90(turn) < 1.2.3s", 13},
		{"p90(turn) < 5s or so", 16},
		{"count(turn) < 5s", 16},
		{"max(bytes:session/update) < 5s", 30},
	} {
		_, err := report.ParseAssertion(test.text)
		var wrong *report.SyntaxError
		if !errors.As(err, &wrong) || wrong.At != test.at || wrong.Want == "" {
			t.Errorf("%q: got %v, want one at %d", test.text, err, test.at)
		}
	}
}

// What nobody can have meant is not taken for what never happened.
func TestMisspeltMeasures(t *testing.T) {
	for _, test := range []struct {
		text string
		at   int
		want string
	}{
		{"count(error)=0", 7, "expected errors, or a method of ACP or an extension, or one of first-token turn tool "},
		{"count(nosuch)=0", 7, "expected a method of ACP or an extension, or one of first-token"},
		{"count(tool:exec)=0", 7, "expected tool:execute, or tool: and one of read edit"},
		{"count(tool:excute)=0", 7, "expected tool:execute, or tool:"},
		{"count(tools)=0", 7, "expected tool, or "},
		{"count(permission:editr)=0", 7, "expected permission:editor, or permission: and one of client editor panel"},
		{"count(session/lod)=0", 7, "expected session/load, or "},
		{"count(sesion/prompt)=0", 7, "expected session/prompt, or "},
		{"max(bytes:session/updat)<1k", 5, "expected session/update, or a method"},
		{"max(bytes:nosuch)<1k", 5, "expected a method of ACP or an extension"},
		{"p90(errors)<1s", 1, "expected count, since errors are only counted"},
	} {
		_, err := report.ParseAssertion(test.text)
		var wrong *report.SyntaxError
		if !errors.As(err, &wrong) || wrong.At != test.at || !strings.Contains(wrong.Error(), test.want) {
			t.Errorf("%q: got %v, want one at %d that has %q", test.text, err, test.at, test.want)
		}
	}
}

func FuzzParseAssertion(f *testing.F) {
	f.Add("p90(session/prompt) < 5s")
	f.Add("max(bytes:session/update)<=1.5k")
	f.Fuzz(func(t *testing.T, text string) {
		a, err := report.ParseAssertion(text)
		var wrong *report.SyntaxError
		switch {
		case errors.As(err, &wrong):
			if wrong.At < 1 || wrong.At > len(text)+1 {
				t.Errorf("%q: %v", text, err)
			}
		case err != nil:
			t.Errorf("%q: %v", text, err)
		default:
			if again, ok := report.ParseMeasure(a.Measure.String()); !ok || again != a.Measure {
				t.Errorf("%q: %q is read as %v", text, a.Measure.String(), again)
			}
		}
	})
}
