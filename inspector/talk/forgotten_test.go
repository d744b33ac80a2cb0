package talk_test

import (
	"strings"
	"testing"

	"bobproxy/inspector/model"
	"bobproxy/inspector/paint"
)

func TestEntriesThatWereForgotten(t *testing.T) {
	for _, tt := range []struct {
		name, recording string
		link            model.Link
		n               int
		want            string
	}{
		{"recorded", "/r.jsonl", model.Live, 116, "… 116 older entries were forgotten; the recording has them"},
		{"one", "/r.jsonl", model.Live, 1, "… 1 older entry was forgotten; the recording has it"},
		{"not recorded", "", model.Live, 116, "… 116 older entries were forgotten"},
		{"of a file", "", model.Recorded, 116, "… 116 older entries were forgotten; the file has them"},
	} {
		b := newBuilder()
		b.p.State.Recording, b.p.Link = tt.recording, tt.link
		b.s.Talk.Dropped = tt.n
		for _, width := range []int{30, 50, 100} {
			g := paint.NewGrid(width, 12)
			timelineOf(b).Draw(g.All(), seenBy(b.m, 100))
			got := strings.Join(strings.Fields(strings.ReplaceAll(paint.Text(g), "►", " ")), " ")
			if got != tt.want {
				t.Errorf("%s, in %d cells: got %q, want %q", tt.name, width, got, tt.want)
			}
		}
	}
}
