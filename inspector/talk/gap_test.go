package talk_test

import (
	"strings"
	"testing"

	"bobproxy/acp/session"
	"bobproxy/inspector/keys"
	"bobproxy/inspector/model"
	"bobproxy/proxy/journal"
)

func TestEventsThatWereNotHeardAreTold(t *testing.T) {
	for _, tt := range []struct {
		name, recording string
		link            model.Link
		n               uint64
		begun           bool
		want            string // in the first item; empty: nothing
	}{
		{"recorded", "/r.jsonl", model.Live, 40469, false, "… 40469 older events are not kept here; the recording has them"},
		{"one", "/r.jsonl", model.Live, 1, false, "… 1 older event is not kept here; the recording has it"},
		{"not recorded", "", model.Live, 40469, false, "… 40469 older events are no longer kept"},
		{"of a file", "", model.Recorded, 40469, false, "… 40469 older events are not in the file"},
		{"of a session that began later", "/r.jsonl", model.Live, 40469, true, ""},
		{"none", "/r.jsonl", model.Live, 0, false, ""},
	} {
		for _, width := range []int{30, 50, 100} {
			b := newBuilder()
			b.p.State.Recording, b.p.Link, b.p.Dropped, b.p.Unheard, b.s.Begun = tt.recording, tt.link, tt.n+7, tt.n, tt.begun
			b.say(session.AgentMessage, 5, "and so on")
			tl, c := timelineOf(b), seenBy(b.m, 100)
			got := strings.Join(strings.Fields(strings.ReplaceAll(strings.Join(rows(tl, width, 12, c), " "), "►", " ")), " ")
			if tt.want != "" && !strings.HasPrefix(got, tt.want+" 12:04") || tt.want == "" && strings.Contains(got, "older") {
				t.Errorf("%s, in %d cells: got %q, want %q first", tt.name, width, got, tt.want)
			}
			tl.Do(keys.Top, c)
			if _, row := selected(rows(tl, width, 12, c)); tt.want != "" && !strings.HasPrefix(row, "►… ") {
				t.Errorf("%s: at the top is %q", tt.name, row)
			}
		}
	}
}

func TestAGapIsToldWhereItIs(t *testing.T) {
	for _, tt := range []struct {
		name string
		gaps int
		want string
	}{
		{"one", 1, "… 5383 events were not told"},
		{"several with nothing between", 3, "… events were not told in 3 places"},
	} {
		b := newBuilder()
		b.say(session.AgentMessage, 5, "before it")
		for range tt.gaps {
			b.row(&model.Row{Time: at(6), Type: journal.GapEvent, Text: "5383 events were not told"})
		}
		b.row(&model.Row{Time: at(6), Type: journal.GapEvent, Text: "another session's", Session: &model.Session{}})
		b.say(session.AgentMessage, 7, "behind it")
		all := strings.Join(rows(timelineOf(b), 100, 12, seenBy(b.m, 100)), "\n")
		before, at, behind := strings.Index(all, "before it"), strings.Index(all, tt.want), strings.Index(all, "behind it")
		if before < 0 || at < before || behind < at || strings.Contains(all, "another") {
			t.Errorf("%s: %q is not between the two in\n%s", tt.name, tt.want, all)
		}
	}
}
