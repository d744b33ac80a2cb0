package proxy

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"bobproxy/acp"
	"bobproxy/acp/session"
	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
	"bobproxy/proxy/journal"
)

// attend is sit with a recording. When the play is over everything that was
// noted is held against what must always hold, and against what the recording
// says.
func attend(t *testing.T, p Policy, play func(x *table)) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "recording")
	var seen []journal.Event
	var live *session.Fold
	synctest.Test(t, func(t *testing.T) {
		x := seat(t, p, journal.Options{Path: file, Instance: "test"})
		_, watcher := x.relay.journal.Watch(100_000)
		defer func() {
			x.rise()
			for e := range watcher.Events() {
				seen = append(seen, e)
			}
			if err := watcher.Err(); err != nil {
				t.Error(err)
			}
		}()
		live = &x.relay.ledger.fold
		play(x)
	})
	oneDecisionEach(t, seen)
	readBack(t, file, seen, live)
}

// oneDecisionEach checks that no request is decided twice, that what is said of
// one request is always said of the same, and that every answer on the wire has
// its decision.
func oneDecisionEach(t *testing.T, seen []journal.Event) {
	t.Helper()
	opened, decided := map[string]journal.Event{}, map[string]bool{}
	for _, e := range seen {
		switch e.Type {
		case journal.OpenedEvent:
			if _, twice := opened[e.Decision.Request]; twice {
				t.Errorf("%s is opened twice", e.Decision.Request)
			}
			opened[e.Decision.Request] = e
		case journal.DecisionEvent:
			d := e.Decision
			o, known := opened[d.Request]
			if known && (string(o.ID) != string(e.ID) || o.Session != e.Session || o.Decision.Digest != d.Digest) {
				t.Errorf("%s is opened as %s of %q (%s) and decided as %s of %q (%s)",
					d.Request, o.ID, o.Session, o.Decision.Digest, e.ID, e.Session, d.Digest)
			}
			if !known && d.By != string(broker.ByBounds) {
				t.Errorf("%s is decided and was never opened", d.Request)
			}
			if !d.Late && decided[d.Request] {
				t.Errorf("%s is decided twice", d.Request)
			}
			decided[d.Request] = decided[d.Request] || !d.Late
		}
	}
}

// readBack checks that the recording says what was seen, and that folding it
// gives what the proxy knew.
func readBack(t *testing.T, file string, seen []journal.Event, live *session.Fold) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var fold session.Fold
	n := 0
	for e, err := range journal.Read(bytes.NewReader(text)) {
		if err != nil {
			t.Fatal(err)
		}
		if n == len(seen) {
			t.Fatalf("the recording has more than the %d events that were seen", n)
		}
		if want := seen[n]; !reflect.DeepEqual(asRecorded(e), asRecorded(want)) {
			t.Errorf("recorded\n  %+v %+v\nseen\n  %+v %+v", e, e.Decision, want, want.Decision)
		}
		n++
		var f acp.Frame
		if !e.Replay(&f) {
			continue
		}
		if fact := fold.Frame(e.Time, e.Dir, &f); fact.Method != e.Method {
			t.Errorf("record %d is of %q, and of %q when the recording is folded", e.Seq, e.Method, fact.Method)
		}
	}
	if n != len(seen) {
		t.Errorf("%d events are recorded, and %d were seen", n, len(seen))
	}
	sameFold(t, &fold, live)
}

// asRecorded is an event without what a recording leaves out on purpose.
func asRecorded(e journal.Event) journal.Event {
	if e.Decision != nil {
		d := *e.Decision
		d.Wait = d.Wait.Truncate(time.Millisecond)
		e.Decision = &d
	}
	e.Time = e.Time.UTC().Round(0)
	e.ID, e.Body = append([]byte{}, e.ID...), append([]byte{}, e.Body[:min(len(e.Body), 64<<10)]...)
	return e
}

