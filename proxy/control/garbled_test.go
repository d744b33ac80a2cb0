//go:build linux

package control_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/control"
)

// What is not UTF-8 in a request arrives as JSON that can stand in JSON.
func TestGarbledInputs(t *testing.T) {
	const garbled, legible = "{\"command\":\"echo \xff\xc0\xaf!\",\"half\":\"\\ud83d\"}", "{\"command\":\"echo \ufffd\ufffd\ufffd!\",\"half\":\"\\ud83d\"}"
	p := run(t, nil)
	p.pending = []control.Pending{{
		Request: "test1:1", Instance: instance, ID: json.RawMessage("1"), Title: "cut \xf0\x9f", Options: []control.Option{},
		Input: json.RawMessage(garbled), Content: json.RawMessage("[" + garbled + "]"),
	}}
	s, err := p.dial(broker.ByCommand).State(deadline(t))
	if err != nil {
		t.Fatal(err)
	}
	got := s.Pending[0]
	if string(got.Input) != legible || string(got.Content) != "["+legible+"]" || got.Clipped != "" || got.ContentClipped != "" {
		t.Errorf("got input %q, content %q, clipped %q, %q", got.Input, got.Content, got.Clipped, got.ContentClipped)
	}
	if whole, err := json.Marshal(got); err != nil || !utf8.Valid(whole) {
		t.Errorf("cannot be shown: %v, %q", err, whole)
	}
}
