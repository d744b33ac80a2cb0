package keeper

import (
	"bytes"
	"os"
	"strconv"
)

// A stat line of /proc reads "pid (command) state ppid …"; the command may hold
// blanks and parentheses, so the last one counts (proc_pid_stat(5)).
type stat struct {
	pid, parent int
	zombie      bool
}

// processes lists every process of the machine that we may see.
func processes() []stat {
	var all []stat
	for _, name := range names("/proc") {
		pid, err := strconv.Atoi(name)
		if err != nil {
			continue
		}
		line, err := os.ReadFile("/proc/" + name + "/stat")
		if err != nil {
			continue // it ended meanwhile
		}
		fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
		if len(fields) < 2 {
			continue
		}
		parent, _ := strconv.Atoi(string(fields[1]))
		all = append(all, stat{pid, parent, fields[0][0] == 'Z'})
	}
	return all
}

// names lists what is in a folder.
func names(folder string) []string {
	dir, err := os.Open(folder)
	if err != nil {
		return nil
	}
	defer dir.Close()
	all, _ := dir.Readdirnames(-1)
	return all
}

// children lists the children of this process, ended ones that were not reaped
// included.
func children() []int {
	const threads = "/proc/self/task/"
	var pids []int
	listed := false
	for _, thread := range names(threads) {
		list, err := os.ReadFile(threads + thread + "/children")
		listed = listed || err == nil
		for field := range bytes.FieldsSeq(list) {
			if pid, err := strconv.Atoi(string(field)); err == nil {
				pids = append(pids, pid)
			}
		}
	}
	if !listed {
		return searchChildren()
	}
	return pids
}

// searchChildren is children where the kernel keeps no such list.
func searchChildren() []int {
	self := os.Getpid()
	var pids []int
	for _, p := range processes() {
		if p.parent == self {
			pids = append(pids, p.pid)
		}
	}
	return pids
}

// descendants lists everything below this process that has not ended yet.
func descendants() []Process {
	below := map[int][]stat{}
	for _, p := range processes() {
		below[p.parent] = append(below[p.parent], p)
	}
	var found []Process
	for next := []int{os.Getpid()}; len(next) > 0; next = next[1:] {
		for _, p := range below[next[0]] {
			next = append(next, p.pid)
			if !p.zombie {
				found = append(found, Process{p.pid, commandLine(p.pid)})
			}
		}
	}
	return found
}

// commandLine is the command of a process as one line of at most 200 bytes.
func commandLine(pid int) string {
	const most = 200
	raw, _ := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/cmdline")
	line := string(bytes.ReplaceAll(bytes.TrimRight(raw, "\x00"), []byte{0}, []byte(" ")))
	if len(line) > most {
		line = line[:most] + "…"
	}
	return line
}