// sameFold compares what two folds know.
func sameFold(t *testing.T, got, want *session.Fold) {
	t.Helper()
	view := func(f *session.Fold) (all []any) {
		for _, s := range f.Sessions() {
			s.Grant.Pin = nil // only the gate has it
			all = append(all, s)
		}
		client, agent := f.Peers()
		under, _ := f.Grants("")
		return append(all, f.Owed(acp.Client), f.Owed(acp.Agent), client, agent, f.Version(), len(under))
	}
	if got, want := view(got), view(want); !reflect.DeepEqual(got, want) {
		t.Errorf("the recording folds to\n  %+v\nand the wire to\n  %+v", got, want)
	}
}

// rulings are the decisions since the last look: of which id, by whom, what,
// and after how long.
func (x *table) rulings() (all []string) {
	x.t.Helper()
	for _, e := range x.happened(journal.DecisionEvent) {
		all = append(all, ruling(e))
	}
	return all
}

func ruling(e journal.Event) string {
	d := e.Decision
	words := []string{string(e.ID), d.By, d.Outcome, d.OptionID, d.OptionKind, d.Wait.String()}
	if d.Late {
		words = append(words, "late")
	}
	if p := d.Peer; p != nil {
		words = append(words, fmt.Sprintf("(%d %s %s)", p.PID, p.Exe, p.TTY))
	}
	return strings.Join(strings.Fields(strings.Join(words, " ")), " ")
}

