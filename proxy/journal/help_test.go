package journal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"bobproxy/acp"
)

// frames scans lines sent by dir.
func frames(dir acp.Direction, lines ...string) []Frame {
	all := make([]Frame, len(lines))
	for i, line := range lines {
		all[i] = Frame{Dir: dir, Line: []byte(line)}
		acp.Scan(all[i].Line, &all[i].Scan)
	}
	return all
}

// begin makes a journal that is closed with the test.
func begin(t testing.TB, opts Options) *Journal {
	t.Helper()
	if opts.Instance == "" {
		opts.Instance = "test1"
	}
	j, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { j.Close(10 * time.Second) })
	return j
}

// closed closes j and wants no error.
func closed(t testing.TB, j *Journal) {
	t.Helper()
	if err := j.Close(10 * time.Second); err != nil {
		t.Fatalf("close: %v", err)
	}
}

// memory is a file in memory whose failures a test decides on.
type memory struct {
	mu     sync.Mutex
	data   []byte
	writes int
	syncs  int
	fail   func(m *memory, size int) (stored int, err error) // nil is no failure
	shared bool
	lost   bool
	hang   chan struct{} // a write waits until it can receive
}

func (m *memory) open(bool) (file, error) { return m, nil }

func (m *memory) write(bufs [][]byte) (int64, error) {
	all := bytes.Join(bufs, nil)
	if m.hang != nil {
		<-m.hang
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.writes++
	n, err := len(all), error(nil)
	if m.fail != nil {
		n, err = m.fail(m, len(all))
	}
	m.data = append(m.data, all[:n]...)
	return int64(n), err
}

func (m *memory) cut(n int64) error {
	if m.shared {
		return errShared
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.data = m.data[:len(m.data)-int(n)]
	return nil
}

func (m *memory) sync() error  { m.mu.Lock(); defer m.mu.Unlock(); m.syncs++; return nil }
func (m *memory) gone() bool   { return m.lost }
func (m *memory) sole() bool   { return !m.shared }
func (m *memory) size() int64  { return int64(len(m.data)) }
func (m *memory) torn() bool   { return false }
func (m *memory) name() string { return "memory" }
func (m *memory) close() error { return nil }

func (m *memory) text() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return string(m.data)
}

// nowhere swallows everything.
type nowhere struct{ n int64 }

func (f *nowhere) open(bool) (file, error) { return f, nil }
func (f *nowhere) write(bufs [][]byte) (int64, error) {
	n := int64(0)
	for _, b := range bufs {
		n += int64(len(b))
	}
	f.n += n
	return n, nil
}
func (f *nowhere) cut(int64) error { return errors.New("no") }
func (f *nowhere) sync() error     { return nil }
func (f *nowhere) gone() bool      { return false }
func (f *nowhere) sole() bool      { return false }
func (f *nowhere) size() int64     { return 0 }
func (f *nowhere) torn() bool      { return false }
func (f *nowhere) name() string    { return "nowhere" }
func (f *nowhere) close() error    { return nil }

// readAll reads a recording that has to be whole.
func readAll(t testing.TB, recording string) []Event {
	t.Helper()
	var all []Event
	for e, err := range Read(strings.NewReader(recording)) {
		if err != nil {
			t.Fatalf("%v in\n%s", err, clip(recording, 2000))
		}
		all = append(all, e)
	}
	return all
}

// update is a session/update of about size bytes.
func update(size int) string {
	line := `{"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"sess_0123456789abcdef","update":{"sessionUpdate":"agent_message_chunk","content":{"type":"text","text":"%s"}}}}` + "\n"
	return fmt.Sprintf(line, strings.Repeat("x", max(size-len(line)+2, 0)))
}
