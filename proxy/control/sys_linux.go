package control

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// credentials is what the kernel says of whoever connected, or listens.
type credentials struct {
	uid, pid int
	handle   int // a pidfd, 0 when there is none
}

// peerCredentials takes the handle first: what is read by number afterwards is
// about the same process as long as the handle says that it is alive.
func peerCredentials(fd int) (credentials, error) {
	handle, failed := unix.GetsockoptInt(fd, unix.SOL_SOCKET, unix.SO_PEERPIDFD) // Linux 6.5
	who, err := unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return credentials{handle: handle}, err
	}
	c := credentials{uid: int(who.Uid), pid: int(who.Pid), handle: handle}
	switch failed {
	case nil:
	case unix.ENOPROTOOPT:
		c.handle, _ = unix.PidfdOpen(c.pid, 0) // Linux 5.3
	default: // it has ended, and its number may be another's
		c.pid = 0
	}
	return c, nil
}

func (c credentials) close() {
	if c.handle > 0 {
		unix.Close(c.handle)
	}
}

// alive says whether the process has not ended, as far as its handle tells.
func (c credentials) alive() bool {
	if c.handle <= 0 {
		return true
	}
	fds := []unix.PollFd{{Fd: int32(c.handle), Events: unix.POLLIN}}
	n, err := unix.Poll(fds, 0)
	return err == nil && n == 0
}

// standing is what the kernel says of a process.
type standing struct {
	parent int
	tty    uint64 // device number of the controlling terminal; 0: none
	start  uint64 // when it began
}

// readStanding reads /proc/PID/stat, "pid (command) state ppid …". The command
// may hold blanks and parentheses, so the last one counts (proc_pid_stat(5)).
func readStanding(pid int) (standing, error) {
	line, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return standing{}, err
	}
	fields := bytes.Fields(line[bytes.LastIndexByte(line, ')')+1:])
	if len(fields) < 20 {
		return standing{}, errors.New("odd line in /proc")
	}
	parent, err := strconv.Atoi(string(fields[1]))
	tty, err2 := strconv.ParseInt(string(fields[4]), 10, 64) // printed as a signed number
	start, err3 := strconv.ParseUint(string(fields[19]), 10, 64)
	return standing{parent, uint64(uint32(tty)), start}, errors.Join(err, err2, err3)
}

func executable(pid int) string {
	path, _ := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
	return path
}

// ttyName is the usual name of a terminal (devices.txt of the kernel).
func ttyName(tty uint64) string {
	if tty == 0 {
		return ""
	}
	major, minor := unix.Major(kernelDevice(tty)), unix.Minor(kernelDevice(tty))
	switch {
	case major >= 136 && major <= 143:
		return fmt.Sprintf("/dev/pts/%d", (major-136)<<20|minor)
	case major == 4 && minor < 64:
		return fmt.Sprintf("/dev/tty%d", minor)
	case major == 4:
		return fmt.Sprintf("/dev/ttyS%d", minor-64)
	}
	return fmt.Sprintf("device %d:%d", major, minor)
}

// kernelDevice: 32 bits, minor in 31–20 and 7–0, major in 19–8.
func kernelDevice(tty uint64) uint64 {
	return unix.Mkdev(uint32(tty>>8&0xfff), uint32(tty&0xff|tty>>12&0xfff00))
}