func (x *table) recorded(want ...string) {
	x.t.Helper()
	if got := x.rulings(); strings.Join(got, "\n") != strings.Join(want, "\n") {
		x.t.Errorf("the decisions are\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(want, "\n  "))
	}
}

// flags are the reasons, or else the texts, of what was flagged since the last
// look.
func (x *table) flags() (all []string) {
	x.t.Helper()
	for _, e := range x.happened(journal.FlaggedEvent) {
		all = append(all, firstOf(e.Reason, e.Text))
	}
	return all
}

// open is what is pending.
func (x *table) open() []control.Pending { return x.host.State().Pending }

// openIDs are the ids of what is pending.
func (x *table) openIDs() (ids []string) {
	for _, p := range x.open() {
		ids = append(ids, string(p.ID))
	}
	return ids
}

func (x *table) pending(ids ...string) {
	x.t.Helper()
	if got := x.openIDs(); strings.Join(got, " ") != strings.Join(ids, " ") {
		x.t.Errorf("%q are pending, want %q", got, ids)
	}
}

// decide answers the open permission with this id.
func (x *table) decide(id string, d broker.Decision) broker.Ruling {
	x.t.Helper()
	for _, p := range x.open() {
		if string(p.ID) == id {
			d.Request, d.Digest = p.Request, p.Digest
			return x.answer(d)
		}
	}
	x.t.Fatalf("%s is not pending", id)
	return broker.Ruling{}
}

func (x *table) answer(d broker.Decision) broker.Ruling {
	if d.By == "" {
		d.By = broker.ByPanel
	}
	r := x.host.Decide(d)
	synctest.Wait()
	return r
}

// applied is decide that must work.
func (x *table) applied(id string, d broker.Decision) {
	x.t.Helper()
	if r := x.decide(id, d); r.Result != broker.Applied {
		x.t.Errorf("%s: %+v", id, r)
	}
}

func (x *table) refusedRuling(id string, d broker.Decision) {
	x.t.Helper()
	if r := x.decide(id, d); r.Result != broker.Refused || r.Text == "" {
		x.t.Errorf("%s: %+v, want refused with a word", id, r)
	}
}

func permitsIn(session, id string) string {
	return asks4(id, `"sessionId":"`+session+`","toolCall":{"toolCallId":"c"},"options":`+threeOptions)
}

func fails(id string, code int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":"no"}}`, id, code)
}

// Whoever answers first has answered, in every order of the four who can: the
// agent hears one answer, the others hear who was first, and the recording says
// so with the time that it took.
func TestFirstAnswerWins(t *testing.T) {
	const (
		editor = iota
		panel
		command
		clock
	)
	names := []string{"editor", "panel", "command", "clock"}
	peer := journal.Peer{PID: 77, Exe: "/bin/sh", TTY: "/dev/pts/1"}
	wins := []string{
		"7 editor selected yes allow_once 1s",
		"7 panel selected ever allow_always 1s",
		"7 command selected no reject_once 1s (77 /bin/sh /dev/pts/1)",
		"7 timeout selected no reject_once 2m0s",
	}
	told := []string{"yes", "ever", "no", "no"}
	by := []broker.By{broker.ByEditor, broker.ByPanel, broker.ByCommand, broker.ByTimeout}
	for _, order := range permutations(4) {
		var words []string
		for _, who := range order {
			words = append(words, names[who])
		}
		t.Run(strings.Join(words, ","), func(t *testing.T) {
			attend(t, Policy{}, func(x *table) {
				opened := time.Now()
				x.bob(permits("7"))
				x.editorHears(permits("7"))
				request := x.open()[0].Request
				winner := order[0]
				for i, who := range order {
					if who == clock {
						x.later(2*time.Minute - time.Since(opened)%(2*time.Minute))
					} else {
						x.later(time.Second)
					}
					var r broker.Ruling
					switch who {
					case editor:
						x.editor(selects("7", "yes"))
					case panel:
						r = x.answer(broker.Decision{Request: request, Option: "ever", Standing: true})
					case command:
						r = x.answer(broker.Decision{Request: request, Deny: true, By: broker.ByCommand, Peer: &peer})
					}
					wantResult := broker.TooLate
					switch {
					case i == 0:
						wantResult = broker.Applied
					case winner == clock:
						wantResult = broker.Expired
					}
					if who == editor || who == clock {
						continue
					}
					if r.Result != wantResult || i > 0 && (r.By != by[winner] || r.Option != told[winner]) {
						t.Errorf("the %s is told %+v, want %s by %s", names[who], r, wantResult, by[winner])
					}
				}
				x.bobHears(selects("7", told[winner]))
				want := []string{wins[winner]}
				if winner == editor {
					x.editorHears()
				} else {
					x.editorHears(withdraws("7"))
					late := "7 editor selected yes allow_once %s late"
					wait := time.Duration(0)
					for _, who := range order {
						if who == clock {
							wait = 2 * time.Minute
						} else {
							wait += time.Second
						}
						if who == editor {
							break
						}
					}
					want = append(want, fmt.Sprintf(late, wait))
				}
				x.pending()
				x.recorded(want...)
			})
		})
	}
}

func permutations(n int) (all [][]int) {
	if n == 0 {
		return [][]int{{}}
	}
	for _, shorter := range permutations(n - 1) {
		for at := range n {
			p := append(append([]int{}, shorter[:at]...), n-1)
			all = append(all, append(p, shorter[at:]...))
		}
	}
	return all
}

// Each of several answers reaches its own id, whoever gives it and in whatever
// order.
func TestSeveralPending(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("1"), permits("2"), permits("3"))
		x.editorHears(permits("1"), permits("2"), permits("3"))
		x.pending("1", "2", "3")
		x.applied("3", broker.Decision{Option: "yes"})
		x.bobHears(selects("3", "yes"))
		x.editorHears(withdraws("3"))
		x.editor(selects("1", "no"))
		x.bobHears(selects("1", "no"))
		x.pending("2")
		x.applied("2", broker.Decision{Deny: true})
		x.bobHears(selects("2", "no"))
		x.editorHears(withdraws("2"))
		x.editor(fails("2", -32800), selects("3", "no"))
		x.bobHears()
		x.recorded(
			"3 panel selected yes allow_once 0s",
			"1 editor selected no reject_once 0s",
			"2 panel selected no reject_once 0s",
			"2 editor error 0s late",
			"3 editor selected no reject_once 0s late",
		)
	})
}

