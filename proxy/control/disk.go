package control

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"

	"bobproxy/proxy/broker"

	"github.com/sourcegraph/jsonrpc2"
)

// OnDisk is what the disk has beside one diff of a permission request. Of what is
// in a file it tells nothing else.
type OnDisk struct {
	Entry int // which entry of the request's content it is, from 0; -1: of those behind the last
	Path  string
	State DiskState
	Times int    // how often a Part is there; 0 with other states
	Text  string // what differs all the same, or why nothing was compared
}

// DiskState says how a file and the old side of a diff go together. A client
// takes one that it does not know for Uncompared.
type DiskState string

const (
	Same       DiskState = "same"       // the file is the old side
	Part       DiskState = "part"       // the old side is in the file
	NoFile     DiskState = "no file"    // there is no old side, and no file or an empty one
	Differs    DiskState = "differs"    // the old side is not in the file
	Exists     DiskState = "exists"     // there is no old side, but a file that is not empty
	Missing    DiskState = "missing"    // there is an old side, but no file
	Uncompared DiskState = "uncompared" // Text says why
)

// Alarming says that the disk is not as the diff says.
func (s DiskState) Alarming() bool { return s == Differs || s == Exists || s == Missing }

// Calm says that the disk is as the diff says.
func (s DiskState) Calm() bool { return s == Same || s == Part || s == NoFile }

type diskParams struct {
	Request string `json:"request"`
}

type diskResult struct {
	Found bool     `json:"found"`
	Files []onDisk `json:"files"`
}

// onDisk is an [OnDisk] on its way.
type onDisk struct {
	Entry int    `json:"entry"`
	Path  text   `json:"path,omitzero"`
	State string `json:"state"`
	Times int    `json:"times,omitzero"`
	Text  text   `json:"text,omitzero"`
}

const mostOnDisk = 256 // files of one answer

func fromDisk(files []OnDisk, found bool) diskResult {
	r := diskResult{Found: found, Files: []onDisk{}}
	for _, f := range files[:min(len(files), mostOnDisk)] {
		r.Files = append(r.Files, onDisk{f.Entry, text(cut(f.Path, nameSize)), string(f.State), f.Times, text(cut(f.Text, maxReason))})
	}
	return r
}

func (r *diskResult) files() (all []OnDisk) {
	for _, f := range r.Files[:min(len(r.Files), mostOnDisk)] {
		all = append(all, OnDisk{f.Entry, string(f.Path), DiskState(f.State), f.Times, string(f.Text)})
	}
	return all
}

// comparing is a connection's call that waits for the disk. There is one at most.
type comparing struct {
	busy    atomic.Bool
	running sync.WaitGroup
}

// seesDisk says that the client is surely not below the agent: that may be kept
// from the files that the proxy can read.
func (c *conn) seesDisk() bool {
	o := c.server.opts
	o.Answers = answersAll
	permit, _ := o.permit(c.who, broker.ByCommand)
	return permit == answersAll
}

// compare answers a disk call in a goroutine of its own: while a file system
// hangs, the client can still answer what it has seen.
func (c *conn) compare(ctx context.Context, rpc *jsonrpc2.Conn, id jsonrpc2.ID, params []byte) {
	var p diskParams
	err := decodeStrictly(params, &p)
	switch {
	case err != nil:
	case !c.seesDisk():
		err = errors.New("who may be below the agent is not told what is on the disk")
	case !c.disk.busy.CompareAndSwap(false, true):
		err = errors.New("the disk is being compared for this connection already")
	default:
		c.disk.running.Go(func() {
			defer c.disk.busy.Store(false)
			ctx, cancel := c.whileRead(ctx)
			defer cancel()
			files, found := c.host.Disk(ctx, p.Request)
			respond(ctx, rpc, id, fromDisk(files, found), nil)
		})
		return
	}
	respond(ctx, rpc, id, nil, err)
}

// whileRead is done when the client has gone.
func (c *conn) whileRead(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(ctx)
	c.disk.running.Go(func() {
		defer cancel()
		select {
		case <-c.gone:
		case <-c.quit:
		case <-ctx.Done():
		}
	})
	return ctx, cancel
}
