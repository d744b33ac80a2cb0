package keeper

import (
	"errors"
	"os"
	"os/signal"
	"runtime"
	"strconv"
	"syscall"
	"time"
)

// init makes a keeper of a process that is to be one, which therefore never
// comes to main, nor to the initialisation of packages that this one does not
// import. Those would be most of what a keeper takes: there is one for each
// agent, and it lives as long.
func init() {
	if len(os.Args) > 1 && os.Args[1] == Arg {
		os.Exit(live(os.Args[2:]))
	}
}

// live is the life of a keeper process; args are the words after [Arg]. The
// process exits with what it returns.
func live(args []string) int {
	// The agent's parent death signal belongs to the thread that starts it,
	// and only the first thread lives as long as the process.
	runtime.LockOSThread()
	if len(args) != 1 {
		return 125
	}
	fd, err := strconv.Atoi(args[0])
	if err != nil || !isSocket(fd) {
		return 125
	}
	syscall.CloseOnExec(fd)
	ignoreSignals()
	Adopt()

	k := keeper{link: os.NewFile(uintptr(fd), "proxy"), told: map[int]bool{}}
	died := make(chan os.Signal, 1)
	signal.Notify(died, syscall.SIGCHLD)
	if !k.start() {
		return 0
	}
	k.keep(died)
	return 0
}

// isSocket says whether a descriptor can be our end of a link. Anything else was
// put there by somebody else, who would wait for us and could not interrupt us.
func isSocket(fd int) bool {
	var st syscall.Stat_t
	return fd > 2 && syscall.Fstat(fd, &st) == nil && st.Mode&syscall.S_IFMT == syscall.S_IFSOCK
}

// ignoreSignals catches what clients send to every descendant. Ignoring for
// real would be inherited by the agent; so would un-ignoring what our own
// parent ignored (nohup).
func ignoreSignals() {
	never := make(chan os.Signal, 1)
	for _, s := range []os.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(never, s)
		}
	}
}

// keeper is the state of a keeper process. One goroutine, keep's, owns it.
type keeper struct {
	link     *os.File
	agent    int // process id
	exited   bool
	ending   bool
	grace    time.Duration
	deadline <-chan time.Time // when the tree is killed; nil until it is ending
	told     map[int]bool     // survivors that have had their SIGTERM
}

// start reads the job, starts the agent and reports; false ends the keeper.
func (k *keeper) start() bool {
	var j job
	if receive(k.link, &j) != nil {
		return false
	}
	pid, err := forkExec(j.path, j.argv, j.dir)
	if err != nil {
		var errno syscall.Errno
		errors.As(err, &errno)
		send(k.link, report{kind: failed, number: int(errno)})
		return false
	}
	k.agent, k.grace = pid, j.grace
	releaseStdio()
	send(k.link, report{kind: started, number: pid})
	return true
}

func forkExec(path string, argv []string, dir string) (int, error) {
	attr := &syscall.ProcAttr{
		Dir:   dir,
		Env:   syscall.Environ(),
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGKILL},
	}
	pid, err := syscall.ForkExec(path, argv, attr)
	if err == syscall.ENOEXEC {
		// A script without a first line that names its interpreter: what
		// execvp(3) does, and so what every editor's spawn does.
		pid, err = syscall.ForkExec("/bin/sh", append([]string{"/bin/sh", path}, argv[1:]...), attr)
	}
	return pid, err
}

// releaseStdio lets go of the agent's pipes, so that their ends are seen when
// the agent closes them.
func releaseStdio() {
	null, err := syscall.Open("/dev/null", syscall.O_RDWR|syscall.O_CLOEXEC, 0)
	for fd := range 3 {
		if err == nil {
			syscall.Dup3(null, fd, 0)
		} else {
			syscall.Close(fd)
		}
	}
	if err == nil {
		syscall.Close(null)
	}
}

// keep is the keeper's loop: orders from the proxy, deaths of children, and
// the deadline of a tree that is being ended.
func (k *keeper) keep(died <-chan os.Signal) {
	orders := make(chan order)
	go readOrders(k.link, orders)
	for {
		left := k.reap()
		switch {
		case !k.exited:
		case !k.ending:
			return
		case !left:
			send(k.link, report{kind: empty})
			return
		default:
			k.askOrphans()
		}
		select {
		case <-died:
		case o, ok := <-orders:
			if !ok { // the proxy is gone
				orders = nil
				o = order{signal: syscall.SIGTERM, end: true}
			}
			k.obey(o)
		case <-k.deadline:
			k.obey(order{kill: true})
		}
	}
}

// readOrders ends with the link, which ends with the proxy; nobody waits for it
// since the keeper's end is the end of the process.
func readOrders(link *os.File, orders chan<- order) {
	defer close(orders)
	for {
		var o order
		if receive(link, &o) != nil {
			return
		}
		orders <- o
	}
}

func (k *keeper) obey(o order) {
	if o.signal != 0 && !k.exited {
		syscall.Kill(k.agent, o.signal)
	}
	if (o.end || o.kill) && !k.ending {
		k.ending = true
		k.deadline = time.After(k.grace)
	}
	if o.kill {
		k.killTree()
	}
}

// reap collects every child that has ended and says whether there are others.
// That is the kernel's word; a list of processes may miss one that a dying
// process is just handing over to us.
func (k *keeper) reap() (left bool) {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case err == syscall.EINTR:
		case err != nil: // ECHILD
			return false
		case pid == 0:
			return true
		default:
			k.ended(pid, status)
		}
	}
}

func (k *keeper) ended(pid int, status syscall.WaitStatus) {
	delete(k.told, pid)
	if pid != k.agent || k.exited {
		return
	}
	k.exited = true
	r := report{kind: exited, number: int(status), ending: k.ending}
	if !k.ending {
		r.left = descendants()
	}
	send(k.link, r)
}

// askOrphans tells what the agent left to end, each process once.
func (k *keeper) askOrphans() {
	for _, pid := range children() {
		if !k.told[pid] {
			k.told[pid] = true
			syscall.Kill(pid, syscall.SIGTERM)
		}
	}
}

// killTree kills our children until there are none: whoever loses its parent
// this way becomes our child and falls in the next round. Only unreaped
// children of ours are signalled, so no process id can have been used again.
func (k *keeper) killTree() {
	for k.reap() {
		all := children()
		killed := 0
		for _, pid := range all {
			if syscall.Kill(pid, syscall.SIGKILL) == nil {
				killed++
			}
		}
		if killed == 0 && len(all) > 0 {
			return // none that we may signal
		}
		// One that was killed ends now; if none was listed, then because one
		// ended meanwhile.
		var status syscall.WaitStatus
		if pid, err := syscall.Wait4(-1, &status, 0, nil); err == nil {
			k.ended(pid, status)
		}
	}
}