// An answer that lasts is the agent's to remember: what else waits goes on
// waiting, and what the agent asks next is asked.
func TestAlwaysIsForOne(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("1"), permits("2"), permits("3"), permits("4"), permits("5"))
		x.client.heard()
		x.applied("2", broker.Decision{Option: "ever", Standing: true})
		x.bobHears(selects("2", "ever"))
		x.pending("1", "3", "4", "5")
		x.editor(selects("4", "ever"))
		x.bobHears(selects("4", "ever"))
		x.client.heard()
		x.bob(permits("6"))
		x.editorHears(permits("6"))
		x.pending("1", "3", "5", "6")
	})
}

// An agent that takes no notice of its answer gets no other one.
func TestAnswerIsNotRepeated(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("1"))
		x.applied("1", broker.Decision{Option: "yes"})
		x.bobHears(selects("1", "yes"))
		x.later(time.Hour)
		x.bobHears()
		x.pending()
		x.recorded("1 panel selected yes allow_once 0s")
	})
}

// Ids are tokens: a number is not the string of its digits, a string is what
// its escapes mean, and what the proxy adds repeats the token as it was spelled.
func TestIDs(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		const uuid, spelled = `"550e8400-e29b-41d4-a716-446655440000"`, `"a\u0062c"`
		asked := []string{permits("1"), permits(`"1"`), permits(uuid), permits(spelled), permits("9007199254740993"), permits("-5")}
		x.bob(asked...)
		x.editorHears(asked...)
		x.pending("1", `"1"`, uuid, spelled, "9007199254740993", "-5")
		x.applied(`"1"`, broker.Decision{Option: "yes"})
		x.bobHears(selects(`"1"`, "yes"))
		x.editorHears(withdraws(`"1"`))
		x.applied(spelled, broker.Decision{Option: "yes"})
		x.bobHears(selects(spelled, "yes"))
		x.editorHears(withdraws(spelled))
		x.editor(selects(`"abc"`, "no"), selects(uuid, "no"), selects("9007199254740993", "no"), selects("9007199254740992", "yes"))
		x.bobHears(selects(uuid, "no"), selects("9007199254740993", "no"), selects("9007199254740992", "yes"))
		x.pending("1", "-5")
		x.editor(selects("1", "no"))
		x.bobHears(selects("1", "no"))
	})
}

// Requests whose ids peers read differently pass and are the editor's alone;
// nothing is kept of them and no clock answers.
func TestOddIDs(t *testing.T) {
	for _, id := range []string{"1.0", "1e0", "true", "-0", "9223372036854775808", "{}", "[]", "null", "1.5", "[1]"} {
		t.Run(id, func(t *testing.T) {
			attend(t, Policy{PermissionTimeout: time.Second}, func(x *table) {
				x.bob(permits(id))
				x.editorHears(permits(id))
				x.pending()
				x.later(time.Hour)
				x.editorHears()
				x.bobHears()
				x.editor(selects(id, "yes"))
				x.bobHears(selects(id, "yes"))
				if got := x.flags(); len(got) != 1 || got[0] != "odd id" {
					t.Errorf("flagged %q", got)
				}
			})
		})
	}
}

// 1.0 is not 1: an answer to one is none to the other.
func TestOddIDIsNotItsNumber(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("1"), permits("1.0"))
		x.client.heard()
		x.applied("1", broker.Decision{Deny: true})
		x.bobHears(selects("1", "no"))
		x.editor(selects("1.0", "yes"), selects("1", "yes"))
		x.bobHears(selects("1.0", "yes"))
	})
}

