package control

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"sync"
)

// longestLine is what a client takes of a proxy: a full state and more.
const longestLine = 64 << 20

// ErrEnded is why a connection is over when the other end has not said why.
var ErrEnded = errors.New("the proxy has gone")

// inbox is a client's end of the stream: it sorts out events, which JSON-RPC
// would read several times over, and remembers why the stream has ended. It is a
// [jsonrpc2.ObjectStream].
type inbox struct {
	of     string // the proxy
	nc     net.Conn
	in     *bufio.Reader
	long   []byte // of a line that is longer than the reader's memory
	deltas chan Delta
	closed chan struct{} // by us
	ended  chan struct{} // nothing is read any more

	mu  sync.Mutex
	why error
}

func newInbox(nc net.Conn, of string) *inbox {
	return &inbox{
		of: of, nc: nc, in: bufio.NewReaderSize(nc, 64<<10),
		deltas: make(chan Delta, 64), closed: make(chan struct{}), ended: make(chan struct{}),
	}
}

// ReadObject reads up to the next response.
func (b *inbox) ReadObject(v any) error {
	err := b.read(v)
	if err != nil {
		b.end(err)
		close(b.deltas)
		close(b.ended)
	}
	return err
}

func (b *inbox) read(v any) error {
	for {
		line, err := b.line()
		if err != nil {
			return err
		}
		if params, ok := bytes.CutPrefix(line, []byte(eventStart)); ok {
			if err := b.event(bytes.TrimSuffix(params, []byte("}\n"))); err != nil {
				return err
			}
			continue
		}
		if why := reasonOf(line); why != "" {
			return errors.New(why)
		}
		return json.Unmarshal(line, v)
	}
}

// line is good until the next one is read.
func (b *inbox) line() ([]byte, error) {
	b.long = b.long[:0]
	for {
		part, err := b.in.ReadSlice('\n')
		if err == nil && len(b.long) == 0 {
			return part, nil
		}
		b.long = append(b.long, part...)
		switch {
		case err == nil:
			return b.long, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, ErrEnded
		case len(b.long) > longestLine:
			return nil, fmt.Errorf("a line of the proxy is longer than %d bytes", longestLine)
		}
	}
}

// event hands over one event, and waits for whoever watches.
func (b *inbox) event(params []byte) error {
	var d delta
	if err := decode(params, &d); err != nil {
		return fmt.Errorf("reading an event: %w", err)
	}
	e, err := d.Event.event()
	if err != nil {
		return fmt.Errorf("reading an event: %w", err)
	}
	out := Delta{Event: e, size: len(params)}
	if d.Pending != nil {
		if err := d.Pending.own(b.of); err != nil {
			return err
		}
		p := d.Pending.pending()
		out.Pending = &p
	}
	select {
	case b.deltas <- out:
		return nil
	case <-b.closed:
		return net.ErrClosed
	}
}

func (b *inbox) end(why error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.why == nil {
		b.why = why
	}
}

func (b *inbox) err() error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.why
}

// WriteObject writes a call; one at a time, as JSON-RPC calls it.
func (b *inbox) WriteObject(v any) error {
	line, err := json.Marshal(v)
	if err != nil {
		return err
	}
	_, err = b.nc.Write(append(line, '\n'))
	return err
}

// Close is called once.
func (b *inbox) Close() error {
	b.end(net.ErrClosed)
	close(b.closed)
	return b.nc.Close()
}
