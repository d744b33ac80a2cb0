package control

import (
	"bytes"
	"fmt"

	"golang.org/x/sys/unix"
)

// credentials is what the kernel says of whoever connected, or listens.
type credentials struct{ uid, pid int }

func peerCredentials(fd int) (credentials, error) {
	who, err := unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	if err != nil {
		return credentials{}, err
	}
	pid, _ := unix.GetsockoptInt(fd, unix.SOL_LOCAL, unix.LOCAL_PEERPID)
	return credentials{int(who.Uid), pid}, nil
}

func (c credentials) close() {}

// alive: there is no handle here; when it began is compared instead.
func (c credentials) alive() bool { return true }

// standing is what the kernel says of a process.
type standing struct {
	parent int
	tty    uint64 // device number of the controlling terminal; 0: none
	start  uint64 // when it began
}

func readStanding(pid int) (standing, error) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", pid)
	if err != nil {
		return standing{}, err
	}
	s := standing{parent: int(info.Eproc.Ppid), start: uint64(info.Proc.P_starttime.Nano())}
	if info.Eproc.Tdev > 0 { // -1: none
		s.tty = uint64(info.Eproc.Tdev)
	}
	return s, nil
}

// executable is the path that stands behind the count in a process's arguments.
func executable(pid int) string {
	args, err := unix.SysctlRaw("kern.procargs2", pid)
	if err != nil || len(args) < 4 {
		return ""
	}
	path, _, _ := bytes.Cut(args[4:], []byte{0})
	return string(path)
}

func ttyName(tty uint64) string {
	if tty == 0 {
		return ""
	}
	return fmt.Sprintf("device %d:%d", unix.Major(tty), unix.Minor(tty))
}