// Editor and agent count their requests from the same number.
func TestBothSidesCountAlike(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		prompt := `{"jsonrpc":"2.0","id":3,"method":"session/prompt","params":{"sessionId":"s","prompt":[]}}`
		result := `{"jsonrpc":"2.0","id":3,"result":{"stopReason":"end_turn"}}`
		x.editor(prompt)
		x.bobHears(prompt)
		x.bob(permits("3"), result)
		x.editorHears(permits("3"), result)
		x.pending("3")
		x.applied("3", broker.Decision{Option: "yes"})
		x.bobHears(selects("3", "yes"))
		x.editorHears(withdraws("3"))
	})
}

// An id comes again while the editor owes the reply to the old request. What
// the editor says is taken for the old one's, unless it can do no harm.
func TestIDComesAgain(t *testing.T) {
	again := func(t *testing.T, play func(x *table)) {
		t.Helper()
		attend(t, Policy{PermissionTimeout: 10 * time.Second}, func(x *table) {
			x.bob(permits("0"))
			x.later(10 * time.Second)
			x.bobHears(selects("0", "no"))
			x.editorHears(permits("0"), withdraws("0"))
			x.bob(permits("0"))
			x.editorHears(permits("0"))
			x.pending("0")
			play(x)
		})
	}
	t.Run("a late allow is not for the new one", func(t *testing.T) {
		again(t, func(x *table) {
			x.editor(selects("0", "yes"))
			x.bobHears()
			x.pending("0")
			x.applied("0", broker.Decision{Option: "ever", Standing: true})
			x.bobHears(selects("0", "ever"))
			x.recorded("0 timeout selected no reject_once 10s", "0 editor selected yes allow_once 10s late", "0 panel selected ever allow_always 0s")
		})
	})
	t.Run("an error pays the debt, then the editor decides", func(t *testing.T) {
		again(t, func(x *table) {
			x.editor(fails("0", -32800))
			x.bobHears()
			x.pending("0")
			x.editor(selects("0", "yes"))
			x.bobHears(selects("0", "yes"))
			x.recorded("0 timeout selected no reject_once 10s", "0 editor error 10s late", "0 editor selected yes allow_once 0s")
		})
	})
	t.Run("so does cancelled, but it may be the new one's", func(t *testing.T) {
		again(t, func(x *table) {
			x.editor(cancels("0"), selects("0", "yes")) // or the reverse order of what was asked
			x.bobHears()
			x.pending("0")
			x.applied("0", broker.Decision{Option: "yes"})
			x.bobHears(selects("0", "yes"))
			x.editorHears()
			x.editor(selects("0", "yes"), cancels("0"))
			x.bobHears()
		})
	})
	t.Run("a rejection settles the new one", func(t *testing.T) {
		again(t, func(x *table) {
			x.editor(selects("0", "no"))
			x.bobHears(selects("0", "no"))
			x.pending()
			x.editor(selects("0", "yes"))
			x.bobHears()
		})
	})
	t.Run("nobody answers the new one either", func(t *testing.T) {
		again(t, func(x *table) {
			x.later(10 * time.Second)
			x.bobHears(selects("0", "no"))
			x.editor(selects("0", "yes"), selects("0", "yes"))
			x.bobHears()
		})
	})
	t.Run("without a time-out the new one gets a clock", func(t *testing.T) {
		attend(t, Policy{PermissionTimeout: Never}, func(x *table) {
			x.bob(permits("0"))
			x.applied("0", broker.Decision{Deny: true})
			x.bobHears(selects("0", "no"))
			x.bob(permits("0"))
			x.later(2*time.Minute - time.Millisecond)
			x.bobHears()
			x.later(time.Millisecond)
			x.bobHears(selects("0", "no"))
		})
	})
}

