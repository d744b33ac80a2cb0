package model

import (
	"bytes"
	"testing"

	"bobproxy/proxy/journal"
)

func TestDialogsThatAreToBeClosed(t *testing.T) {
	m := New()
	p, err := m.Read("answers", bytes.NewReader(recording(t, "answers")))
	if err != nil {
		t.Fatal(err)
	}
	for request, want := range map[string]bool{"demo2:1": true, "demo2:2": true, "demo2:3": true, "demo2:4": false, "demo2:7": true} {
		if o := p.known(request); o == nil || o.Recalled != want {
			t.Errorf("%s: got %+v, want that it is recalled: %v", request, o, want)
		}
	}
	closed := journal.Decision{By: "editor", Outcome: "cancelled", Late: true}
	chosen := journal.Decision{By: "editor", Outcome: "selected", HasOption: true, Late: true}
	o := &Permission{Recalled: true}
	if got, want := o.said(&closed), "the editor closed its dialog, as asked"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := o.said(&chosen), "an answer that came too late"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
