package wire_test

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/lab/wire"
)

// read returns the methods of the requests that came through, and what was
// written back.
func read(t *testing.T, in string) (methods []string, out string) {
	t.Helper()
	var back bytes.Buffer
	stream := wire.NewStream(strings.NewReader(in), &back)
	for {
		var req jsonrpc2.Request
		switch err := stream.ReadObject(&req); err {
		case nil:
			methods = append(methods, req.Method)
		case io.EOF:
			return methods, back.String()
		default:
			t.Fatal(err)
		}
	}
}

func TestBadLinesDoNotEndTheStream(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":1,"method":"after"}` + "\n"
	tests := []struct{ name, line, reply string }{
		{"blank", " \r", ""},
		{"not JSON", "hello", `"code":-32700`},
		{"array", `[{"jsonrpc":"2.0","id":1,"method":"m"}]`, `"code":-32600`},
		{"null", `null`, ""},
		{"method is a number", `{"id":3,"method":1}`, `"code":-32600`},
		{"negative id", `{"id":-1,"method":"m"}`, `"id":-1`},
		{"fraction", `{"id":1.5,"method":"m"}`, `"id":1.5`},
		{"response to null", `{"id":null,"error":{"code":1,"message":"m"}}`, ""},
		{"response without id", `{"error":{"code":1,"message":"m"}}`, ""},
		{"response without result", `{"id":4}`, ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			methods, out := read(t, test.line+"\n"+good)
			if len(methods) != 1 || methods[0] != "after" {
				t.Errorf("came through: %q", methods)
			}
			if test.reply == "" && out != "" || !strings.Contains(out, test.reply) {
				t.Errorf("reply %q, want %q", out, test.reply)
			}
		})
	}
}

func TestLastLineWithoutEnd(t *testing.T) {
	methods, _ := read(t, `{"method":"a"}`+"\r\n"+`{"method":"b"}`)
	if strings.Join(methods, " ") != "a b" {
		t.Errorf("got %q", methods)
	}
}

func TestFrameThatIsTooLong(t *testing.T) {
	methods, out := read(t, `{"method":"long","params":"`+strings.Repeat("x", 65<<20)+`"}`+"\n"+`{"method":"after"}`)
	if strings.Join(methods, " ") != "after" || strings.Count(out, "-32600") != 1 {
		t.Errorf("came through: %q, answered %q", methods, out)
	}
}