// Two requests are open under one id: only the editor can answer, its replies
// are taken in order, and the clock still ends each.
func TestTwoUnderOneID(t *testing.T) {
	two := []string{permits("7"), asks4("7", `"sessionId":"s","toolCall":{"toolCallId":"d"},"options":`+threeOptions)}
	attend(t, Policy{}, func(x *table) {
		x.bob(two...)
		x.editorHears(two...)
		x.pending("7", "7")
		for _, p := range x.open() {
			if p.Unanswerable == "" {
				t.Errorf("%s can be answered", p.Request)
			}
			for _, d := range []broker.Decision{{Option: "yes"}, {Number: 3}, {Deny: true}} {
				d.Request, d.Digest = p.Request, p.Digest
				if r := x.answer(d); r.Result != broker.Refused {
					t.Errorf("%+v", r)
				}
			}
		}
		x.bobHears()
		x.editor(selects("7", "yes"), selects("7", "no"))
		x.bobHears(selects("7", "yes"), selects("7", "no"))
		x.pending()
		x.recorded("7 editor selected yes allow_once 0s", "7 editor selected no reject_once 0s")
	})
	attend(t, Policy{}, func(x *table) { // the editor answers the second one first
		mine := asks4("7", `"sessionId":"s","toolCall":{"toolCallId":"d"},"options":[{"optionId":"mine","name":"N","kind":"allow_once"}]`)
		x.bob(permits("7"), mine)
		request := x.open()[0].Request
		x.editor(selects("7", "mine"))
		x.bobHears(selects("7", "mine"))
		if left := x.open(); len(left) != 1 || left[0].Request != request {
			t.Errorf("%+v are left, want %s", left, request)
		}
		x.editor(selects("7", "no"))
		x.bobHears(selects("7", "no"))
		x.recorded("7 editor selected mine allow_once 0s", "7 editor selected no reject_once 0s")
	})
	attend(t, Policy{PermissionTimeout: time.Minute}, func(x *table) {
		x.bob(two...)
		x.client.heard()
		x.later(time.Minute)
		x.bobHears(selects("7", "no"), selects("7", "no"))
		x.editor(selects("7", "yes"), selects("7", "yes"))
		x.bobHears()
	})
}

// Another request of the agent has the id: an answer of the proxy could be taken
// for one to that.
func TestIDOfAnotherMethod(t *testing.T) {
	attend(t, Policy{Bounds: Off}, func(x *table) {
		read := reads("7", "s", "/x")
		x.bob(read, permits("7"))
		x.editorHears(read, permits("7"))
		x.refusedRuling("7", broker.Decision{Option: "yes"})
		x.editor(`{"jsonrpc":"2.0","id":7,"result":{"content":"text"}}`)
		x.bobHears(`{"jsonrpc":"2.0","id":7,"result":{"content":"text"}}`)
		x.pending("7")
		x.editor(selects("7", "yes"))
		x.bobHears(selects("7", "yes"))
		x.pending()
		x.recorded("7 editor selected yes allow_once 0s")
	})
}

// The editor says it again, or takes it back: the first answer stands.
func TestAnsweredTwice(t *testing.T) {
	for name, second := range map[string]string{
		"the same":     selects("7", "yes"),
		"the opposite": selects("7", "no"),
		"an error":     fails("7", -32603),
		"cancelled":    cancels("7"),
	} {
		t.Run(name, func(t *testing.T) {
			attend(t, Policy{}, func(x *table) {
				x.bob(permits("7"))
				x.editor(selects("7", "yes"), second)
				x.bobHears(selects("7", "yes"))
				got := x.rulings()
				if len(got) != 2 || got[0] != "7 editor selected yes allow_once 0s" || !strings.HasSuffix(got[1], "late") {
					t.Errorf("%q", got)
				}
			})
		})
	}
}

// A second answer is noted with the rest of the frame's record as well.
func TestSwallowedIsRecordedWhole(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.applied("7", broker.Decision{Option: "no"})
		x.editor(selects("7", "yes"))
		frames := x.happened(journal.FrameEvent)
		last := frames[len(frames)-1]
		if last.Action != swallowed || string(last.Body) != selects("7", "yes") || last.Method != acp.MethodRequestPermission || last.Reason == "" {
			t.Errorf("%+v", last)
		}
		added := 0
		for _, e := range frames {
			if e.Added {
				added++
			}
		}
		if added != 2 {
			t.Errorf("%d frames are marked as added, want the answer and the withdrawal", added)
		}
	})
}

