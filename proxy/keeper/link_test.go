//go:build linux

package keeper

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

// What is sent is what arrives, whatever its bytes are.
func TestLinkCarries(t *testing.T) {
	for _, tt := range []struct {
		name     string
		sent     interface{ fields() []string }
		received interface{ set([]string) error }
		want     any
	}{
		{"job", job{"/a\xff", "", time.Hour, []string{"a\xff", "", "b\x00c"}}, &job{}, &job{"/a\xff", "", time.Hour, []string{"a\xff", "", "b\x00c"}}},
		{"order", order{15, true, false}, &order{}, &order{15, true, false}},
		{"kill", order{kill: true}, &order{}, &order{kill: true}},
		{"started", report{kind: started, number: 7}, &report{}, &report{kind: started, number: 7}},
		{"exited", report{exited, 9, true, []Process{{8, "x y"}, {9, ""}}}, &report{}, &report{exited, 9, true, []Process{{8, "x y"}, {9, ""}}}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var wire bytes.Buffer
			if err := send(&wire, tt.sent); err != nil {
				t.Fatal(err)
			}
			if err := receive(&wire, tt.received); err != nil {
				t.Fatal(err)
			}
			if !reflect.DeepEqual(tt.received, tt.want) || wire.Len() > 0 {
				t.Errorf("got %+v and %d bytes more, want %+v", tt.received, wire.Len(), tt.want)
			}
		})
	}
}

func TestLinkRefuses(t *testing.T) {
	for _, tt := range []struct{ name, wire string }{
		{"nothing", ""},
		{"half a length", "\x01\x00"},
		{"half a message", "\x09\x00\x00\x00\x01\x00\x00\x00"},
		{"a length beyond all bounds", "\xff\xff\xff\xff"},
		{"a field that reaches beyond its message", "\x05\x00\x00\x00\x02\x00\x00\x001"},
		{"half a field's length", "\x02\x00\x00\x00\x00\x00"},
		{"too few fields", "\x05\x00\x00\x00\x01\x00\x00\x001"},
		{"no number", "\x0f\x00\x00\x00\x01\x00\x00\x00x\x01\x00\x00\x00x\x01\x00\x00\x00x"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for _, m := range []interface{ set([]string) error }{&job{}, &order{}, &report{}} {
				if err := receive(bytes.NewReader([]byte(tt.wire)), m); err == nil {
					t.Errorf("taken for %+v", m)
				}
			}
		})
	}
}
