//go:build linux

package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// lastWord is a line that a pipe takes whole or not at all.
func lastWord(i int) []byte {
	return append(bytes.Repeat([]byte{'w'}, 3990), fmt.Sprintf("%9d\n", i)...)
}

// lastWords is the agent of TestLastWordsWhileTheRecordingHangs.
func lastWords(file string) int {
	if err := unix.SetNonblock(2, true); err != nil {
		return complain(err)
	}
	room := []unix.PollFd{{Fd: 2, Events: unix.POLLOUT}}
	for i := 0; ; {
		switch _, err := unix.Write(2, lastWord(i)); err {
		case nil:
			i++
		case unix.EINTR:
		case unix.EAGAIN:
			if n, err := unix.Poll(room, 1000); n != 0 || err != nil {
				continue
			}
			if os.WriteFile(file+"~", []byte(strconv.Itoa(i)), 0o600) != nil || os.Rename(file+"~", file) != nil {
				return 98
			}
			return 7
		default:
			return 97
		}
	}
}

// What the agent wrote to stderr right before its end arrives whole, although
// nobody reads it before all is over.
func TestLastWordsForASlowReader(t *testing.T) {
	t.Parallel()
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer read.Close()
	// A pipe takes less than its size when it is written to in odd pieces.
	if _, err := unix.FcntlInt(write.Fd(), unix.F_SETPIPE_SZ, 256<<10); err != nil {
		t.Fatal(err)
	}
	p := prepare(t, "run", "--", "sh", "-c", "peer chatter 60000 </dev/null; exit 7")
	p.Stderr = write
	p.begin()
	write.Close()
	if rest, code := p.rest(), p.exit(); rest != "" || code != 7 {
		t.Errorf("rest %q, exit status %d; want nothing and 7", rest, code)
	}
	says, err := io.ReadAll(read)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "stderr has", says, bytes.Repeat(append(bytes.Repeat([]byte{'e'}, 99), '\n'), 600))
}

// A required recording that hangs keeps the agent's stderr in its pipe, beyond
// every wait of ours after the agent's end. It arrives all the same when the
// recording goes on.
func TestLastWordsWhileTheRecordingHangs(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	fifo, file := filepath.Join(dir, "fifo"), filepath.Join(dir, "count")
	if err := unix.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	recording, err := os.OpenFile(fifo, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer recording.Close()
	p := start(t, "run", "--record-required", "--record", fifo, "--", "peer", "lastwords", file)
	until(t, "the agent to find its stderr full", func() bool {
		_, err := os.Stat(file)
		return err == nil
	})
	<-time.After(defaultsAreOver)
	go io.Copy(io.Discard, recording)
	if rest, code := p.rest(), p.exit(); rest != "" || code != 7 {
		t.Errorf("rest %q, exit status %d; want nothing and 7", rest, code)
	}
	n, err := strconv.Atoi(content(t, file))
	if err != nil {
		t.Fatal(err)
	}
	var want, got []byte // of what went before, the oldest may be dropped
	for i := n - 15; i < n; i++ {
		want = append(want, lastWord(i)...)
	}
	for line := range strings.Lines(p.errs.String()) {
		if !strings.HasPrefix(line, "bobproxy: ") {
			got = append(got, line...)
		}
	}
	same(t, "the end of stderr has", got[max(len(got)-len(want), 0):], want)
}
