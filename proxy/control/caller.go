package control

import (
	"errors"
	"fmt"
	"net"
	"os"
	"slices"

	"bobproxy/proxy/broker"
	"bobproxy/proxy/journal"
)

// What commands may answer: the values of [Options.Answers].
const (
	answersAuto = ""
	answersAll  = "all"
	denyOnly    = "deny-only"
	answersOff  = "off"
)

// none is what a caller may answer who may not, beside answersAll and denyOnly.
const none = "none"

// caller is the process at the other end of a connection.
type caller struct {
	credentials
	standing
	peer  journal.Peer
	known bool // the rest is about the process that connected
}

// identify says who has connected. It is an error when that is another user.
func identify(conn *net.UnixConn) (*caller, error) {
	who, err := peerOf(conn)
	c := &caller{credentials: who}
	switch {
	case err != nil:
		c.close()
		return nil, fmt.Errorf("the system does not say who you are: %w", err)
	case c.uid != os.Geteuid():
		c.close()
		return nil, fmt.Errorf("this proxy belongs to another user than %d", c.uid)
	}
	c.peer.PID = c.pid
	if c.pid <= 0 {
		return c, nil
	}
	if c.standing, err = readStanding(c.pid); err == nil {
		c.peer.Exe, c.peer.TTY = executable(c.pid), ttyName(c.tty)
		c.known = c.alive()
	}
	return c, nil
}

// same says whether the process that connected still is the one with that number.
func (c *caller) same() bool {
	now, err := readStanding(c.pid)
	return c.known && err == nil && now.start == c.start && c.alive()
}

// permit is what a caller may answer (answersAll, denyOnly or none) and, when
// that is not everything, why. What it says of itself can only narrow it.
func (o *Options) permit(c *caller, as broker.By) (string, string) {
	if !c.known {
		return none, "the process that asks cannot be identified; it may watch but not answer"
	}
	root := 0
	if o.Tree != nil {
		root = o.Tree()
	}
	switch within, err := below(c.pid, root); {
	case err != nil:
		return none, fmt.Sprintf("it cannot be told whether process %d is below the agent (%v); it may watch but not answer", c.pid, err)
	case within:
		return none, fmt.Sprintf("process %d is below the agent, and such a process may watch but not answer", c.pid)
	case !c.same():
		return none, fmt.Sprintf("process %d, which connected, has ended", c.pid)
	case as == broker.ByPanel && c.tty == 0:
		return none, "a panel without a terminal of its own may watch but not answer"
	case as == broker.ByPanel:
		return answersAll, ""
	}
	return o.command(c)
}

// command is what the setting gives a command.
func (o *Options) command(c *caller) (string, string) {
	switch {
	case o.Answers == answersOff:
		return none, "answering by command is switched off (answer-cli = off)"
	case o.Answers == answersAll, o.Answers == answersAuto && c.tty != 0:
		return answersAll, ""
	case o.Answers == answersAuto:
		return denyOnly, "a command without a terminal may only reject, unless the proxy was started with answer-cli = all"
	}
	return denyOnly, "commands may only reject (answer-cli = deny-only)"
}

// below says whether pid is root or a process below it.
func below(pid, root int) (bool, error) {
	if root <= 0 {
		return false, errors.New("the agent's own process is not known")
	}
	var failed error
	for range 8 {
		first, err := lineage(pid, root)
		again, err2 := lineage(pid, root)
		// The same twice: each was alive and the parent of the one before it
		// when it was read. A parent that ends is never a parent again.
		if failed = errors.Join(err, err2); failed == nil && slices.Equal(first, again) {
			return first[len(first)-1] == root, nil
		}
	}
	if failed == nil {
		failed = errors.New("its parents change all the time")
	}
	return false, failed
}

// maxParents is how far up is looked. Whoever asks could make it far.
const maxParents = 256

// lineage is pid, its parent and so on, up to root or to the first process.
func lineage(pid, root int) ([]int, error) {
	line := []int{pid}
	for pid != root {
		s, err := readStanding(pid)
		switch {
		case err != nil:
			return nil, err
		case s.parent <= 0:
			return line, nil
		case len(line) == maxParents:
			return nil, errors.New("it has too many parents")
		}
		pid = s.parent
		line = append(line, pid)
	}
	return line, nil
}
