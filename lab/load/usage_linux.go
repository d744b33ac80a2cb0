package load

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unsafe"
)

// Usage reads what the middle has used since its start. A process that ends
// while it is read counts nothing.
func (l *Link) Usage() (Usage, error) {
	below, err := children()
	if err != nil {
		return Usage{}, fmt.Errorf("reading the processes: %w", err)
	}
	var u Usage
	u.add(l.cmd.Process.Pid, strings.Join(l.agent, "\x00")+"\x00", below)
	return u, nil
}

// add adds pid and what descends from it, up to the agent.
func (u *Usage) add(pid int, agent string, below map[int][]int) {
	cmdline, err := os.ReadFile(proc(pid, "cmdline"))
	if err != nil || string(cmdline) == agent {
		return
	}
	if cpu, err := cpuTime(pid); err == nil {
		u.Processes++
		u.CPU += cpu
		u.Peak += memory(pid, "VmHWM:")
		u.Resident += memory(pid, "VmRSS:")
	}
	for _, child := range below[pid] {
		u.add(child, agent, below)
	}
}

func proc(pid int, file string) string {
	return filepath.Join("/proc", strconv.Itoa(pid), file)
}

// children maps every process to those it is the parent of.
func children() (map[int][]int, error) {
	names, err := filepath.Glob("/proc/[0-9]*/stat")
	below := make(map[int][]int)
	for _, name := range names {
		stat, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(name)))
		// The command's name stands in brackets and may contain anything.
		after := stat[bytes.LastIndexByte(stat, ')')+1:]
		if fields := strings.Fields(string(after)); len(fields) > 1 {
			parent, _ := strconv.Atoi(fields[1])
			below[parent] = append(below[parent], pid)
		}
	}
	return below, err
}

// cpuTime reads the CPU clock of another process: /proc has it in hundredths of
// a second only.
func cpuTime(pid int) (time.Duration, error) {
	clock := int32(^pid<<3 | 2) // as clock_getcpuclockid(3) computes it
	var ts syscall.Timespec
	_, _, errno := syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(clock), uintptr(unsafe.Pointer(&ts)), 0)
	if errno != 0 {
		return 0, errno
	}
	return time.Duration(ts.Nano()), nil
}

// memory reads a field of the process's status, in bytes; 0 when it has ended.
func memory(pid int, field string) int64 {
	status, _ := os.ReadFile(proc(pid, "status"))
	_, after, _ := strings.Cut(string(status), "\n"+field)
	line, _, _ := strings.Cut(after, "\n")
	kib, _ := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(line, "kB")), 10, 64)
	return kib << 10
}
