package bob

import (
	"context"
	"io"
	"log"
	"sync"
	"sync/atomic"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"bobproxy/acp"
	"bobproxy/lab/wire"
)

// Options change how Bob behaves. The zero value is the one tests want.
type Options struct {
	Pace      time.Duration // pause between streamed pieces
	RandomIDs bool          // session ids nobody can guess, instead of counted ones
	Patient   bool          // after session/cancel keep waiting for open permissions

	Misbehave []Misbehaviour // what to do wrong, in Agent mode
	Flood     int            // permissions that flood asks for; zero means 100
	Outside   string         // directory that escape tries to get into; empty means one called "outside" beside the session's
}

// Serve speaks the protocol with a client until in ends, and returns nil then.
// It returns the error of ctx when that ends first; a Read of in that cannot be
// interrupted by closing it is left behind. Serve owns in and out and closes
// them when they can be closed.
func Serve(ctx context.Context, in io.Reader, out io.Writer, opts Options) error {
	life, end := context.WithCancel(ctx)
	defer end()

	opts.adopt()
	a := &agent{life: life, opts: opts, queue: make(chan func(), 256), sessions: map[string]*session{}}
	a.frames = wire.NewStream(in, out)
	a.frames.AtEOF, a.frames.Stray = a.settle, a.mail.takeLost
	a.conn = jsonrpc2.NewConn(life, a.frames, (*reader)(a), jsonrpc2.SetLogger(log.New(io.Discard, "", 0)),
		jsonrpc2.OnRecv(a.mail.take))

	var worker sync.WaitGroup
	worker.Go(a.work)
	<-a.conn.DisconnectNotify()
	end()
	worker.Wait()
	a.turns.Wait()
	return ctx.Err()
}

// agent is one connection.
type agent struct {
	life   context.Context // of the connection
	opts   Options
	frames *wire.Stream
	conn   *jsonrpc2.Conn
	mail   mail        // replies to what was written past conn
	queue  chan func() // what the reader leaves to the worker
	turns  sync.WaitGroup
	calls  atomic.Uint64 // ids of our requests

	// Only the worker uses these.
	initialized bool
	client      wire.ClientCapabilities // copied into each turn

	mu       sync.Mutex
	sessions map[string]*session
	order    []*session
	made     int // sessions ever made
}

// reader is the agent as jsonrpc2 sees it. Handle runs on the goroutine that
// also delivers responses, so it neither writes nor waits for the client.
type reader agent

func (r *reader) Handle(_ context.Context, _ *jsonrpc2.Conn, req *jsonrpc2.Request) {
	a := (*agent)(r)
	a.enqueue(func() { a.handle(req) })
}

func (a *agent) enqueue(job func()) {
	select {
	case a.queue <- job:
	case <-a.life.Done():
	}
}

func (a *agent) work() {
	for {
		select {
		case job := <-a.queue:
			job()
		case <-a.life.Done():
			return
		}
	}
}

// settle returns when everything that was read has been handled, so that a
// client may send its last requests, end its output and still read replies.
// It does not wait for turns.
func (a *agent) settle() {
	done := make(chan struct{})
	a.enqueue(func() { close(done) })
	select {
	case <-done:
	case <-a.life.Done():
	}
}

// handle answers a request, or takes note of a notification.
func (a *agent) handle(req *jsonrpc2.Request) {
	if req.Notif {
		a.notice(req)
		return
	}
	result, then, err := a.answer(req)
	if err != nil {
		_ = a.conn.ReplyWithError(a.life, req.ID, err)
		return
	}
	if result != nil {
		_ = a.conn.Reply(a.life, req.ID, result)
	}
	if then != nil {
		then()
	}
}

// notify sends an update of a session. It fails only with the connection.
func (a *agent) notify(session string, update any) {
	_ = a.conn.Notify(a.life, acp.MethodSessionUpdate, wire.Notification{SessionID: session, Update: update})
}
