package editor

import (
	"bufio"
	"strconv"
	"strings"

	"bobproxy/lab/wire"
)

func (ds *dialogs) enqueue(d *dialog) {
	ds.mu.Lock()
	ds.queue = append(ds.queue, d)
	ds.mu.Unlock()
	select {
	case ds.waiting <- struct{}{}:
	default:
	}
}

// run asks a person about the dialogs of the queue, one at a time, until the
// conversation ends.
func (ds *dialogs) run() {
	var typed <-chan string
	for {
		select {
		case <-ds.waiting:
		case <-ds.c.life.Done():
			return
		}
		if typed == nil {
			typed = ds.typing()
		}
		for d := ds.next(); d != nil; d = ds.next() {
			ds.ask(d, typed)
		}
	}
}

func (ds *dialogs) next() *dialog {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if len(ds.queue) == 0 {
		return nil
	}
	d := ds.queue[0]
	ds.queue = ds.queue[1:]
	return d
}

// ask puts one dialog to a person until it is settled. The end of what they
// type cancels it.
func (ds *dialogs) ask(d *dialog, typed <-chan string) {
	for {
		select {
		case <-d.settled:
			return
		default:
		}
		ds.c.screen.question(len(d.ask.Options))
		select {
		case line, ok := <-typed:
			if !ok {
				ds.choose(d, wire.PermissionOption{}, false, "nobody there to ask")
				return
			}
			if option, ok := pick(line, d.ask.Options); ok {
				ds.choose(d, option, true, "typed")
				return
			}
		case <-d.settled:
			return
		case <-ds.c.life.Done():
			return
		}
	}
}

// pick reads an answer: the position of an option, or x for the first that
// rejects once.
func pick(line string, options []wire.PermissionOption) (wire.PermissionOption, bool) {
	line = strings.ToLower(strings.TrimSpace(line))
	if line == "x" {
		return ofKind(options, wire.RejectOnce)
	}
	n, err := strconv.Atoi(line)
	if err != nil || n < 1 || n > len(options) {
		return wire.PermissionOption{}, false
	}
	return options[n-1], true
}

// typing hands on what a person types, line by line. A read that blocks cannot
// be interrupted; its goroutine is left behind.
func (ds *dialogs) typing() <-chan string {
	typed := make(chan string)
	if ds.c.opts.Answers == nil {
		close(typed)
		return typed
	}
	go func() {
		defer close(typed)
		lines := bufio.NewScanner(ds.c.opts.Answers)
		for lines.Scan() {
			select {
			case typed <- lines.Text():
			case <-ds.c.life.Done():
				return
			}
		}
	}()
	return typed
}
