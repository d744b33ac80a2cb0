//go:build linux

package proxy

import (
	"bufio"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"bobproxy/proxy/journal"
)

// A control socket whose place hangs, as on a file system that does not answer,
// keeps nobody waiting: not the first frame, and not the end.
func TestListeningHangs(t *testing.T) {
	in, editorIn := pipe(t)
	editorOut, out := pipe(t)
	editorOut.SetReadDeadline(time.Now().Add(2 * time.Minute))
	runtime := filepath.Join(t.TempDir(), "r")
	hangs, asked := make(chan struct{}), make(chan struct{}, 1)
	defer close(hangs)
	ended := make(chan int, 1)
	go func() {
		code, err := Run(Options{
			Path: "/bin/cat", Argv: []string{"cat"}, Env: os.Environ(),
			Stdin: in, Stdout: out, Stderr: os.Stderr,
			Journal: journal.Options{Off: true, Instance: "slow1"}, limits: patient(),
			lookup: func(name string) (string, bool) {
				select {
				case asked <- struct{}{}:
				default:
				}
				<-hangs
				return runtime, name == "BOBPROXY_RUNTIME_DIR"
			},
		})
		if err != nil {
			t.Error(err)
		}
		ended <- code
	}()
	late := time.After(2 * time.Minute)
	select {
	case <-asked: // it hangs from here on
	case <-late:
		t.Fatal("nobody looks for a place for the socket")
	}
	const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":1}}` + "\n"
	if _, err := io.WriteString(editorIn, initialize); err != nil {
		t.Fatal(err)
	}
	if got, err := bufio.NewReader(editorOut).ReadString('\n'); got != initialize {
		t.Fatalf("got %q, %v", got, err)
	}
	editorIn.Close()
	select {
	case code := <-ended:
		if code != 0 {
			t.Errorf("exit status %d", code)
		}
	case <-late:
		t.Fatal("it does not end")
	}
}
