//go:build unix

package child

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestChild(t *testing.T) {
	var words bytes.Buffer
	c, err := Start(Command{Argv: []string{"sh", "-c", `echo "$WORD" >&2; pwd; cat`}, Dir: "/", Env: []string{"WORD=hello"}, Stderr: &words})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(c.Stdin, "said\n"); err != nil {
		t.Fatal(err)
	}
	out := make([]byte, len("/\nsaid\n"))
	if _, err := io.ReadFull(c.Stdout, out); string(out) != "/\nsaid\n" || err != nil {
		t.Errorf("it wrote %q (%v)", out, err)
	}
	c.Stdin.Close()
	if c.Leave(1 << 40); words.String() != "hello\n" || c.Ending() != "exit status 0" {
		t.Errorf("it said %q and ended with %s", &words, c.Ending())
	}
}

func TestChildThatStays(t *testing.T) {
	c, err := Start(Command{Argv: []string{"sleep", "600"}})
	if err != nil {
		t.Fatal(err)
	}
	c.Stdin.Close()
	if !c.Leave(0) || !strings.Contains(c.Ending(), "killed") {
		t.Errorf("it was not killed, and ended with %s", c.Ending())
	}
}

func TestNoSuchChild(t *testing.T) {
	if _, err := Start(Command{Argv: []string{"/nonexistent/agent"}}); err == nil {
		t.Error("it was started")
	}
}
