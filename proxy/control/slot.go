package control

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"time"
)

// ErrInUse says that a running proxy has this instance name.
var ErrInUse = errors.New("another proxy has this name")

const (
	socketEnd = ".sock"
	lockEnd   = ".lock"
)

// instanceName says whether s may name a proxy: four to eight letters or digits.
func instanceName(s string) bool {
	for _, c := range []byte(s) {
		if !(c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z') {
			return false
		}
	}
	return len(s) >= 4 && len(s) <= 8
}

// longestPath is how many bytes the kernel takes for a socket's path.
func longestPath() int {
	if runtime.GOOS == "linux" {
		return 107
	}
	return 103
}

// slot is one instance's place in a folder: a socket, and a lock that is held
// for as long as the socket is alive. Only who holds the lock removes anything.
type slot struct {
	path     string // of the socket
	lock     *os.File
	listener *net.UnixListener
	bound    fs.FileInfo
}

// takeSlot locks the name and listens.
func takeSlot(dir, instance string) (*slot, error) {
	s := &slot{path: filepath.Join(dir, instance+socketEnd)}
	if n := len(s.path); n > longestPath() {
		return nil, errors.New(tooLong(n))
	}
	var err error
	if s.lock, err = takeLock(filepath.Join(dir, instance+lockEnd), os.O_CREATE); err != nil {
		return nil, err
	}
	if err := s.listen(); err != nil {
		s.release()
		return nil, err
	}
	return s, nil
}

func (s *slot) listen() error {
	if err := removeStale(s.path); err != nil {
		return err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: s.path, Net: "unix"})
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	listener.SetUnlinkOnClose(false) // by then the path may be somebody else's
	s.listener = listener
	// The folder is the guard: until here the mode is what the umask makes it,
	// and some systems do not look at it.
	if err := os.Chmod(s.path, 0o600); err != nil {
		return reason(err)
	}
	s.bound, err = os.Lstat(s.path)
	return err
}

// release stops listening and removes what is ours.
func (s *slot) release() {
	if s.listener != nil {
		s.listener.Close()
	}
	if now, err := os.Lstat(s.path); err == nil && s.bound != nil && os.SameFile(now, s.bound) {
		os.Remove(s.path)
	}
	dropLock(s.lock)
}

// takeLock opens and locks a file of ours; flag may be os.O_CREATE.
func takeLock(path string, flag int) (*os.File, error) {
	for range 100 {
		file, err := os.OpenFile(path, os.O_RDWR|flag|noFollow, 0o600)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, reason(err))
		}
		err = lockFile(file)
		if err == nil && stillThere(file, path) {
			return file, nil
		}
		file.Close()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		// Its owner has ended and removed it meanwhile; another one may be there.
	}
	return nil, fmt.Errorf("%s: %w", path, ErrInUse)
}

func stillThere(file *os.File, path string) bool {
	ours, err := file.Stat()
	if err != nil {
		return false
	}
	now, err := os.Lstat(path)
	return err == nil && os.SameFile(ours, now)
}

// dropLock removes a lock's file while it is still held.
func dropLock(lock *os.File) {
	if stillThere(lock, lock.Name()) {
		os.Remove(lock.Name())
	}
	lock.Close()
}

// removeStale removes the socket of an instance whose lock the caller holds.
// Anything else at that path stays, and is an error.
func removeStale(path string) error {
	info, err := os.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return reason(err)
	case info.Mode().Type() != fs.ModeSocket:
		return fmt.Errorf("%s is there and is not a socket; it is left alone", path)
	case owner(info) != os.Geteuid():
		return fmt.Errorf("%s belongs to user %d", path, owner(info))
	case listening(path):
		return fmt.Errorf("%s: %w", path, ErrInUse)
	}
	return reason(os.Remove(path))
}

// listening says whether a process still has the socket, busy or not.
func listening(path string) bool {
	conn, err := net.DialTimeout("unix", path, time.Second)
	if err == nil {
		conn.Close()
		return true
	}
	return !refused(err) && !errors.Is(err, fs.ErrNotExist)
}

// sweep removes what proxies that were killed have left in dir. A lock that is
// new may belong to a proxy that has made it and not yet locked it.
func sweep(dir string, now time.Time) {
	entries, _ := os.ReadDir(dir)
	for _, entry := range entries {
		instance, ok := strings.CutSuffix(entry.Name(), lockEnd)
		info, err := entry.Info()
		if !ok || err != nil || !instanceName(instance) || now.Sub(info.ModTime()) < time.Minute {
			continue
		}
		lock, err := takeLock(filepath.Join(dir, entry.Name()), 0)
		if err != nil {
			continue
		}
		if removeStale(filepath.Join(dir, instance+socketEnd)) == nil {
			dropLock(lock)
		} else {
			lock.Close()
		}
	}
}
