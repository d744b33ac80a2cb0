package replay

import (
	"context"
	"encoding/json"
	"io"
	"time"

	"bobproxy/lab/wire"
)

// Options say how to play. The zero value plays at once and compares no texts.
type Options struct {
	Speed    float64       // of the pauses between frames; 1 is as recorded, zero leaves them out
	Patience time.Duration // how long the peer may say nothing where something is expected; zero means 30s, less than that for ever
	Strict   bool          // texts count, too
	Dir      string        // the client's directory, absolute; for Client
	Files    bool          // Client answers for files from the disk, in Dir only
	Found    func(Finding) // called for what is found, as it is found, one at a time; nil drops it

	Clock Clock // nil: the machine's
}

// Clock makes timers.
type Clock interface {
	// After sends once when d is over, unless stop was called before.
	After(d time.Duration) (over <-chan time.Time, stop func())
}

type machineClock struct{}

func (machineClock) After(d time.Duration) (<-chan time.Time, func()) {
	t := time.NewTimer(d)
	return t.C, func() { t.Stop() }
}

func (o Options) clock() Clock {
	if o.Clock == nil {
		return machineClock{}
	}
	return o.Clock
}

func (o Options) patience() time.Duration {
	if o.Patience == 0 {
		return 30 * time.Second
	}
	return o.Patience
}

// pause is how long a recorded pause takes now.
func (o Options) pause(recorded time.Duration) time.Duration {
	if o.Speed <= 0 || recorded <= 0 {
		return 0
	}
	return time.Duration(float64(recorded) / o.Speed)
}

// part is one side of a conversation. It knows neither streams nor time.
type part interface {
	next() move       // what to do now; the same until something happens
	done()            // what next gave is about to be written
	hear(line []byte) // the peer said something
	gone()            // the peer says nothing more
	late()            // the peer was silent, or took nothing, for too long
	full() bool       // it has so much to send that it wants to hear nothing until some of it went out
}

// move is what a part does next: it sends line after a pause, waits, or has
// nothing left to do.
type move struct {
	line  []byte
	step  int // what is sent, so that a pause is waited for once
	pause time.Duration
	over  bool // everything was said
	stay  bool // and the peer leaves first
}

// lastWords is how long a peer is listened to when there is nothing to do any
// more but to leave.
const lastWords = 5 * time.Second

// play connects a part with its peer until it is over, or ctx ends.
func play(ctx context.Context, p part, in io.Reader, out io.Writer, o Options) error {
	life, end := context.WithCancel(ctx)
	defer end()
	s := &stage{part: p, opts: o, stream: wire.NewStream(in, out)}
	s.heard, s.lines, s.written = make(chan []byte), make(chan []byte), make(chan error, 1)
	writing := make(chan struct{})
	go s.read(life)
	go func() { defer close(writing); s.write() }()
	over, err := s.run(ctx)
	close(s.lines)
	if over {
		<-writing
		_ = s.stream.CloseWrite()
		err = s.listen(ctx)
	}
	end()
	_ = s.stream.Close()
	return err
}

// stage is where a part meets its peer.
type stage struct {
	part   part
	opts   Options
	stream *wire.Stream

	heard   chan []byte // closed at the end of the input
	lines   chan []byte
	written chan error // how the last line went
	busy    bool       // a line is being written
	broken  bool       // nobody takes lines any more
	ended   bool       // the input has
}

func (s *stage) read(life context.Context) {
	defer close(s.heard)
	for {
		var line json.RawMessage
		if s.stream.ReadObject(&line) != nil {
			return
		}
		select {
		case s.heard <- line:
		case <-life.Done():
			return
		}
	}
}

func (s *stage) write() {
	for line := range s.lines {
		s.written <- s.stream.WriteLines(line)
	}
}

// run goes on until the part is over, and every line of it written. It is not
// over when the peer was silent for too long.
func (s *stage) run(ctx context.Context) (finished bool, err error) {
	paused := none // the step whose pause is over
	pausing, pause, stopPause := none, (<-chan time.Time)(nil), func() {}
	defer func() { stopPause() }()
	for {
		m := s.part.next()
		free := m.line != nil && !s.busy && !s.broken
		switch {
		case m.over && !s.busy && (!m.stay || s.ended), s.broken && s.ended:
			return true, nil
		case free && (m.pause <= 0 || m.step == paused):
			s.busy = true
			s.part.done()
			s.lines <- m.line
			continue
		}
		var over, patience <-chan time.Time
		stop := func() {}
		if free && pausing != m.step { // what is heard meanwhile does not make it longer
			stopPause()
			pausing = m.step
			pause, stopPause = s.opts.clock().After(m.pause)
		}
		if free {
			over = pause
		} else if limit := s.opts.patience(); limit > 0 && (!m.over || s.busy) {
			patience, stop = s.opts.clock().After(limit)
		}
		what, err := s.happen(ctx, over, patience)
		stop()
		switch {
		case err != nil:
			return false, err
		case what == pauseOver:
			paused = m.step
		case what == patienceOver:
			s.part.late()
			return false, nil
		}
	}
}

// event is what can happen on a stage.
type event int

const (
	somethingHeard event = iota
	pauseOver
	patienceOver
)

// happen waits for one thing to happen.
func (s *stage) happen(ctx context.Context, pause, patience <-chan time.Time) (event, error) {
	heard := s.heard
	if s.ended || s.part.full() {
		heard = nil
	}
	select {
	case line, ok := <-heard:
		if ok {
			s.part.hear(line)
		} else {
			s.ended = true
			s.part.gone()
		}
	case err := <-s.written:
		s.busy = false
		s.broken = s.broken || err != nil
	case <-pause:
		return pauseOver, nil
	case <-patience:
		return patienceOver, nil
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	return somethingHeard, nil
}

// listen hears the peer's last words, once its input has ended.
func (s *stage) listen(ctx context.Context) error {
	enough, stop := s.opts.clock().After(lastWords)
	defer stop()
	for !s.ended {
		if what, err := s.happen(ctx, nil, enough); what == patienceOver || err != nil {
			return err
		}
	}
	return nil
}
