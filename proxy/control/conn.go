package control

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"time"

	"bobproxy/proxy/journal"

	"github.com/sourcegraph/jsonrpc2"
)

const (
	maxMessage  = 64 << 10 // of a line to us, its end included
	pieceSize   = 64 << 10 // of what is written at once
	watchBuffer = 4096     // events that a watcher may be behind
)

// conn is one client's connection. It is the [jsonrpc2.ObjectStream] and the
// handler of its JSON-RPC connection, whose goroutine reads and answers; serve
// writes, and is the only one who does.
type conn struct {
	server *Server
	host   Host
	nc     *net.UnixConn
	in     *bufio.Reader
	who    *caller
	below  bool // guarded by the server's lock

	out   chan message
	quit  chan struct{} // closed when nothing is read any more
	ended chan struct{} // closed when the reading goroutine is through
	gone  chan struct{} // closed when nothing is written any more
	lines []byte        // of the writing goroutine: memory that is used again

	desk // of the reading goroutine alone
}

// message is something to write, or to write from now on.
type message struct {
	line []byte
	feed *feed
}

// feed is what a watcher gets: events from before, then what happens.
type feed struct {
	before  []journal.Event
	watcher *journal.Watcher
}

func newConn(s *Server, host Host, nc *net.UnixConn, who *caller) *conn {
	return &conn{
		server: s, host: host, nc: nc, who: who, in: bufio.NewReaderSize(nc, maxMessage),
		out: make(chan message, 16), quit: make(chan struct{}), ended: make(chan struct{}), gone: make(chan struct{}),
	}
}

// serve is a connection's goroutine.
func (c *conn) serve() {
	defer c.server.left(c)
	defer c.nc.Close()
	defer c.who.close()
	c.nc.SetReadDeadline(time.Now().Add(cmp.Or(c.server.opts.hello, helloTime)))
	jsonrpc2.NewConn(context.Background(), c, c, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	c.write()
	close(c.gone)
	c.nc.Close()
	<-c.ended
	c.disk.running.Wait()
	c.drop()
}

// write writes what there is until the client has gone, is too slow, or the
// server closes.
func (c *conn) write() {
	var feeding *feed
	var events <-chan journal.Event
	defer func() { c.stop(feeding) }()
	closing := c.server.closing
	for ok := true; ok; {
		select {
		case m := <-c.out:
			if ok = c.say(m.line); m.feed != nil {
				feeding, events = m.feed, m.feed.watcher.Events()
				ok = c.snapshot(feeding.before)
				feeding.before = nil
			}
		case e, more := <-events:
			if !more {
				c.say(goodbye(whyEnded(feeding.watcher)))
				return
			}
			ok = c.live(e, events)
		case <-c.quit:
			c.rest()
			return
		case <-closing:
			if feeding == nil {
				c.rest()
				c.say(goodbye(ending))
				return
			}
			closing = nil
			feeding.watcher.Stop() // what it has already been given is still told
		}
	}
}

const ending = "the proxy is ending"

func whyEnded(w *journal.Watcher) string {
	if errors.Is(w.Err(), journal.ErrSlow) {
		return "you read more slowly than things happen; connect again"
	}
	return ending
}

// rest writes what has been answered before the end.
func (c *conn) rest() {
	for {
		select {
		case m := <-c.out:
			c.stop(m.feed)
			if !c.say(m.line) {
				return
			}
		default:
			return
		}
	}
}

// drop forgets what nobody has written.
func (c *conn) drop() {
	for {
		select {
		case m := <-c.out:
			c.stop(m.feed)
		default:
			return
		}
	}
}

func (c *conn) stop(f *feed) {
	if f != nil {
		f.watcher.Stop()
		c.server.watching(-1)
	}
}

// snapshot writes events from before.
func (c *conn) snapshot(events []journal.Event) bool {
	for len(events) > 0 {
		n, err := c.encode(events)
		if err != nil || !c.say(c.lines) {
			return false // a gap would be worse
		}
		events = events[n:]
	}
	return true
}

// encode makes the lines of as many events as one piece has room for.
func (c *conn) encode(events []journal.Event) (n int, err error) {
	c.server.encoding.Lock()
	defer c.server.encoding.Unlock()
	c.lines = c.lines[:0]
	for n < len(events) && len(c.lines) < pieceSize && err == nil {
		c.lines, err = appendEvent(c.lines, &events[n], nil)
		n++
	}
	return n, err
}

// live writes e and what else has happened by now.
func (c *conn) live(e journal.Event, events <-chan journal.Event) bool {
	return c.encodeLive(e, events) == nil && c.say(c.lines)
}

func (c *conn) encodeLive(e journal.Event, events <-chan journal.Event) (err error) {
	c.server.encoding.Lock()
	defer c.server.encoding.Unlock()
	c.lines = c.lines[:0]
	for more := true; more; {
		c.lines, err = appendEvent(c.lines, &e, openedBy(c.host, &e))
		if err != nil || len(c.lines) >= pieceSize {
			return err
		}
		select {
		case e, more = <-events:
		default:
			more = false
		}
	}
	return nil
}

// say writes piece by piece, each of which has its time. A client that does not
// take it is cut loose.
func (c *conn) say(lines []byte) bool {
	for len(lines) > 0 {
		piece := lines[:min(len(lines), pieceSize)]
		c.nc.SetWriteDeadline(time.Now().Add(writeTime))
		if _, err := c.nc.Write(piece); err != nil {
			return false
		}
		lines = lines[len(piece):]
	}
	return true
}

// ReadObject reads a call. What is no plain call ends the connection with a word
// why.
func (c *conn) ReadObject(v any) error {
	err := c.read(v)
	if err == nil {
		return nil
	}
	if err != io.EOF {
		c.enqueue(message{line: goodbye(err.Error())})
	}
	close(c.ended)
	return err
}

func (c *conn) read(v any) error {
	if c.isGone() { // what else has arrived is not worth an answer
		return io.EOF
	}
	line, err := c.in.ReadSlice('\n')
	switch {
	case errors.Is(err, bufio.ErrBufferFull):
		return fmt.Errorf("a message is longer than %d bytes", maxMessage)
	case err != nil: // half a message counts as none
		return io.EOF
	}
	if err := checkCall(line); err != nil {
		return err
	}
	return json.Unmarshal(line, v)
}

func (c *conn) isGone() bool {
	select {
	case <-c.gone:
		return true
	default:
		return false
	}
}

// WriteObject hands a response to the writing goroutine.
func (c *conn) WriteObject(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.enqueue(message{line: append(line, '\n')})
}

// enqueue waits while the client does not read what it has asked for before.
func (c *conn) enqueue(m message) error {
	select {
	case c.out <- m:
		return nil
	case <-c.gone:
		return net.ErrClosed
	}
}

// Close is called once, when JSON-RPC has ended. The writing goroutine closes
// the connection when it has written the rest.
func (c *conn) Close() error {
	close(c.quit)
	return nil
}