// An answer that disagrees with what the agent was told is told loudly; one that
// agrees is not.
func TestDisagreement(t *testing.T) {
	for late, loud := range map[string]bool{"yes": true, "no": false, "never-offered": true} {
		attend(t, Policy{}, func(x *table) {
			x.bob(permits("7"))
			x.applied("7", broker.Decision{Deny: true})
			x.editor(selects("7", late))
			x.agent.heard()
			if got := x.flags(); len(got) > 0 != loud {
				t.Errorf("%s: flagged %q", late, got)
			}
		})
	}
}

// A panel that answers with an id that was not offered, an old digest, or no
// option at all has answered nothing.
func TestRefusedRulings(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("7"))
		x.client.heard()
		for _, d := range []broker.Decision{
			{Option: "cancel"}, {Number: 4}, {Number: -1}, {}, {Number: 1, Option: "no"}, {Option: "ever"}, {Option: "yes", DenyOnly: true},
			{Deny: true, Option: "yes"},
		} {
			x.refusedRuling("7", d)
		}
		if r := x.answer(broker.Decision{Request: x.open()[0].Request, Digest: "0123", Option: "yes"}); r.Result != broker.Refused {
			t.Errorf("another digest: %+v", r)
		}
		if r := x.answer(broker.Decision{Request: "test:99", Option: "yes"}); r.Result != broker.Unknown {
			t.Errorf("another request: %+v", r)
		}
		x.bobHears()
		x.editorHears()
		x.pending("7")
		x.applied("7", broker.Decision{Option: "no", DenyOnly: true})
		x.bobHears(selects("7", "no"))
	})
}

// The editor owes as many answers as anybody will wait for: the surplus is
// answered, and not asked.
func TestTooManyPermissions(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		for i := range broker.MaxOwed {
			x.bob(permits(fmt.Sprint(i)))
		}
		x.client.heard()
		x.bob(permits("5000"), permits("5001"))
		x.editorHears()
		x.bobHears(cancels("5000"), cancels("5001"))
		x.recorded("5000 bounds cancelled 0s", "5001 bounds cancelled 0s")
		x.editor(selects("0", "no"))
		x.bobHears(selects("0", "no"))
		x.bob(permits("5002"))
		x.editorHears(permits("5002"))
		if n := len(x.open()); n != broker.MaxOwed {
			t.Errorf("%d are pending", n)
		}
	})
}

// One end of the conversation leaves: nobody waits any more.
func TestGone(t *testing.T) {
	attend(t, Policy{}, func(x *table) {
		x.bob(permits("1"), permits("2"))
		x.editor(selects("1", "yes"))
		x.later(3 * time.Second)
		request := x.open()[0].Request
		x.relay.ledger.gone()
		x.pending()
		x.recorded("1 editor selected yes allow_once 0s", "2 gone 3s")
		if r := x.answer(broker.Decision{Request: request, Option: "yes"}); r.Result != broker.Expired || r.By != broker.ByGone {
			t.Errorf("%+v", r)
		}
		x.bobHears(selects("1", "yes"))
	})
}

// With dialogs kept the editor is told nothing and its answer is swallowed all
// the same.
func TestKeptDialogs(t *testing.T) {
	attend(t, Policy{KeepDialogs: true}, func(x *table) {
		x.bob(permits("7"))
		x.editorHears(permits("7"))
		x.applied("7", broker.Decision{Option: "yes"})
		x.bobHears(selects("7", "yes"))
		x.editorHears()
		x.editor(selects("7", "no"))
		x.bobHears()
	})
}
